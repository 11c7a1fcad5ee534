"""Forks over HTTP: a game that is over, continued from a step by whoever may see it."""

from random import Random
from typing import Any

import httpx
import pytest

from domain.games import GAME_TYPES
from domain.play.verify import verify

from . import truth
from .holding import settled
from .playing import RESIGN, UNDO, Frame, Game, look, of, opened, play_on, say, seated
from .problems import told
from .recording import imported, taken
from .serving import Player, Service, done, parts
from .test_table import NOBODY, listed, reached


def fork(player: Player, game: Game, step: int, **more: Any) -> httpx.Response:
    return player.post(of(game, "/fork"), {"step": step, **more})


def forked(player: Player, game: Game, step: int, **more: Any) -> Game:
    answer = fork(player, game, step, **more)
    made = done(answer, 201)
    assert answer.headers["location"] == of(made)
    assert answer.headers["etag"] == f'"{made["version"]}"'
    return made


def played(player: Player, game_type: str = "klondike", moves: int = 8, **body: Any) -> Game:
    """A game of this player alone, at every seat, given up after so many moves."""
    hot = {"hot_seat": True} if 1 not in GAME_TYPES[game_type].seats else {}
    game = opened(player, game_type, **hot, **body)
    seats = len(game["seats"])
    for _ in play_on((player,) * seats, game, Random(4), moves):
        pass
    while look(player, game)["status"] == "playing":
        done(say(player, game, RESIGN))
    return look(player, game)


def frames(player: Player, game: Game) -> list[Frame]:
    return player.get(of(game, "/frames"), params={"known": "now"}).json()["frames"]


def alike(frame: Frame) -> Any:
    return [frame[name] for name in ("step", "live_step", "seat", "sentences", "status", "view")]


@pytest.mark.parametrize("key", ["klondike", "bridge_solitaire", "decs_building"])  # the others: `test_fork`
def test_a_game_of_any_type_goes_on_from_its_middle(service: Service, ada: Player, key: str) -> None:
    parent = played(ada, key)
    played_frames = [frame for frame in frames(ada, parent) if frame["status"] == "playing"]
    step = played_frames[len(played_frames) // 2]["step"]
    made = forked(ada, parent, step)
    assert (made["origin"], made["rated"], made["visibility"]) == ("fork", False, "unlisted")
    assert made["forked_from"] == {"game_id": parent["id"], "step": step}
    assert made["your_seats"] == list(range(len(parent["seats"])))
    while look(ada, made)["status"] == "playing":
        done(say(ada, made, RESIGN))
    assert [alike(frame) for frame in frames(ada, made)[: step + 1]] == [
        alike(frame) for frame in played_frames[: step + 1]
    ]
    assert verify(truth.records(service, made)) == []


def test_forks_are_played_on_like_any_game(ada: Player) -> None:
    made = forked(ada, parent := played(ada), 3)
    assert forked(ada, parent, 3)["id"] != made["id"]
    steps = [frame["step"] for _, frame in play_on((ada,), made, Random(9), 3)]
    assert steps == [4, 5, 6]
    assert say(ada, made, UNDO).json()["frames"][0]["live_step"] == 5


def test_whoever_forks_a_game_of_two_holds_both_seats(ada: Player, bob: Player, eve: Player) -> None:
    parent = seated(opened(ada, "spite_and_malice"), bob)
    for _ in play_on((ada, bob), parent, Random(5), 9):
        pass
    say(bob, parent, RESIGN)
    made = forked(eve, parent, 6)
    assert [seat["player"]["id"] for seat in made["seats"]] == [eve.id, eve.id]
    told(say(ada, made, RESIGN), 403, "not_your_seat")
    assert made["step"] == 5
    views = [frame["view"] for frame in frames(eve, parent)]
    say(eve, made, RESIGN)
    assert frames(eve, made)[5]["view"]["zones"] == views[6]["zones"]


def test_games_going_on_and_steps_not_played_are_refused(ada: Player, bob: Player, eve: Player) -> None:
    waiting = opened(ada, "spite_and_malice")
    told(fork(ada, waiting, 0), 409, "illegal", "game_not_finished")
    live = seated(waiting, bob)
    for player in (ada, bob, eve):
        told(fork(player, live, 1), 409, "illegal", "game_not_finished")
    parent = played(ada, moves=5)
    for step in (6, 7, 2**31 - 1):
        detail = told(fork(ada, parent, step), 409, "illegal", "step_not_played")["detail"]
        assert detail == "That game can be forked from step 0, the deal, to step 5, the last before its end."
    told(fork(ada, parent, -1), 400, "malformed")


def test_hidden_and_imported_games_have_hidden_forks(ada: Player, bob: Player, eve: Player) -> None:
    parent = played(ada, visibility="private")
    told(fork(ada, parent, 1, visibility="public"), 409, "illegal", "more_visible")
    assert parts(fork(eve, parent, 1)) == parts(fork(eve, NOBODY, 1))
    made = forked(ada, parent, 1)
    assert made["visibility"] == "private"
    told(eve.get(of(made)), 404, "no_such_thing")
    told(eve.get(of(made, "/frames")), 404, "no_such_thing")
    game = imported(ada, taken(bob, played(bob, "golf", visibility="private")))
    made = forked(ada, game, 0)
    assert (made["forked_from"], made["visibility"]) == ({"game_id": game["id"], "step": 0}, "private")
    done(say(ada, made, RESIGN))
    told(fork(eve, game, 0), 404, "no_such_thing")


def test_a_fork_is_in_lists_and_in_no_table(service: Service, ada: Player, eve: Player) -> None:
    parent = played(ada)
    before = scores(service, eve)
    made, hidden = forked(eve, parent, 2, visibility="public"), forked(eve, parent, 2)
    for game in (made, hidden):
        say(eve, game, RESIGN)
    reached(service, truth.head(service))
    assert {made["id"], hidden["id"]} <= set(listed(eve, player_id=eve.id))
    assert made["id"] in listed(ada)
    assert hidden["id"] not in listed(ada)
    assert scores(service, eve) == before


def scores(service: Service, player: Player) -> Any:
    """The player's rows, once the boards have read all there is."""
    settled(service)
    return player.get(f"/v1/players/{player.id}/scores").json() | {"log_position": None}
