"""Seasons of box leagues over HTTP: played, walked over, closed, amended."""

import csv
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from io import StringIO
from typing import Any

import httpx
import pytest

from .boxes import at, begun, done, fixture, fixtures, founded, points, running, tables, won
from .holding import settled, text_of
from .playing import Game, say
from .problems import told
from .serving import Player, Service, registered

NEXT = {"starts": "2020-03-01T00:00:00Z", "ends": "2020-04-01T00:00:00Z"}


@pytest.fixture
def olga(service: Service) -> Player:
    """Who organises."""
    return registered(service, "Olga")


def at_once(*calls: Callable[[], httpx.Response]) -> list[httpx.Response]:
    """The answers of requests made at the same time."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def test_a_season_from_its_opening_to_the_next_one(service: Service, olga: Player) -> None:
    people = [registered(service, f"P{number}") for number in range(4)]
    league = running(olga, *people, division_size=2)
    assert [len(division["players"]) for division in league["seasons"][0]["divisions"]] == [2, 2]
    games = [won(service, league, people[0], people[1]), won(service, league, people[2], people[3])]
    assert points(olga, league) == {people[0].id: 24, people[1].id: 0}
    lower = done(olga.get(at(league, "/seasons/1/tables"), params={"division": 1}))["divisions"]
    assert lower == [tables(olga, league)["divisions"][1]]
    of_it = done(olga.get(at(league, "/seasons/1/fixtures"), params={"division": 1}))["fixtures"]
    assert of_it == [one for one in fixtures(olga, league) if one["division"] == 1]
    told(olga.get(at(league, "/seasons/1/tables"), params={"division": 2}), 404, "no_such_thing")
    first = tables(olga, league)["divisions"][0]["rows"][0]
    assert (first["place"], first["contributions"][0]["game_id"]) == (1, games[0]["id"])
    assert first["contributions"][0]["opponents"] == [{"id": people[1].id, "name": "P1"}]
    done(olga.post(at(league, "/seasons/1/close")))
    told(olga.post(at(league, "/seasons/1/close")), 409, "illegal", "season_closed")
    told(olga.post(at(league, "/seasons"), NEXT), 409, "illegal", "not_decided")
    proposal = done(olga.get(at(league, "/seasons/1/promotions")))
    decided = done(olga.post(at(league, "/seasons/1/promotions"), {}))
    assert {**decided, "decided": False, "log_position": ""} == {**proposal, "log_position": ""}
    told(olga.post(at(league, "/seasons/1/promotions"), {}), 409, "illegal", "not_to_decide")
    league = done(olga.post(at(league, "/seasons"), NEXT))
    upper = {one["id"] for one in league["seasons"][1]["divisions"][0]["players"]}
    risen = {move["player"]["id"] for move in decided["moves"] if move["after"] == 0}
    assert risen == {people[2].id}
    assert risen <= upper


def test_what_changes_after_the_closing_is_an_amendment_with_its_hash(
    service: Service, olga: Player, ada: Player, bob: Player
) -> None:
    league = running(olga, ada, bob)
    game = won(service, league, ada, bob)
    done(olga.post(at(league, "/seasons/1/close")))
    before = tables(olga, league)["divisions"][0]["published"]
    void = {"type": "void_games", "game_ids": [game["id"]], "reason": "Abuse."}
    done(olga.post(at(league, "/rulings"), void), 201)
    settled(service)
    after = tables(olga, league)["divisions"][0]["published"]
    assert [one["number"] for one in after] == [0, 1]
    assert (after[0], after[1]["because"]) == (before[0], "games voided: Abuse.")
    assert [one["hash"] for one in after] == [_hash(one["rows"]) for one in after]


def _hash(rows: list[Any]) -> str:
    """The hash as its description says."""
    fields = ("points", "games", "wins", "ties", "losses", "head_to_head", "sonneborn_berger", "score_difference")
    parts = ("fixture_id", "kind", "points", "place", "game_id")
    canonical = [
        [row["player"]["id"], row["place"], *(_hashed(row, field) for field in fields),
         [[part[name] for name in parts] for part in row["contributions"]]]
        for row in rows
    ]  # fmt: skip
    return sha256(json.dumps(canonical, separators=(",", ":")).encode()).hexdigest()


def _hashed(row: Any, field: str) -> Any:
    return int(2 * row[field]) if field == "sonneborn_berger" else row[field]


def test_sonneborn_berger_is_the_same_number_everywhere(
    service: Service, olga: Player, ada: Player, bob: Player, cyd: Player
) -> None:
    league, path = running(olga, ada, bob, cyd), "/seasons/1/tables"
    for winner, loser in ((ada, bob), (bob, cyd), (cyd, ada)):
        won(service, league, winner, loser)
    rows = tables(olga, league)["divisions"][0]["rows"]
    assert [(row["points"], row["sonneborn_berger"]) for row in rows] == [(24, 24)] * 3
    lines = csv.DictReader(StringIO(text_of(olga.http, at(league, path), "text/csv")))
    assert [line["sonneborn_berger"] for line in lines] == ["24"] * 3
    assert text_of(olga.http, at(league, path), "text/plain").count(" 24.0 ") == 3
    page = text_of(olga.http, f"/leagues/{league['id']}/seasons/1", "text/html")
    assert page.count("<td>2</td><td>24</td><td>") == 3
    shape = done(olga.get("/v1/openapi.json"))["components"]["schemas"]["TableRow"]["properties"]["sonneborn_berger"]
    assert shape["type"] == "number"
    assert "half" in shape["description"]


def test_walkovers_and_fixtures_not_played_and_taking_that_back(
    service: Service, olga: Player, ada: Player, bob: Player
) -> None:
    league = running(olga, ada, bob)
    one = fixture(ada, league, ada, bob)
    path = at(league, f"/fixtures/{one}")
    done(olga.post(f"{path}/award", {"to_player_id": ada.id, "reason": "Bob offered no date."}))
    assert points(olga, league) == {ada.id: 24, bob.id: 0}
    told(ada.post(f"{path}/open"), 409, "illegal", "fixture_over")
    told(olga.post(f"{path}/cancel", {"reason": "No date."}), 409, "illegal", "fixture_over")
    settled(service)
    assert done(bob.get(f"/v1/players/{bob.id}/reliability"))["failures"][0]["kind"] == "no_show"
    done(olga.post(f"{path}/reopen", {"reason": "A mistake."}))
    assert points(olga, league) == {ada.id: 0, bob.id: 0}
    won(service, league, ada, bob)
    told(olga.post(f"{path}/award", {"to_player_id": bob.id, "reason": "No."}), 409, "illegal", "fixture_played")
    shown = fixtures(ada, league)[0]
    assert (shown["state"], shown["reason"]) == ("played", None)


def test_a_fixture_that_came_to_nothing_is_played_again(
    service: Service, olga: Player, ada: Player, bob: Player
) -> None:
    league = running(olga, ada, bob)
    first = begun(league, ada, bob)
    assert fixtures(ada, league)[0]["state"] == "to_play"
    done(say(bob, first, {"type": "game/resign"}))
    settled(service)
    assert points(olga, league) == {ada.id: 0, bob.id: 0}, "nobody had had a turn"
    second = won(service, league, ada, bob)
    assert second["id"] != first["id"]
    done(
        olga.post(at(league, "/rulings"), {"type": "void_games", "game_ids": [second["id"]], "reason": "A fault."}), 201
    )
    settled(service)
    third = begun(league, bob, ada)
    assert fixtures(ada, league)[0]["state"] == "void"
    assert third["id"] not in (first["id"], second["id"])


def test_a_substitute_sits_down_for_whom_they_replace(
    service: Service, olga: Player, ada: Player, bob: Player, cyd: Player
) -> None:
    league = running(olga, ada, bob)
    waiting = done(ada.post(at(league, f"/fixtures/{fixture(ada, league, ada, bob)}/open")), 201)
    done(cyd.post(at(league, "/join")))
    done(olga.post(at(league, "/seasons/1/replace"), {"player_id": bob.id, "by_player_id": cyd.id}))
    game = won(service, league, ada, cyd)
    assert game["id"] != waiting["id"]
    assert points(olga, league) == {ada.id: 24, bob.id: 0, cyd.id: 0}


def test_tables_as_csv_and_text_keep_names_from_being_formulas(service: Service, olga: Player, ada: Player) -> None:
    sly = registered(service, '=1+1,"x"')
    league = running(olga, ada, sly)
    won(service, league, ada, sly)
    path = at(league, "/seasons/1/tables")
    lines = list(csv.DictReader(StringIO(text_of(olga.http, path, "text/csv"))))
    assert [line["name"] for line in lines] == ["Ada", '\'=1+1,"x"']
    assert (lines[0]["points"], lines[0]["rules"]) == ("24", "box-units-3")
    assert "Division 1" in text_of(olga.http, path, "text/plain")
    told(olga.get(path, headers={"accept": "image/png"}), 406, "not_acceptable")


def test_a_game_waits_for_the_season_to_begin(olga: Player, ada: Player, bob: Player) -> None:
    league = founded(olga, ada, bob)
    done(olga.post(at(league, "/seasons"), {"starts": "2900-01-01T00:00:00Z", "ends": "2900-02-01T00:00:00Z"}))
    path = at(league, f"/fixtures/{fixture(ada, league, ada, bob)}/open")
    told(ada.post(path), 409, "illegal", "season_not_begun")


def test_who_leaves_is_out_of_the_season(service: Service, olga: Player, ada: Player, bob: Player, cyd: Player) -> None:
    league = running(olga, ada, bob, cyd)
    game: Game = won(service, league, ada, bob)
    assert game["rated"]
    done(bob.post(at(league, "/leave")))
    assert points(olga, league) == {ada.id: 24, bob.id: 24 * 0, cyd.id: 24}
    told(
        cyd.post(at(league, f"/fixtures/{fixture(cyd, league, bob, cyd)}/open")), 409, "illegal", "player_left"
    )  # fmt: skip
