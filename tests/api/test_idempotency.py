"""A request repeated with its key gets the first answer, byte for byte; a dry run records nothing; lists end early.

Of every operation `test_keyed_writes` plays this once; here is what the commands and openings of games have besides.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from . import truth
from .playing import DRAW, RECYCLE, RESIGN, UNDO, Game, in_turn, look, moves, of, opened, say, seated
from .problems import told
from .serving import Player, Service, done, parts, registered, serving

NONSENSE = {"type": "klondike/move", "source": "waste", "target": "foundation_spades", "count": 9}


def keyed(key: str, **more: str) -> dict[str, str]:
    return {"idempotency-key": key, **more}


def same(first: httpx.Response, again: httpx.Response) -> bool:
    """Whether two answers are one and the same."""
    return parts(first) == parts(again)


REQUESTS: dict[str, Any] = {
    "one command": DRAW, "a list": [DRAW] * 3, "a list that ends early": [DRAW, NONSENSE, DRAW], "on a version": DRAW,
    "undo": UNDO, "resign": RESIGN,
}  # fmt: skip


def ask(player: Player, game: Game, what: str, **more: str) -> httpx.Response:
    """One of these requests, with a key of its own."""
    version = {"if-match": f'"{game["version"]}"'} if what == "on a version" else {}
    return say(player, game, REQUESTS[what], headers=keyed(what, **version, **more))


def drawn(player: Player) -> Game:
    """A game in which a card was drawn, so that something can be undone."""
    game = opened(player, options={"undo": True})
    return game | {"version": say(player, game, DRAW).json()["version"]}


@pytest.mark.parametrize("what", REQUESTS)
def test_a_repeat_has_the_first_answer_and_no_effect(what: str, service: Service, ada: Player) -> None:
    """At once, after other moves and after the end."""
    game = drawn(ada)
    first = ask(ada, game, what)
    assert ("refusal" in done(first)) == (what == "a list that ends early")
    for command in ([], DRAW, [DRAW, DRAW], RESIGN):
        if command:
            say(ada, game, command)
        before = (truth.head(service), look(ada, game))
        assert same(first, ask(ada, game, what))
        assert (truth.head(service), look(ada, game)) == before
    least = ask(ada, game, what, prefer='wait=1, Return="minimal"; brief')
    assert done(least) == first.json() | {"frames": []}
    assert [answer.headers.get("preference-applied") for answer in (first, least)] == [None, "return=minimal"]


def opening(player: Player, key: str, **body: Any) -> httpx.Response:
    return player.post("/v1/games", {"game_type": "klondike", **body}, headers=keyed(key))


def test_a_repeated_opening_is_the_game_as_it_was_opened(service: Service, ada: Player) -> None:
    before = truth.head(service)
    first = at_once(lambda: opening(ada, "an opening"))
    assert truth.head(service) == before + done(first, 201)["version"]
    before = truth.head(service)
    for command in (DRAW, RESIGN):
        say(ada, first.json(), command)
        assert same(first, opening(ada, "an opening"))
    assert truth.head(service) == before + 4
    waiting = {"game_type": "spite_and_malice", "seat": 1}
    first = opening(ada, "a table", **waiting)
    seated(first.json(), registered(service, "Someone"))
    assert same(first, opening(ada, "a table", **waiting))


def test_a_repeat_has_the_first_answer_after_a_restart(database: str) -> None:
    with serving(database) as service:
        ada = registered(service, "Ada")
        openings = opening(ada, "an opening")
        games = {what: drawn(ada) for what in REQUESTS}
        first = {what: ask(ada, games[what], what) for what in REQUESTS}
        head = truth.head(service)
    with serving(database) as service:
        ada = ada.on(service)
        assert same(openings, opening(ada, "an opening"))
        for what in REQUESTS:
            assert same(first[what], ask(ada, games[what], what))
        assert truth.head(service) == head


def at_once(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """The answer to this request made twenty times at once, which is one and the same."""
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: ask(), range(20)))
    assert len({(answer.status_code, answer.content) for answer in answers}) == 1
    return answers[0]


@pytest.mark.parametrize("what", REQUESTS)
def test_twenty_repeats_at_once_have_one_effect_and_one_answer(what: str, service: Service, ada: Player) -> None:
    game = drawn(ada)
    answer = done(at_once(lambda: ask(ada, game, what)))
    now = look(ada, game)
    assert now["version"] == answer["version"] == len(truth.records(service, game))
    assert len(answer["frames"]) == now["step"] - game["step"] - 1


def test_a_key_wins_over_a_stale_version_but_not_over_another_body(service: Service, ada: Player) -> None:
    game = opened(ada)
    first = ask(ada, game, "on a version")
    say(ada, game, DRAW)
    opening(ada, "a key")
    before = truth.head(service)
    assert same(first, ask(ada, game, "on a version"))
    told(say(ada, game, DRAW, headers={"if-match": f'"{game["version"]}"'}), 412, "stale_version")
    for command in ([DRAW], RESIGN, NONSENSE):
        told(say(ada, game, command, headers=keyed("on a version")), 422, "key_reused")
    told(say(ada, game, DRAW, headers=keyed("on a version"), params={"seat": 0}), 422, "key_reused")
    told(opening(ada, "a key", rated=False), 422, "key_reused")
    told(opening(ada, "a key", deal=[]), 422, "key_reused")
    assert truth.head(service) == before


def test_a_key_is_bound_to_player_operation_and_game_and_needs_a_token(
    service: Service, ada: Player, bob: Player
) -> None:
    games = [(ada, opened(ada)), (ada, opened(ada)), (bob, opened(bob))]
    assert len({done(say(player, game, DRAW, headers=keyed("k")))["game_id"] for player, game in games}) == 3
    assert len({done(opening(player, "k"), 201)["id"] for player in (ada, bob)}) == 2
    minted = ada.post("/v1/tokens", {"label": "reads", "scopes": ["read"]}).json()
    headers = keyed("k", authorization=f"Bearer {minted['secret']}")
    told(service.http.post(of(games[0][1], "/commands"), json=DRAW, headers=headers), 403, "scope_missing")
    game = seated(opened(ada, "spite_and_malice"), bob)
    on, off = in_turn((ada, bob), game)
    command = moves(on, game)[0]
    first = say(on, game, command, headers=keyed("k"))
    assert first.status_code == 200
    assert say(off, game, command, headers=keyed("k")).status_code == 409
    assert same(first, say(on, game, command, headers=keyed("k")))


def test_a_refusal_is_not_kept_but_judged_afresh(ada: Player) -> None:
    game = opened(ada, options={"undo": True})
    told(say(ada, game, UNDO, headers=keyed("again")), 409, "illegal", "nothing_to_undo")
    told(say(ada, game, DRAW, headers=keyed("stale", **{"if-match": '"1"'})), 412, "stale_version")
    say(ada, game, DRAW)
    accepted = say(ada, game, UNDO, headers=keyed("again"))
    assert done(accepted)["frames"]
    assert same(accepted, say(ada, game, UNDO, headers=keyed("again")))
    assert say(ada, game, DRAW, headers=keyed("stale")).status_code == 200
    play = ada.get("/v1/openapi.json").json()["paths"]["/v1/games/{game_id}/commands"]["post"]
    assert "refusal is not kept" in next(
        parameter["description"] for parameter in play["parameters"] if parameter["name"] == "Idempotency-Key"
    )


# Dry runs and lists

DRY = {"dry_run": "true"}


def test_a_dry_run_tells_acceptance_or_problem_and_changes_nothing(service: Service, ada: Player) -> None:
    game = opened(ada)
    before = (truth.head(service), look(ada, game))
    headers = {"idempotency-key": "the key", "if-match": f'"{game["version"]}"'}
    answer = say(ada, game, DRAW, params=DRY, headers=headers)
    body = {"game_id": game["id"], "game_type": "klondike", "version": game["version"], "accepted": 1, "frames": []}
    assert (answer.status_code, answer.json()) == (200, body)
    assert answer.headers["etag"] == f'"{game["version"]}"'
    for command in (
        RECYCLE,
        {"type": "klondike/move", "source": "waste", "target": "foundation_spades"},
        {"type": "bridge_solitaire/pass"},
    ):
        dry, meant = say(ada, game, command, params=DRY), say(ada, game, command)
        assert (dry.status_code, dry.content) == (meant.status_code, meant.content) == (409, dry.content)
    told(say(ada, game, DRAW, params=DRY, headers={"if-match": '"1"'}), 412, "stale_version")
    for many in (1, 2, 500):
        told(say(ada, game, [DRAW] * many, params=DRY), 400, "malformed")
    assert (truth.head(service), look(ada, game)) == before
    assert say(ada, game, DRAW, headers=headers).json()["frames"], "the key is still unused"


def test_no_dry_run_tells_anything_of_a_hand(ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    on, off = in_turn((ada, bob), game)
    for command in moves(on, game):
        dry = say(off, game, command, params=DRY)
        assert dry.status_code == 409
        assert dry.json() == say(off, game, command).json()


def test_a_list_ends_at_its_first_refusal(service: Service, ada: Player) -> None:
    game = opened(ada)
    before = truth.head(service)
    assert say(ada, game, [RECYCLE, DRAW]).status_code == 409
    assert truth.head(service) == before
    answer = say(ada, game, [DRAW, DRAW, RECYCLE, DRAW]).json()
    assert answer["accepted"] == len(answer["frames"]) == 2
    assert answer["refusal"]["status"] == 409
    assert answer["refusal"]["version"] == answer["version"] == look(ada, game)["version"] == game["version"] + 2
    assert answer["refusal"]["rule"] == say(ada, game, RECYCLE).json()["rule"]
    assert len(truth.records(service, game)) == answer["version"]


def test_a_list_has_one_version_and_each_steps_frame(ada: Player) -> None:
    game = opened(ada)
    told(say(ada, game, [DRAW, DRAW], headers={"if-match": '"2"'}), 412, "stale_version")
    answer = say(ada, game, [DRAW] * 24, headers={"if-match": f'"{game["version"]}"'}).json()
    assert [frame["step"] for frame in answer["frames"]] == list(range(game["step"] + 1, game["step"] + 25))
    assert "refusal" not in answer
    answer = say(ada, game, [RECYCLE, RESIGN, DRAW]).json()
    assert (answer["accepted"], answer["refusal"]["rule"]) == (2, "game_finished")
