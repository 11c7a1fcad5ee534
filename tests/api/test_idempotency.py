"""A request repeated with its key gets the first answer, byte for byte, and nothing happens twice."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from service.postgres import Server

from . import truth
from .playing import Game, look, moves, of, opened, say, seated
from .problems import told
from .serving import Player, Service, database_of, parts, registered, serving

DRAW = {"type": "klondike/draw"}
NONSENSE = {"type": "klondike/move", "source": "waste", "target": "foundation_spades", "count": 9}


def keyed(key: str, **more: str) -> dict[str, str]:
    return {"idempotency-key": key, **more}


def same(first: httpx.Response, again: httpx.Response) -> bool:
    """Whether two answers are one and the same."""
    return parts(first) == parts(again)


REQUESTS: dict[str, Callable[[Player, Game], httpx.Response]] = {
    "one command": lambda player, game: say(player, game, DRAW, headers=keyed("one")),
    "a list": lambda player, game: say(player, game, [DRAW, DRAW, DRAW], headers=keyed("list")),
    "a list that ends early": lambda player, game: say(player, game, [DRAW, NONSENSE, DRAW], headers=keyed("part")),
    "on a version": lambda player, game: say(
        player, game, DRAW, headers=keyed("version", **{"if-match": f'"{game["version"]}"'})
    ),
    "undo": lambda player, game: say(player, game, {"type": "game/undo"}, headers=keyed("undo")),
    "resign": lambda player, game: say(player, game, {"type": "game/resign"}, headers=keyed("resign")),
}  # fmt: skip


@pytest.mark.parametrize("what", REQUESTS)
def test_a_repeat_is_answered_as_the_first_time_and_has_no_effect(what: str, service: Service, ada: Player) -> None:
    game = opened(ada, options={"undo": True})
    if what == "undo":
        game = game | {"version": say(ada, game, DRAW).json()["version"]}
    first = REQUESTS[what](ada, game)
    assert first.status_code == 200, first.text
    before = (truth.head(service), look(ada, game))
    assert same(first, REQUESTS[what](ada, game))
    assert (truth.head(service), look(ada, game)) == before


@pytest.mark.parametrize("what", REQUESTS)
def test_also_after_other_moves_and_after_the_end(what: str, service: Service, ada: Player) -> None:
    game = opened(ada, options={"undo": True})
    if what == "undo":
        game = game | {"version": say(ada, game, DRAW).json()["version"]}
    first = REQUESTS[what](ada, game)
    for command in (DRAW, [DRAW, DRAW], {"type": "game/resign"}):
        say(ada, game, command)
        before = truth.head(service)
        assert same(first, REQUESTS[what](ada, game))
        assert truth.head(service) == before


def test_a_partly_accepted_list_tells_its_refusal_again(ada: Player) -> None:
    game = opened(ada)
    first = REQUESTS["a list that ends early"](ada, game)
    assert first.json()["accepted"] == 1
    assert first.json()["refusal"]["status"] == 409
    assert same(first, REQUESTS["a list that ends early"](ada, game))


def opening(player: Player, key: str, **body: Any) -> httpx.Response:
    return player.post("/v1/games", {"game_type": "klondike", **body}, headers=keyed(key))


def test_a_repeated_opening_is_the_game_as_it_was_opened(service: Service, ada: Player) -> None:
    first = opening(ada, "an opening")
    assert first.status_code == 201
    say(ada, first.json(), DRAW)
    before = truth.head(service)
    assert same(first, opening(ada, "an opening"))
    say(ada, first.json(), {"type": "game/resign"})
    assert same(first, opening(ada, "an opening"))
    assert truth.head(service) == before + 3
    waiting = {"game_type": "spite_and_malice", "seat": 1}
    first = opening(ada, "a table", **waiting)
    seated(first.json(), registered(service, "Someone"))
    assert same(first, opening(ada, "a table", **waiting))


def test_a_repeat_is_answered_as_the_first_time_after_a_restart(postgres: Server, template_database: str) -> None:
    with database_of(postgres, template_database) as conninfo:
        with serving(conninfo) as service:
            ada = registered(service, "Ada")
            openings = opening(ada, "an opening")
            games = {what: opened(ada, options={"undo": True}) for what in REQUESTS}
            for game in games.values():
                game["version"] = say(ada, game, DRAW).json()["version"]
            first = {what: ask(ada, games[what]) for what, ask in REQUESTS.items()}
            head = truth.head(service)
        with serving(conninfo) as service:
            ada = ada.on(service)
            assert same(openings, opening(ada, "an opening"))
            for what, ask in REQUESTS.items():
                assert same(first[what], ask(ada, games[what]))
            assert truth.head(service) == head


def at_once(many: int, ask: Callable[[], httpx.Response]) -> list[httpx.Response]:
    """The answers to this request made so many times at once."""
    with ThreadPoolExecutor(many) as pool:
        return [asked.result() for asked in [pool.submit(ask) for _ in range(many)]]


@pytest.mark.parametrize("what", [what for what in REQUESTS if what != "undo"])
def test_twenty_repeats_at_once_have_one_effect_and_one_answer(what: str, service: Service, ada: Player) -> None:
    game = opened(ada)
    answers = at_once(20, lambda: REQUESTS[what](ada, game))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert look(ada, game)["version"] == answers[0].json()["version"] == len(truth.records(service, game))
    assert len(answers[0].json()["frames"]) == look(ada, game)["step"]


def test_twenty_openings_at_once_open_one_game(service: Service, ada: Player) -> None:
    before = truth.head(service)
    answers = at_once(20, lambda: opening(ada, "all at once"))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert truth.head(service) == before + answers[0].json()["version"]


def test_the_key_wins_over_a_stale_version(ada: Player) -> None:
    game = opened(ada)
    first = REQUESTS["on a version"](ada, game)
    say(ada, game, DRAW)
    assert same(first, REQUESTS["on a version"](ada, game))
    told(say(ada, game, DRAW, headers={"if-match": f'"{game["version"]}"'}), 412, "stale_version")


def test_a_key_with_another_body_is_refused_and_changes_nothing(service: Service, ada: Player) -> None:
    game = opened(ada)
    REQUESTS["one command"](ada, game)
    opening(ada, "a key")
    before = truth.head(service)
    for command in ([DRAW], {"type": "game/resign"}, NONSENSE):
        told(say(ada, game, command, headers=keyed("one")), 422, "key_reused")
    told(say(ada, game, DRAW, headers=keyed("one"), params={"seat": 0}), 422, "key_reused")
    told(opening(ada, "a key", rated=False), 422, "key_reused")
    told(opening(ada, "a key", deal=[]), 422, "key_reused")
    assert truth.head(service) == before


def test_a_key_is_bound_to_its_player_its_operation_and_its_game(service: Service, ada: Player, bob: Player) -> None:
    games = [opened(ada), opened(ada), opened(bob)]
    players = [ada, ada, bob]
    answers = [say(player, game, DRAW, headers=keyed("k")) for player, game in zip(players, games, strict=True)]
    openings = [opening(player, "k") for player in (ada, bob)]
    assert [answer.status_code for answer in (*answers, *openings)] == [200, 200, 200, 201, 201]
    assert len({answer.json()["game_id"] for answer in answers}) == 3
    assert openings[0].json()["id"] != openings[1].json()["id"]


def test_the_seats_of_a_table_have_keys_of_their_own(ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    turn = look(ada, game)["view"]["to_act"][0]
    on, off = (ada, bob) if turn == 0 else (bob, ada)
    command = moves(on, game)[0]
    first = say(on, game, command, headers=keyed("k"))
    assert first.status_code == 200
    assert say(off, game, command, headers=keyed("k")).status_code == 409
    assert same(first, say(on, game, command, headers=keyed("k")))


def test_a_refusal_is_not_kept_and_is_judged_afresh(ada: Player) -> None:
    game = opened(ada, options={"undo": True})
    undo = {"type": "game/undo"}
    told(say(ada, game, undo, headers=keyed("again")), 409, "illegal", "nothing_to_undo")
    stale = keyed("stale", **{"if-match": '"1"'})
    told(say(ada, game, DRAW, headers=stale), 412, "stale_version")
    say(ada, game, DRAW)
    assert say(ada, game, undo, headers=keyed("again")).status_code == 200
    assert say(ada, game, DRAW, headers=keyed("stale")).status_code == 200


def test_a_repeat_is_authorised_again(service: Service, ada: Player) -> None:
    game = opened(ada)
    REQUESTS["one command"](ada, game)
    minted = ada.post("/v1/tokens", {"label": "reads", "scopes": ["read"]}).json()
    headers = keyed("one", authorization=f"Bearer {minted['secret']}")
    told(service.http.post(of(game, "/commands"), json=DRAW, headers=headers), 403, "scope_missing")


def test_a_seat_taken_seeded_or_given_back_with_a_key_is_so_once(ada: Player, bob: Player) -> None:
    game = opened(ada, "spite_and_malice", await_seeds=True)
    for path, body in (("/join", {"seat": 1}), ("/seed", {"client_seed": "b"}), ("/leave", None)):
        first, again = (bob.post(of(game, path), body, headers={"idempotency-key": "once"}) for _ in range(2))
        assert first.status_code == again.status_code == 200
        assert first.content == again.content
    assert ada.get(of(game)).json()["seats"][1]["player"] is None


def test_what_was_refused_is_judged_anew_and_the_description_says_so(ada: Player) -> None:
    game, move = opened(ada, options={"undo": True}), {"type": "game/undo"}
    told(say(ada, game, move, headers=keyed("again")), 409, "illegal", "nothing_to_undo")
    say(ada, game, DRAW)
    accepted = say(ada, game, move, headers=keyed("again"))
    assert accepted.status_code == 200, accepted.text
    assert same(accepted, say(ada, game, move, headers=keyed("again")))
    play = ada.get("/v1/openapi.json").json()["paths"]["/v1/games/{game_id}/commands"]["post"]
    said = next(one["description"] for one in play["parameters"] if one["name"] == "Idempotency-Key")
    assert "refusal is not kept" in said
