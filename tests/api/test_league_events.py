"""What happens in a league: what everybody may see of it, in order, as a list and as one resumable stream."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from .boxes import League, at, begun, done, fixture, founded, running, until_it_counts, won
from .playing import of, say
from .problems import told
from .serving import Player, Service, moderating, registered
from .streaming import Told, ending, events_at

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


def sentences(events: list[Any]) -> list[str]:
    return [event["summary"] for event in events]


def test_a_season_is_told_from_the_first_member_to_the_last_table(service: Service, people: list[Player]) -> None:
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
    assert sentences(events)[:3] == ["Ann joined.", "Ben joined.", "Season 1 begins."]
    assert sentences(events)[3] in ("Ann against Ben: the table is open.", "Ben against Ann: the table is open.")
    assert sentences(events)[4].startswith("Ann won Spite & Malice against Ben in ")
    assert sentences(events)[5] == "A game counts for nothing: Nobody was there."
    assert [event["game_id"] for event in events[3:7]] == [game["id"]] * 4
    assert {event["fixture_id"] for event in events[3:5]} == {fixture(ann, league, ann, ben)}
    assert {one["name"] for one in events[4]["players"]} == {"Ann", "Ben"}


def test_the_list_has_pages_and_the_stream_begins_and_resumes_anywhere(people: list[Player]) -> None:
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


def test_a_stream_hears_at_once_and_ends_with_its_token(service: Service, people: list[Player]) -> None:
    olga, ann, _ = people
    league = founded(olga)
    reading = events_at(ann, at(league, "/events"))
    assert next(reading).name == "start"
    done(olga.post(at(league, "/join")))
    heard = next(one for one in reading if one.name != "heartbeat")
    assert (heard.name, heard.data["summary"]) == ("league_event", "Olga joined.")
    assert ann.http.delete(f"/v1/tokens/{ann.token_id}").status_code == 204
    assert ending([one for one in reading if one.name != "heartbeat"]) == "access"


def test_a_void_by_the_operator_is_told(service: Service, people: list[Player]) -> None:
    olga, ann, ben = people
    league = running(olga, ann, ben)
    game = begun(league, ann, ben)
    done(moderating(service).post(of(game, "/void"), {"reason": "A fault."}))
    assert listed(olga, league)[-1]["type"] == "game_voided"


def test_an_event_tells_no_more_than_the_league_shows_to_anybody(service: Service, people: list[Player]) -> None:
    olga, ann, ben = people
    league = founded(olga, membership="invite")
    done(olga.post(at(league, "/invitations"), {"player_id": ben.id}))
    for player in (olga, ann):
        assert [one["name"] for one in done(player.get(at(league)))["invited"]] == ["Ben"]
    open_to_all = done(service.http.get(at(league, "/events")))["events"]
    assert open_to_all == listed(olga, league) == listed(ann, league)
    assert sentences(open_to_all) == ["Ben is invited."]


def test_an_erased_player_is_named_no_more(people: list[Player]) -> None:
    olga, ann, _ = people
    league = founded(olga, ann)
    assert ann.http.delete("/v1/players/me").status_code == 204
    event = listed(olga, league)[0]
    assert event["summary"] == "An erased player joined."
    assert event["players"] == [{"id": ann.id, "name": None}]


def test_the_events_of_another_league_are_not_resumed_after(people: list[Player]) -> None:
    first, second = founded(people[0], people[1]), founded(people[0], people[1])
    (event,) = listed(people[0], first)
    for wanted in (event["id"], str(uuid4())):
        query, headers = {"after": wanted}, {"accept": "text/event-stream"}
        told(people[0].get(at(second, "/events"), params=query, headers=headers), 400, "malformed")
        told(people[0].get(at(second, "/events"), headers={**headers, "last-event-id": wanted}), 400, "malformed")
    told(people[0].get(f"/v1/leagues/{uuid4()}/events"), 404, "no_such_thing")


@pytest.mark.parametrize(
    ("query", "headers", "status"),
    [
        ({"cursor": "nonsense"}, {}, 400),
        ({"limit": "0"}, {}, 400),
        ({"after": "nonsense"}, {}, 400),
        ({"after": [START] * 2}, {}, 400),
        ({"max_seconds": "-1"}, {}, 400),
        ({"type": "renamed"}, {}, 400),
        ({}, {"accept": "text/event-stream", "last-event-id": "7"}, 400),
        ({}, {"accept": "image/png"}, 406),
    ],
)
def test_bad_requests_are_refused(people: list[Player], query: Any, headers: dict[str, str], status: int) -> None:
    answer = people[0].get(at(founded(people[0]), "/events"), params=query, headers=headers)
    told(answer, status, "malformed" if status == 400 else "not_acceptable")


def test_an_onlooker_reads_the_table_as_it_is_after_each_event(service: Service, people: list[Player]) -> None:
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
