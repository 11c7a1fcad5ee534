"""A request repeated with its key gets the first answer, byte for byte, and nothing happens twice.

Of every operation `test_keyed_writes` plays this once; here is what the commands and openings of games have besides.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from . import truth
from .playing import DRAW, RESIGN, UNDO, Game, in_turn, look, moves, of, opened, say, seated
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


def ask(player: Player, game: Game, what: str) -> httpx.Response:
    """One of these requests, with a key of its own."""
    version = {"if-match": f'"{game["version"]}"'} if what == "on a version" else {}
    return say(player, game, REQUESTS[what], headers=keyed(what, **version))


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


def opening(player: Player, key: str, **body: Any) -> httpx.Response:
    return player.post("/v1/games", {"game_type": "klondike", **body}, headers=keyed(key))


def test_a_repeated_opening_is_the_game_as_it_was_opened(service: Service, ada: Player) -> None:
    first = opening(ada, "an opening")
    assert first.status_code == 201
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
        answers = [asked.result() for asked in [pool.submit(ask) for _ in range(20)]]
    assert len({(answer.status_code, answer.content) for answer in answers}) == 1
    return answers[0]


@pytest.mark.parametrize("what", REQUESTS)
def test_twenty_repeats_at_once_have_one_effect_and_one_answer(what: str, service: Service, ada: Player) -> None:
    game = drawn(ada)
    answer = done(at_once(lambda: ask(ada, game, what)))
    now = look(ada, game)
    assert now["version"] == answer["version"] == len(truth.records(service, game))
    assert len(answer["frames"]) == now["step"] - game["step"] - 1


def test_twenty_openings_at_once_open_one_game(service: Service, ada: Player) -> None:
    before = truth.head(service)
    answer = done(at_once(lambda: opening(ada, "all at once")), 201)
    assert truth.head(service) == before + answer["version"]


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


def test_the_seats_of_a_table_have_keys_of_their_own(ada: Player, bob: Player) -> None:
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
    said = next(one["description"] for one in play["parameters"] if one["name"] == "Idempotency-Key")
    assert "refusal is not kept" in said
