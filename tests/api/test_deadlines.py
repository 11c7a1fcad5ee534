"""A limit for each move: told, kept, called by the clock, and gone with the game."""

import time
from collections.abc import Callable, Iterator

import psycopg
import pytest

from service.postgres import Server

from .playing import legal, look, of, opened, say
from .problems import told
from .serving import Player, Service, database_of, registered, serving


@pytest.fixture(scope="module")
def quick(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server whose clock looks ten times a second."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo, clock_seconds=0.1) as service:
        yield service


def test_the_limit_and_the_moment_a_move_is_due_are_told(quick: Service) -> None:
    ada = registered(quick, "Ada")
    assert opened(ada, "klondike")["move_due"] is None
    game = opened(ada, "klondike", move_seconds=3600)
    assert game["move_seconds"] == 3600
    assert game["move_due"] > game["updated_at"]
    told(ada.post("/v1/games", {"game_type": "klondike", "move_seconds": 4}), 400, "malformed")


def test_who_lets_the_time_pass_has_lost_and_the_deadline_is_gone(quick: Service) -> None:
    ada = registered(quick, "Ada")
    game = opened(ada, "klondike", move_seconds=5)
    move, began = legal(ada, game)[0], time.monotonic()
    assert say(ada, game, move).status_code == 200
    while look(ada, game)["status"] == "playing":
        assert time.monotonic() - began < 60, "nobody called time"
        time.sleep(0.1)
    assert time.monotonic() - began > 4
    result = look(ada, game)["result"]
    assert (result["ending"], result["reason"]) == ("lost", "timed_out")
    events = ada.get(of(game, "/frames"), params={"first": 2}).json()["frames"][0]["events"]
    assert [event["type"] for event in events] == ["game/timed_out", "game/finished", "game/revealed"]
    assert _deadlines(quick, game["id"]) == 0


def test_a_move_in_time_sets_the_deadline_anew_and_the_end_removes_it(quick: Service) -> None:
    ada, bob = registered(quick, "Ada"), registered(quick, "Bob")
    game = opened(ada, "spite_and_malice", move_seconds=60)
    assert _deadlines(quick, game["id"]) == 0
    bob.post(of(game, "/join"), {})
    first = look(ada, game)["move_due"]
    assert _deadlines(quick, game["id"]) == 1
    players: list[Player] = [ada, bob]
    seat = look(ada, game)["view"]["to_act"][0]
    say(players[seat], game, legal(players[seat], game)[0])
    assert look(ada, game)["move_due"] > first
    say(ada, game, {"type": "game/resign"})
    assert look(ada, game)["move_due"] is None
    assert _deadlines(quick, game["id"]) == 0


@pytest.mark.parametrize("moves", [1, 3])
def test_a_game_without_a_limit_has_its_row_from_the_first_moves_to_the_end(moves: int, quick: Service) -> None:
    ada = registered(quick, "Ada")
    game = opened(ada, "klondike")
    assert (_deadlines(quick, game["id"]), look(ada, game)["move_due"]) == (0, None)
    said = {"type": "klondike/draw"}
    assert say(ada, game, said if moves == 1 else [said] * moves).status_code == 200
    assert _deadlines(quick, game["id"]) == 1
    assert look(ada, game)["move_due"] > look(ada, game)["updated_at"]
    say(ada, game, {"type": "game/resign"})
    assert _deadlines(quick, game["id"]) == 0


def test_a_row_that_comes_too_early_is_put_off_and_one_of_no_use_goes(quick: Service) -> None:
    """As games have them that were begun before there were such rows."""
    ada = registered(quick, "Ada")
    begun, waiting = opened(ada, "klondike"), opened(ada, "klondike")
    say(ada, begun, {"type": "klondike/draw"})
    ids = [begun["id"], waiting["id"]]
    with psycopg.connect(quick.conninfo) as connection:
        for game in ids:
            connection.execute(
                "INSERT INTO deadlines (game, due) VALUES (%s, 0) ON CONFLICT (game) DO UPDATE SET due = 0", (game,)
            )
    wait_until(lambda: _overdue(quick, ids) == 0)
    assert [_deadlines(quick, game) for game in ids] == [1, 0]
    assert [look(ada, game)["status"] for game in (begun, waiting)] == ["playing", "playing"]


def wait_until(happened: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not happened():
        assert time.monotonic() - began < 60
        time.sleep(0.05)


def _overdue(service: Service, games: list[str]) -> int:
    with psycopg.connect(service.conninfo) as connection:
        row = connection.execute(
            "SELECT count(*) FROM deadlines WHERE game = ANY(%s::uuid[]) AND due = 0", (games,)
        ).fetchone()
    assert row is not None
    return int(row[0])


def _deadlines(service: Service, game: str) -> int:
    with psycopg.connect(service.conninfo) as connection:
        row = connection.execute("SELECT count(*) FROM deadlines WHERE game = %s", (game,)).fetchone()
    assert row is not None
    return int(row[0])
