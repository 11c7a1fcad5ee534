"""Box leagues over HTTP: founded, joined, played, closed, amended; races; and what a league tells of itself."""

import csv
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from .boxes import (
    SEASON,
    League,
    at,
    begun,
    done,
    fixture,
    fixtures,
    founded,
    points,
    running,
    tables,
    until_it_counts,
    won,
)
from .holding import settled, text_of
from .playing import look, of, say
from .problems import told
from .serving import Player, Service, moderating, registered
from .streaming import Told, ending, events_at

NEXT = {"starts": "2020-03-01T00:00:00Z", "ends": "2020-04-01T00:00:00Z"}


@pytest.fixture
def olga(service: Service) -> Player:
    """Who organises."""
    return registered(service, "Olga")


def at_once(*calls: Callable[[], httpx.Response]) -> list[httpx.Response]:
    """The answers of requests made at the same time."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def test_a_league_shows_its_rules_and_is_listed(service: Service, olga: Player, ada: Player) -> None:
    league = founded(olga, ada, name="Listed")
    assert league["rules"]["type"] == "box"
    assert (league["rules"]["id"], league["rules"]["least_games"]) == ("box-units-3", 1)
    assert league["options"], "settled options stand there in full"
    settled(service)
    for path in ("/v1/leagues", f"/v1/leagues?player_id={ada.id}", f"/v1/leagues?player_id={olga.id}"):
        listed = done(ada.get(path))["leagues"]
        assert (listed[0]["id"], listed[0]["members"]) == (league["id"], 1)


def test_only_organisers_organise_and_another_may_be_named(olga: Player, ada: Player, bob: Player) -> None:
    league = founded(olga, ada)
    told(ada.post(at(league, "/seasons"), SEASON), 403, "forbidden", "organisers_only")
    done(olga.post(at(league, "/organisers"), {"player_id": ada.id}))
    told(olga.post(at(league, "/organisers"), {"player_id": str(uuid4())}), 409, "illegal", "unknown_player")
    done(ada.http.patch(at(league), json={"name": "Fridays"}))
    assert done(bob.get(at(league)))["name"] == "Fridays"
    done(olga.http.delete(at(league, f"/organisers/{olga.id}")))
    told(ada.http.delete(at(league, f"/organisers/{ada.id}")), 409, "illegal", "last_organiser")


def test_a_league_by_invitation(service: Service, olga: Player, ada: Player, bob: Player) -> None:
    league = founded(olga, membership="invite")
    told(ada.post(at(league, "/join")), 403, "forbidden", "not_invited")
    done(olga.post(at(league, "/invitations"), {"player_id": ada.id}))
    done(olga.post(at(league, "/invitations"), {"player_id": bob.id}))
    settled(service)
    assert done(ada.get(f"/v1/leagues?player_id={ada.id}"))["leagues"][0]["id"] == league["id"]
    done(bob.http.delete(at(league, f"/invitations/{bob.id}")))
    assert [one["id"] for one in done(ada.post(at(league, "/join")))["members"]] == [ada.id]
    told(bob.post(at(league, "/join")), 403, "forbidden", "not_invited")
    done(olga.post(at(league, f"/members/{ada.id}/remove"), {"reason": "Never came."}))
    told(ada.post(at(league, "/leave")), 403, "forbidden", "not_a_member")
    done(olga.post(at(league, "/dissolve"), {"reason": "We move on."}))
    told(olga.post(at(league, "/invitations"), {"player_id": bob.id}), 409, "illegal", "dissolved")


def test_of_two_organisers_at_once_one_opens_the_season(olga: Player, ada: Player, bob: Player) -> None:
    league = founded(olga, ada, bob)
    done(olga.post(at(league, "/organisers"), {"player_id": ada.id}))
    answers = at_once(*[lambda who=who: who.post(at(league, "/seasons"), SEASON) for who in (olga, ada, olga, ada)])
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert {answer.json()["rule"] for answer in answers if answer.status_code == 409} == {"season_open"}
    assert len(done(ada.get(at(league)))["seasons"]) == 1


def test_a_fixture_asked_for_at_once_has_one_game(olga: Player, ada: Player, bob: Player) -> None:
    league = running(olga, ada, bob)
    path = at(league, f"/fixtures/{fixture(ada, league, ada, bob)}/open")
    answers = at_once(*[lambda who=who: who.post(path) for who in (ada, bob, ada, bob)])
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1


def test_a_fixtures_game_is_for_its_players_alone(olga: Player, ada: Player, bob: Player, eve: Player) -> None:
    league = running(olga, ada, bob, options={"preset": "snm_pz"}, move_seconds=86_400)
    path = at(league, f"/fixtures/{fixture(ada, league, ada, bob)}/open")
    told(eve.post(path), 403, "forbidden", "not_in_fixture")
    game = done(ada.post(path), 201)
    assert (game["rated"], game["visibility"], game["move_seconds"]) == (True, "public", 86_400)
    assert game["options"] == league["options"]
    told(eve.post(of(game, "/join"), {}), 403, "forbidden", "not_in_fixture")
    assert bob.http.delete(of(game, f"/invitations/{bob.id}")).status_code == 204
    told(eve.post(of(game, "/join"), {}), 403, "forbidden", "not_in_fixture")
    other = done(bob.post(path), 201)
    assert other["id"] != game["id"], "nobody can sit down at the first any more"
    done(ada.post(of(other, "/join"), {}))
    assert {holder["player"]["id"] for holder in look(ada, other)["seats"]} == {ada.id, bob.id}


def test_a_season_is_played_decided_followed_and_amended(service: Service, olga: Player) -> None:
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
    before = tables(olga, league)["divisions"][0]["published"]
    void = {"type": "void_games", "game_ids": [games[0]["id"]], "reason": "Abuse."}
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
        [row["player"]["id"], row["place"], *(int(row[name] * (1 + (name == "sonneborn_berger"))) for name in fields),
         [[part[name] for name in parts] for part in row["contributions"]]]
        for row in rows
    ]  # fmt: skip
    return sha256(json.dumps(canonical, separators=(",", ":")).encode()).hexdigest()


def test_tables_are_the_same_everywhere(service: Service, olga: Player, ada: Player, bob: Player) -> None:
    sly = registered(service, '=1+1,"x"')
    league, path = running(olga, ada, bob, sly), "/seasons/1/tables"
    for winner, loser in ((ada, bob), (bob, sly), (sly, ada)):
        won(service, league, winner, loser)
    rows = tables(olga, league)["divisions"][0]["rows"]
    assert [(row["points"], row["sonneborn_berger"]) for row in rows] == [(24, 24)] * 3
    lines = list(csv.DictReader(StringIO(text_of(olga.http, at(league, path), "text/csv"))))
    assert [(line["sonneborn_berger"], line["points"], line["rules"]) for line in lines] == [
        ("24", "24", "box-units-3")
    ] * 3
    assert {line["name"] for line in lines} == {"Ada", "Bob", '\'=1+1,"x"'}
    text = text_of(olga.http, at(league, path), "text/plain")
    assert ("Division 1" in text, text.count(" 24.0 ")) == (True, 3)
    page = text_of(olga.http, f"/leagues/{league['id']}/seasons/1", "text/html")
    assert page.count("<td>2</td><td>24</td><td>") == 3
    told(olga.get(at(league, path), headers={"accept": "image/png"}), 406, "not_acceptable")
    shape = done(olga.get("/v1/openapi.json"))["components"]["schemas"]["TableRow"]["properties"]["sonneborn_berger"]
    assert shape["type"] == "number"
    assert "half" in shape["description"]


def test_a_walkover_counts_until_it_is_taken_back(service: Service, olga: Player, ada: Player, bob: Player) -> None:
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


def test_a_void_fixture_is_played_again(service: Service, olga: Player, ada: Player, bob: Player) -> None:
    league = running(olga, ada, bob)
    first = begun(league, ada, bob)
    assert fixtures(ada, league)[0]["state"] == "to_play"
    done(say(bob, first, {"type": "game/resign"}))
    settled(service)
    assert points(olga, league) == {ada.id: 0, bob.id: 0}, "nobody had had a turn"
    second = won(service, league, ada, bob)
    assert second["id"] != first["id"]
    void = {"type": "void_games", "game_ids": [second["id"]], "reason": "A fault."}
    done(olga.post(at(league, "/rulings"), void), 201)
    settled(service)
    third = begun(league, bob, ada)
    assert fixtures(ada, league)[0]["state"] == "void"
    assert third["id"] not in (first["id"], second["id"])


def test_a_substitute_sits_down(service: Service, olga: Player, ada: Player, bob: Player, cyd: Player) -> None:
    league = running(olga, ada, bob)
    waiting = done(ada.post(at(league, f"/fixtures/{fixture(ada, league, ada, bob)}/open")), 201)
    done(cyd.post(at(league, "/join")))
    done(olga.post(at(league, "/seasons/1/replace"), {"player_id": bob.id, "by_player_id": cyd.id}))
    game = won(service, league, ada, cyd)
    assert game["id"] != waiting["id"]
    assert points(olga, league) == {ada.id: 24, bob.id: 0, cyd.id: 0}


def test_a_season_begins_at_a_sensible_moment(olga: Player, ada: Player, bob: Player) -> None:
    league = founded(olga, ada, bob)
    for wrong in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"):
        told(olga.post(at(league, "/seasons"), {"starts": wrong, "ends": wrong}), 400, "malformed")
    for path in ("/seasons/1/tables", "/seasons/0/fixtures", "/seasons/99999999999/promotions"):
        told(olga.get(at(league, path)), 404, "no_such_thing")
    done(olga.post(at(league, "/seasons"), {"starts": "2900-01-01T00:00:00Z", "ends": "2900-02-01T00:00:00Z"}))
    path = at(league, f"/fixtures/{fixture(ada, league, ada, bob)}/open")
    told(ada.post(path), 409, "illegal", "season_not_begun")


def test_who_leaves_is_out_of_the_season(service: Service, olga: Player, ada: Player, bob: Player, cyd: Player) -> None:
    league = running(olga, ada, bob, cyd)
    assert won(service, league, ada, bob)["rated"]
    done(bob.post(at(league, "/leave")))
    assert points(olga, league) == {ada.id: 24, bob.id: 0, cyd.id: 24}
    path = at(league, f"/fixtures/{fixture(cyd, league, bob, cyd)}/open")
    told(cyd.post(path), 409, "illegal", "player_left")


RESIGN = {"type": "game/resign"}
START = str(UUID(int=0))


@pytest.fixture
def people(service: Service) -> list[Player]:
    return [registered(service, name) for name in ("Olga", "Ann", "Ben")]


def listed(player: Player, league: League, **query: Any) -> list[Any]:
    """The league's events, oldest first, over all pages."""
    found: list[Any] = []
    while query.get("cursor", "") is not None:
        page = done(player.get(at(league, "/events"), params=query))
        found += page["events"]
        query["cursor"] = page["next"]
    return found[::-1]


def streamed(player: Player, league: League, headers: dict[str, str] | None = None, **query: Any) -> list[Told]:
    """A stream that ends at once, without heartbeats."""
    found = list(events_at(player, at(league, "/events"), headers, max_seconds=0, **query))
    assert ending(found) == "limit"
    return [one for one in found[:-1] if one.name != "heartbeat"]


def test_a_season_is_told_from_first_to_last(service: Service, people: list[Player]) -> None:
    olga, ann, ben = people
    league = running(olga, ann, ben)
    game = won(service, league, ann, ben)
    void = {"type": "void_games", "game_ids": [game["id"]], "reason": "Nobody was there."}
    done(moderating(service).post("/v1/rulings", void), 201)
    restored = {"type": "withdraw_voids", "game_ids": [game["id"]], "reason": "They were."}
    done(olga.post(at(league, "/rulings"), restored), 201)
    done(olga.post(at(league, "/seasons/1/close")))
    done(ben.post(at(league, "/leave")))
    done(olga.http.patch(at(league), json={"name": "Fridays"}))
    events = listed(olga, league)
    assert [event["type"] for event in events] == [
        "member_joined", "member_joined", "season_opened", "game_opened", "game_finished", "game_voided",
        "game_restored", "season_closed", "member_left", "renamed",
    ]  # fmt: skip
    sentences = [event["summary"] for event in events]
    assert sentences[:3] == ["Ann joined.", "Ben joined.", "Season 1 begins."]
    assert sentences[3] in ("Ann against Ben: the table is open.", "Ben against Ann: the table is open.")
    assert sentences[4].startswith("Ann won Spite & Malice against Ben in ")
    assert sentences[5] == "A game counts for nothing: Nobody was there."
    assert [event["game_id"] for event in events[3:7]] == [game["id"]] * 4
    assert {event["fixture_id"] for event in events[3:5]} == {fixture(ann, league, ann, ben)}
    assert {one["name"] for one in events[4]["players"]} == {"Ann", "Ben"}


def test_events_have_pages_and_a_stream_that_resumes_anywhere(people: list[Player]) -> None:
    league = founded(people[0])
    (start,) = streamed(people[1], league)
    assert start.data == {"after": START}
    for player in people:
        done(player.post(at(league, "/join")))
    events = listed(people[0], league, limit=2)
    assert listed(people[0], league) == events
    assert [one.data for one in streamed(people[1], league, after=START)] == events
    resumed = streamed(people[1], league, {"last-event-id": events[0]["id"]})
    assert [one.id for one in resumed] == [event["id"] for event in events[1:]]
    page = people[0].get(at(league, "/events"), params={"limit": 2})
    assert page.headers["link"].endswith('; rel="next"')
    reading = events_at(people[1], at(league, "/events"))
    assert next(reading).name == "start"
    done(people[2].post(at(league, "/leave")))
    heard = next(one for one in reading if one.name != "heartbeat")
    assert (heard.name, heard.data["summary"]) == ("league_event", "Ben left.")
    assert people[1].http.delete(f"/v1/tokens/{people[1].token_id}").status_code == 204
    assert ending([one for one in reading if one.name != "heartbeat"]) == "access"


def test_events_tell_no_more_than_the_league_shows(service: Service, people: list[Player]) -> None:
    olga, ann, ben = people
    league = founded(olga, membership="invite")
    done(olga.post(at(league, "/invitations"), {"player_id": ben.id}))
    for player in (olga, ann):
        assert [one["name"] for one in done(player.get(at(league)))["invited"]] == ["Ben"]
    open_to_all = done(service.http.get(at(league, "/events")))["events"]
    assert open_to_all == listed(olga, league) == listed(ann, league)
    assert [event["summary"] for event in open_to_all] == ["Ben is invited."]


def test_voids_are_told_and_erased_players_unnamed(service: Service, people: list[Player]) -> None:
    olga, ann, ben = people
    league = running(olga, ann, ben)
    game = begun(league, ann, ben)
    done(moderating(service).post(of(game, "/void"), {"reason": "A fault."}))
    assert listed(olga, league)[-1]["type"] == "game_voided"
    assert ann.http.delete("/v1/players/me").status_code == 204
    event = listed(olga, league)[0]
    assert (event["summary"], event["players"]) == ("An erased player joined.", [{"id": ann.id, "name": None}])


def test_events_of_another_league_and_bad_requests_are_refused(people: list[Player]) -> None:
    first, second = founded(people[0], people[1]), founded(people[0], people[1])
    (event,) = listed(people[0], first)
    for wanted in (event["id"], str(uuid4())):
        query, headers = {"after": wanted}, {"accept": "text/event-stream"}
        told(people[0].get(at(second, "/events"), params=query, headers=headers), 400, "malformed")
        told(people[0].get(at(second, "/events"), headers={**headers, "last-event-id": wanted}), 400, "malformed")
    queries: tuple[Any, ...] = (
        {"cursor": "nonsense"}, {"limit": "0"}, {"after": "nonsense"}, {"after": [START] * 2}, {"max_seconds": "-1"},
        {"type": "renamed"},
    )  # fmt: skip
    for query in queries:
        told(people[0].get(at(first, "/events"), params=query), 400, "malformed")
    by_header = {"accept": "text/event-stream", "last-event-id": "7"}
    told(people[0].get(at(first, "/events"), headers=by_header), 400, "malformed")
    told(people[0].get(at(first, "/events"), headers={"accept": "image/png"}), 406, "not_acceptable")


def test_an_onlooker_reads_the_table_after_each_event(service: Service, people: list[Player]) -> None:
    olga, ann, ben = people
    league, eve = running(olga, ann, ben), registered(service, "Eve")
    game = begun(league, ann, ben)
    until_it_counts(game, ann, ben)
    live = events_at(eve.on(service), at(league, "/events"), after=START)
    ended = say(ben, game, RESIGN)
    heard = next(one.data for one in live if one.name == "league_event" and one.data["type"] == "game_finished")
    assert heard["log_position"] == int(ended.headers["log-position"])
    behind = {"min-log-position": str(heard["log_position"])}
    tables = done(eve.http.get(at(league, "/seasons/1/tables"), headers=behind))
    (row, _) = tables["divisions"][0]["rows"]
    assert (row["player"]["name"], row["wins"]) == ("Ann", 1)
