"""A limit for each move: told, kept, called by the clock, and gone with the game."""

import time

import pytest

from . import truth
from .playing import DRAW, RESIGN, Game, in_turn, legal, look, of, opened, say, seated
from .problems import told
from .serving import Player, Service, done, player_fixture, registered, server_fixture
from .watching import until

service = server_fixture(clock_seconds=0.1)
"""A server whose clock looks ten times a second."""
ada = player_fixture("Ada", "module")


def test_a_limit_is_told_and_who_lets_it_pass_has_lost(service: Service, ada: Player) -> None:
    told(ada.post("/v1/games", {"game_type": "klondike", "move_seconds": 4}), 400, "malformed")
    game = opened(ada, "klondike", move_seconds=5)
    assert game["move_seconds"] == 5
    assert game["move_due"] > game["updated_at"]
    move, began = legal(ada, game)[0], time.monotonic()
    done(say(ada, game, move))
    until(lambda: look(ada, game)["status"] != "playing")
    assert time.monotonic() - began > 4
    result = look(ada, game)["result"]
    assert (result["ending"], result["reason"]) == ("lost", "timed_out")
    events = ada.get(of(game, "/frames"), params={"first": 2}).json()["frames"][0]["events"]
    assert [event["type"] for event in events] == ["game/timed_out", "game/finished", "game/revealed"]
    assert rows(service, game) == 0


def test_a_move_moves_the_deadline_and_the_end_removes_it(service: Service, ada: Player) -> None:
    players = ada, registered(service, "Bob")
    game = opened(ada, "spite_and_malice", move_seconds=60)
    assert rows(service, game) == 0
    first = seated(game, players[1])["move_due"]
    assert rows(service, game) == 1
    mover, _ = in_turn(players, game)
    say(mover, game, legal(mover, game)[0])
    assert look(ada, game)["move_due"] > first
    say(ada, game, RESIGN)
    assert look(ada, game)["move_due"] is None
    assert rows(service, game) == 0


@pytest.mark.parametrize("moves", [1, 3])
def test_a_game_without_limit_has_its_row_while_played(moves: int, service: Service, ada: Player) -> None:
    game = opened(ada, "klondike")
    assert (rows(service, game), look(ada, game)["move_due"]) == (0, None)
    done(say(ada, game, DRAW if moves == 1 else [DRAW] * moves))
    assert rows(service, game) == 1
    assert look(ada, game)["move_due"] > look(ada, game)["updated_at"]
    say(ada, game, RESIGN)
    assert rows(service, game) == 0


def test_a_row_too_early_is_put_off_or_goes(service: Service, ada: Player) -> None:
    """As games have them that were begun before there were such rows."""
    begun, waiting = opened(ada, "klondike"), opened(ada, "klondike")
    say(ada, begun, DRAW)
    late = "INSERT INTO deadlines (game, due) VALUES (%s, 0), (%s, 0) ON CONFLICT (game) DO UPDATE SET due = 0"
    truth.done(service, late, begun["id"], waiting["id"])
    until(lambda: truth.done(service, "SELECT FROM deadlines WHERE due = 0") == 0)
    assert [rows(service, game) for game in (begun, waiting)] == [1, 0]
    assert [look(ada, game)["status"] for game in (begun, waiting)] == ["playing", "playing"]


def rows(service: Service, game: Game) -> int:
    """How many deadlines the game has."""
    return truth.done(service, "SELECT FROM deadlines WHERE game = %s", game["id"])
