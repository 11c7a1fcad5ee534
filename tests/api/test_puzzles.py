"""Puzzles over HTTP: mined from a planted mistake, tried, rated, hidden until tried, refused, gone with their game."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import md5
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from service.live import shapes
from service.puzzles import collection

from .analysing import ask, await_analysis
from .holding import announced
from .playing import opened, say
from .problems import told
from .puzzled import lost
from .serving import Player, Service, registered, serving

NEXT, DAILY, OWN = "/v1/puzzles/next", "/v1/puzzles/daily", "/v1/account/puzzles"
Puzzle = dict[str, Any]
Mined = tuple[Puzzle, list[Any]]
"""A game, and its puzzles."""


def rows(conninfo: str, sql: str, *values: Any) -> list[Any]:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return connection.execute(sql.encode(), values).fetchall()


def await_mined(service: Service, game: Puzzle) -> list[Any]:
    """The puzzles of this game, once the worker has looked through it."""
    while rows(service.conninfo, "SELECT mined FROM analyses WHERE game = %s", game["id"]) != [(True,)]:
        time.sleep(0.1)  # after a game it rests three times as long as that took
    return rows(service.conninfo, "SELECT puzzle, step, line FROM puzzles WHERE game = %s ORDER BY step", game["id"])


def mined(service: Service, player: Player, **more: Any) -> Mined:
    """A lost game of this player, and its puzzles."""
    game, _ = lost(player, **more)
    assert ask(player, game).status_code == 202
    await_analysis(player, game)
    return game, await_mined(service, game)


def solution(found: Any) -> list[Any]:
    return [commands[0] for commands in json.loads(found[2])]


def attempt(player: Player | httpx.Client, puzzle: object, *commands: Any) -> httpx.Response:
    http = player.http if isinstance(player, Player) else player
    return http.post(f"/v1/puzzles/{puzzle}/attempts", json={"commands": commands})


def wrong(player: Player, found: Any) -> Any:
    """A legal move that is not the right one."""
    puzzle = player.get(f"/v1/puzzles/{found[0]}").json()
    return next(one for one in puzzle["position"]["commands"] if one not in json.loads(found[2])[0])


@pytest.fixture(scope="module")
def mining(conninfo: str) -> Iterator[Service]:
    with serving(conninfo, puzzles=10) as service:
        rows(conninfo, "DELETE FROM puzzles RETURNING puzzle")  # those that come with the service
        yield service


@pytest.fixture(scope="module")
def ada(mining: Service) -> Player:
    return registered(mining, "Ada")


@pytest.fixture(scope="module")
def game(mining: Service, ada: Player) -> Mined:
    told(ada.get(NEXT), 404, "no_such_thing")
    return mined(mining, ada)


@pytest.fixture
def found(game: Mined) -> Any:
    """The earliest puzzle of the game."""
    assert game[1], "a planted mistake leads to a puzzle"
    return game[1][0]


@pytest.fixture
def eve(mining: Service) -> Player:
    return registered(mining, f"Eve {uuid4().hex[:8]}")


def test_only_an_attempt_reveals_a_puzzles_solution_and_game(mining: Service, eve: Player, game: Mined) -> None:
    for http in (eve.http, mining.http):
        for path in (NEXT, DAILY, *(f"/v1/puzzles/{one[0]}" for one in game[1])):
            answer = http.get(path)
            puzzle = answer.raise_for_status().json()
            assert (puzzle["solved"], puzzle["source"]) == (None, None)
            assert game[0]["id"] not in answer.text
            assert puzzle["position"]["game_type"] == "black_hole"
            assert len(puzzle["position"]["commands"]) > 1
            assert puzzle["position"]["view"]["zones"]


def test_who_solves_it_is_rated_once_and_told_its_source(eve: Player, found: Any, game: Mined) -> None:
    before = eve.get(f"/v1/puzzles/{found[0]}").json()
    first = attempt(eve, found[0], *solution(found)).json()
    assert (first["outcome"], first["counted"]) == ("solved", True)
    counts = {"attempts": 1, "solved": 1, "missed": 0, "streak": 1, "best_streak": 1}
    assert first["standing"] == {"rating": first["standing"]["rating"], **counts}
    assert (first["source"]["game_id"], first["source"]["step"]) == (game[0]["id"], found[1])
    assert [move["command"] for move in first["source"]["solution"]] == solution(found)
    after = eve.get(f"/v1/puzzles/{found[0]}").json()
    assert after["plays"] == before["plays"] + 1
    assert after["rating"]["mu"] < before["rating"]["mu"] < 25 + (first["standing"]["rating"]["mu"] - 25) * 2
    assert (after["solved"], after["source"]) == (True, first["source"])
    again = attempt(eve, found[0], wrong(eve, found)).json()
    assert (again["outcome"], again["counted"], again["standing"]) == ("wrong", False, first["standing"])
    assert eve.get(OWN).json() == first["standing"]
    assert eve.get(f"/v1/puzzles/{found[0]}").json()["plays"] == after["plays"]


def test_who_misses_it_loses_the_streak_and_gets_another_one(eve: Player, game: Mined) -> None:
    left = {str(one[0]): one for one in game[1]}
    assert not any(eve.get(f"/v1/puzzles/{one}").json()["themes"] for one in left), "they tell of the solution"
    tried = list(left)
    solved = left.pop(str(game[1][0][0]))
    attempt(eve, solved[0], *solution(solved))
    other = left.pop(eve.get(NEXT).json()["id"])
    missed = attempt(eve, other[0], wrong(eve, other)).json()
    assert (missed["outcome"], missed["counted"], missed["source"] is not None) == ("wrong", True, True)
    standing = missed["standing"]
    assert [standing[name] for name in ("attempts", "solved", "missed", "streak", "best_streak")] == [2, 1, 1, 0, 1]
    for last in left.values():
        assert eve.get(NEXT).json()["id"] == str(last[0])
        attempt(eve, last[0], *solution(last))
    told(eve.get(NEXT), 404, "no_such_thing")
    assert {bool(eve.get(f"/v1/puzzles/{one}").json()["themes"]) for one in tried} == {True, False}


def test_many_first_attempts_at_once_are_counted_once_each(mining: Service, eve: Player, game: Mined) -> None:
    one, other = game[1][:2]
    plays = [eve.get(f"/v1/puzzles/{found[0]}").json()["plays"] for found in (one, other)]
    players = [eve, *(registered(mining, f"Player {number}") for number in range(3))]
    tries = [(player, found) for player in players for found in (one, other, one)]
    with ThreadPoolExecutor(len(tries)) as threads:
        answers = list(threads.map(lambda each: attempt(each[0], each[1][0], *solution(each[1])).json(), tries))
    assert sum(answer["counted"] for answer in answers) == 2 * len(players)
    for player in players:
        standing = player.get(OWN).json()
        assert (standing["attempts"], standing["streak"]) == (2, 2)
    now = [eve.get(f"/v1/puzzles/{found[0]}").json()["plays"] for found in (one, other)]
    assert now == [before + len(players) for before in plays]


def test_neither_guests_nor_who_played_the_game_are_rated(mining: Service, ada: Player, found: Any) -> None:
    guest = attempt(mining.http, found[0], *solution(found)).json()
    assert (guest["outcome"], guest["counted"], guest["standing"]) == ("solved", False, None)
    own = attempt(ada, found[0], *solution(found)).json()
    assert (own["outcome"], own["counted"], own["standing"]["attempts"]) == ("solved", False, 0)
    told(ada.get(NEXT), 404, "no_such_thing")
    assert ada.get(DAILY).status_code == 200


def test_the_puzzle_of_the_day_is_one_and_filters_hold(mining: Service, eve: Player, found: Any) -> None:
    assert eve.get(DAILY).json()["id"] == mining.http.get(DAILY).json()["id"] == mining.http.get(NEXT).json()["id"]
    themes = "SELECT unnest(themes) AS theme, array_agg(puzzle) FROM puzzles GROUP BY 1"
    [(theme, fitting), *_] = rows(mining.conninfo, themes)
    for player in (eve.http, mining.http):
        assert UUID(player.get(NEXT, params={"theme": theme}).json()["id"]) in fitting
        assert player.get(NEXT, params={"game_type": "black_hole"}).json()["position"]["game_type"] == "black_hole"
        for none in ({"game_type": "golf"}, {"theme": "full_cells"}):
            told(player.get(NEXT, params=none), 404, "no_such_thing")
        for wrong in ({"theme": "luck"}, {"rating": "alike"}):
            assert player.get(NEXT, params=wrong).status_code == 400
    daily, day = mining.http.get(DAILY).json()["id"], shapes.today()
    newer = min((uuid4() for _ in range(4_000)), key=lambda one: md5(f"{one}{day}".encode()).digest())  # wins by lot
    columns = "game, step - 1, player, game_type, themes, line, mu, sigma, plays, mined_at + 1"
    copied = f"SELECT %s, {columns} FROM puzzles WHERE puzzle = %s RETURNING puzzle"
    rows(mining.conninfo, f"INSERT INTO puzzles {copied}", newer, found[0])
    now = mining.http.get(DAILY).json()["id"]
    rows(mining.conninfo, "DELETE FROM puzzles WHERE puzzle = %s RETURNING puzzle", newer)
    assert now == daily


def test_easier_and_harder_ones_are_a_point_apart(mining: Service, eve: Player, found: Any) -> None:
    kept = rows(mining.conninfo, "SELECT puzzle, mu FROM puzzles")
    try:
        for rating, mu, other in (("easier", 24_000_000, 24_000_001), ("harder", 26_000_000, 25_999_999)):
            rows(mining.conninfo, "UPDATE puzzles SET mu = %s RETURNING puzzle", other)
            rows(mining.conninfo, "UPDATE puzzles SET mu = %s WHERE puzzle = %s RETURNING puzzle", mu, found[0])
            for player in (eve.http, mining.http):
                assert player.get(NEXT, params={"rating": rating}).json()["id"] == str(found[0])
                against = "harder" if rating == "easier" else "easier"
                told(player.get(NEXT, params={"rating": against}), 404, "no_such_thing")
    finally:
        for puzzle, mu in kept:
            rows(mining.conninfo, "UPDATE puzzles SET mu = %s WHERE puzzle = %s RETURNING puzzle", mu, puzzle)


def test_what_is_no_attempt_is_refused_and_counts_nothing(eve: Player, found: Any) -> None:
    told(attempt(eve, found[0]), 400, "malformed")
    told(attempt(eve, found[0], {"type": "black_hole/leap"}), 400, "malformed")
    for other in ("golf/draw", "game/resign"):
        told(attempt(eve, found[0], {"type": other}), 409, "illegal", "other_game_type")
    told(attempt(eve, found[0], *solution(found), solution(found)[0]), 409, "illegal", "puzzle_over")
    legal = eve.get(f"/v1/puzzles/{found[0]}").json()["position"]["commands"]
    piles = [{"type": "black_hole/move", "source": f"tableau_{pile}", "target": "foundation"} for pile in range(17)]
    refused = attempt(eve, found[0], next(one for one in piles if one not in legal))
    assert told(refused, 409, "illegal", "adjacent_rank")["errors"][0]["pointer"] == "/commands/0"
    assert eve.get(OWN).json()["attempts"] == 0


def test_neither_private_games_nor_contest_deals_are_puzzles(mining: Service, eve: Player) -> None:
    assert mined(mining, eve, visibility="private")[1] == []
    announced(mining.conninfo, "golf")
    assert mined(mining, eve)[1] == []
    rows(mining.conninfo, "DELETE FROM contests_due RETURNING contest")


def test_a_puzzle_goes_where_not_everybody_may_see_its_game(mining: Service, eve: Player, found: Any) -> None:
    private, live = lost(eve, visibility="private")[0], opened(eve, "black_hole")
    for game in (private, live, {"id": str(uuid4())}):
        with psycopg.connect(mining.conninfo, autocommit=True) as connection:
            collection.put(connection, UUID(game["id"]), UUID(eve.id), "black_hole", 5, [], json.loads(found[2]))
        (one,) = rows(mining.conninfo, "SELECT puzzle FROM puzzles WHERE game = %s", game["id"])
        told(mining.http.get(f"/v1/puzzles/{one[0]}"), 404, "no_such_thing")
        assert rows(mining.conninfo, "SELECT puzzle FROM puzzles WHERE game = %s", game["id"]) == []


def test_an_analysis_that_goes_further_is_looked_through_anew(database: str) -> None:
    asked, conninfo = "SELECT mined, report IS NULL FROM analyses", database
    with serving(conninfo, puzzles=10) as service:
        ada = registered(service, "Ada")
        game = opened(ada, "golf", seed="hard to tell")
        say(ada, game, {"type": "game/resign"})
        assert ask(ada, game, bound=1_000).status_code == 202
        assert await_analysis(ada, game)["outcome"] == "open"
        assert await_mined(service, game) == []
    with serving(conninfo, run_worker=False) as service:
        assert ask(ada.on(service), game, bound=5_000).status_code == 202
        assert rows(conninfo, asked) == [(True, False)], "the report before stays"
    with serving(conninfo, puzzles=0) as service:
        await_analysis(ada.on(service), game)
        assert rows(conninfo, asked) == [(False, False)], "where no puzzles are kept none are looked for"
        working = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s"
        assert rows(conninfo, working, "kibitz puzzles") == []
        assert rows(conninfo, working, "kibitz analyses")


def test_who_is_erased_takes_attempts_and_puzzles_along(mining: Service, eve: Player, found: Any) -> None:
    _, own = mined(mining, eve)
    assert own
    attempt(eve, found[0], *solution(found))
    assert eve.http.delete("/v1/players/me").status_code == 204
    assert rows(mining.conninfo, "SELECT FROM puzzle_attempts WHERE player = %s", eve.id) == []
    told(mining.http.get(f"/v1/puzzles/{own[0][0]}"), 404, "no_such_thing")
    assert mining.http.get(f"/v1/puzzles/{found[0]}").status_code == 200
