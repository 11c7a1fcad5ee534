"""Rush and streak: each puzzle at least as hard as the one before, counted once, timed by the server."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from .problems import told
from .puzzled import RIGHT, line_of, lost_with_puzzle, ship
from .serving import Player, Service, done, registered

RUNS = "/v1/puzzle-runs"
Run = dict[str, Any]


@pytest.fixture(scope="module", autouse=True)
def shipped(service: Service) -> Iterator[None]:
    ship(service.conninfo)
    yield
    change(service, "DELETE FROM puzzles")


@pytest.fixture
def ada(service: Service) -> Player:
    return registered(service, f"Ada {uuid4().hex[:8]}")


def change(service: Service, sql: str, *values: Any) -> None:
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        connection.execute(sql.encode(), values)


def begun(http: httpx.Client, mode: str) -> Run:
    run: Run = done(http.post(RUNS, json={"mode": mode}), 201)
    return run


def attempt(service: Service, http: httpx.Client, run: Run, *, right: bool = True) -> Run:
    """The answer to an attempt at the run's puzzle."""
    puzzle = run["puzzle_id"]
    line = line_of(service.conninfo, puzzle)
    legal = http.get(f"/v1/puzzles/{puzzle}").json()["position"]["commands"]
    wrong = [command for command in legal if command not in line[0]]
    commands = [commands[0] for commands in line] if right else wrong[:1]
    answer: Run = done(http.post(f"/v1/puzzles/{puzzle}/attempts", json={"commands": commands, "run_id": run["id"]}))
    assert answer["outcome"] == ("solved" if right else "wrong")
    return answer


def test_a_streak_grows_harder_until_the_first_miss_which_shows_why(service: Service, ada: Player) -> None:
    run, ratings, puzzles = begun(ada.http, "streak"), list[float](), set[str]()
    assert (run["solved"], run["misses"], run["ends_at"]) == (0, 1, None)
    for solved in range(1, 7):
        ratings.append(ada.get(f"/v1/puzzles/{run['puzzle_id']}").json()["rating"]["mu"])
        puzzles.add(run["puzzle_id"])
        run = attempt(service, ada.http, run)["run"]
        assert (run["solved"], run["missed"]) == (solved, 0)
    assert ratings == sorted(ratings)
    assert ratings[0] < ratings[-1]
    assert len(puzzles) == 6
    missed = attempt(service, ada.http, run, right=False)
    assert (missed["run"]["solved"], missed["run"]["missed"], missed["run"]["puzzle_id"]) == (6, 1, None)
    assert missed["counted"]
    assert missed["source"] is None, "its game is not stored here"
    lost = missed["lost"]
    assert lost["sentence"]
    assert lost["moves_left"] >= 0
    assert len(lost["line"]) == len(lost["positions"]) >= len(missed["solution"])
    assert [move["sentence"] for move in missed["solution"]] == [
        move["sentence"] for move in lost["line"][: len(missed["solution"])]
    ]
    over = done(ada.get(f"{RUNS}/{run['id']}"))
    assert over["puzzle_id"] is None
    assert [place["solved"] for place in over["best_of_day"] if place["player"]["id"] == ada.id] == [6]


def test_a_rush_goes_on_until_the_third_miss(service: Service, ada: Player) -> None:
    run = begun(ada.http, "rush")
    for missed in (1, 2, 3):
        run = attempt(service, ada.http, run, right=False)["run"]
        assert run["missed"] == missed
        if missed < 3:
            run = attempt(service, ada.http, run)["run"]
    assert (run["solved"], run["puzzle_id"]) == (2, None)


def test_a_rush_is_over_after_three_minutes(service: Service, ada: Player) -> None:
    run = attempt(service, ada.http, begun(ada.http, "rush"))["run"]
    change(service, "UPDATE puzzle_runs SET began_at = began_at - 170000000 WHERE run = %s", run["id"])
    assert done(ada.get(f"{RUNS}/{run['id']}"))["puzzle_id"] == run["puzzle_id"]
    change(service, "UPDATE puzzle_runs SET began_at = began_at - 10000000 WHERE run = %s", run["id"])
    late = attempt(service, ada.http, run)["run"]
    assert (late["solved"], late["missed"], late["puzzle_id"]) == (1, 0, None)


def test_an_attempt_counts_once_in_its_own_run_only(service: Service, ada: Player) -> None:
    run, other = begun(ada.http, "rush"), begun(ada.http, "rush")
    after = attempt(service, ada.http, run)["run"]
    assert attempt(service, ada.http, run)["run"] == after, "the puzzle is not the one under way"
    assert done(ada.get(f"{RUNS}/{other['id']}"))["solved"] == 0
    eve = registered(service, "Eve")
    told(eve.get(f"{RUNS}/{run['id']}"), 404, "no_such_thing")
    told(service.http.get(f"{RUNS}/{run['id']}"), 404, "no_such_thing")
    line = line_of(service.conninfo, after["puzzle_id"])
    body = {"commands": [commands[0] for commands in line], "run_id": run["id"]}
    told(eve.http.post(f"/v1/puzzles/{after['puzzle_id']}/attempts", json=body), 404, "no_such_thing")


def test_what_a_player_has_tried_comes_again_only_where_nothing_else_is_near(service: Service, ada: Player) -> None:
    run, tried = begun(ada.http, "rush"), set[str]()
    for _ in range(4):
        tried.add(run["puzzle_id"])
        run = attempt(service, ada.http, run)["run"]
    assert tried.isdisjoint(begun(ada.http, "rush")["puzzle_id"] for _ in range(12))
    change(service, "DELETE FROM puzzles WHERE NOT puzzle = ANY(%s::uuid[])", list(tried))
    assert begun(ada.http, "rush")["puzzle_id"] in tried


def test_guests_run_and_are_among_nobodys_best(service: Service) -> None:
    run = attempt(service, service.http, begun(service.http, "streak"))["run"]
    assert run["solved"] == 1
    assert all(place["player"]["id"] for place in run["best_of_day"])


def test_a_withdrawn_puzzle_gives_way_and_an_erased_players_runs_go(service: Service, ada: Player) -> None:
    run = begun(ada.http, "streak")
    change(service, "UPDATE puzzles SET game = gen_random_uuid() WHERE puzzle = %s", run["puzzle_id"])
    after = done(ada.get(f"{RUNS}/{run['id']}"))
    assert after["puzzle_id"] not in (None, run["puzzle_id"])
    assert ada.http.delete("/v1/players/me").status_code == 204
    with psycopg.connect(service.conninfo) as connection:
        assert connection.execute("SELECT FROM puzzle_runs WHERE player = %s", (ada.id,)).fetchall() == []


def test_a_run_ends_when_there_is_no_other_puzzle(service: Service, ada: Player) -> None:
    change(service, "DELETE FROM puzzles")
    assert begun(ada.http, "streak")["puzzle_id"] is None
    lost_with_puzzle(registered(service, "Bob"), service.conninfo)
    answer = attempt(service, ada.http, begun(ada.http, "streak"))
    assert (answer["run"]["solved"], answer["run"]["puzzle_id"]) == (1, None)
    assert answer["solution"][0]["command"] == RIGHT
    assert answer["source"]["solution"] == answer["solution"]
    ship(service.conninfo)
