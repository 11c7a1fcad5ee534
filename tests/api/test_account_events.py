"""What happens to an account: exactly what happened, in the transaction of the step, as a list and as one stream."""

from typing import Any
from uuid import UUID, uuid4

from . import truth
from .boxes import at, running, won
from .playing import RESIGN, in_turn, look, moves, opened, say, seated
from .problems import told
from .serving import Player, Service, done, pages, registered
from .streaming import Told, calm_events_at, ending

SPITE = "spite_and_malice"
PATH = "/v1/account/events"


def listed(player: Player, **query: Any) -> list[Any]:
    """The player's events, newest first, over all pages."""
    return [event for page in pages(player, PATH, **query) for event in page["events"]]


def streamed(player: Player, headers: dict[str, str] | None = None, **query: Any) -> list[Told]:
    """A stream that ends at once, without heartbeats."""
    events = list(calm_events_at(player, PATH, headers, max_seconds=0, **query))
    assert ending(events) == "limit"
    return events[:-1]


def types(events: list[Any]) -> list[str]:
    return [event["type"] for event in events]


def test_a_game_tells_its_players_of_invitation_turns_and_ending(pair: tuple[Player, Player]) -> None:
    ann, ben = pair
    game = opened(ann, SPITE, visibility="private", player_ids=[ben.id])
    assert [(event["type"], event["game_id"]) for event in listed(ben)] == [("invitation", game["id"])]
    assert listed(ann) == []
    game = seated(game, ben)
    first, second = in_turn(pair, game)
    assert types(listed(first))[0] == "turn"
    assert "turn" not in types(listed(second))
    say(second, game, RESIGN)
    for player in pair:
        newest = listed(player)[0]
        assert (newest["type"], newest["game_id"]) == ("finished", game["id"])
        assert newest["summary"].startswith("You won") == (player is first)


def test_a_turn_is_told_once_when_it_begins(pair: tuple[Player, Player]) -> None:
    game = seated(opened(pair[0], SPITE), pair[1])
    expected = [0, 0]
    expected[acting := look(pair[0], game)["view"]["to_act"][0]] += 1
    for _ in range(25):
        say(pair[acting], game, moves(pair[acting], game)[-1])
        now = look(pair[0], game)["view"]["to_act"][0]
        expected[now] += now != acting
        acting = now
        assert [types(listed(player)).count("turn") for player in pair] == expected


def test_the_list_has_pages_and_the_stream_resumes_anywhere(pair: tuple[Player, Player]) -> None:
    ann, _ = pair
    (start,) = streamed(ann)
    assert start.data == {"after": str(UUID(int=0))}
    for _ in range(5):
        say(ann, opened(ann), RESIGN)
    events = listed(ann, limit=2)
    assert types(events) == ["finished"] * 5
    assert listed(ann) == events
    oldest_first = events[::-1]
    assert [event.data for event in streamed(ann, after=start.id)] == oldest_first
    resumed = streamed(ann, {"last-event-id": oldest_first[2]["id"]})
    assert [event.id for event in resumed] == [event["id"] for event in oldest_first[3:]]
    assert [event.data for event in streamed(ann)] == [{"after": oldest_first[-1]["id"]}]


def test_a_stream_hears_at_once_and_ends_with_its_token(pair: tuple[Player, Player]) -> None:
    ann, ben = pair
    reading = calm_events_at(ann, PATH)
    assert next(reading).name == "start"
    game = opened(ben, SPITE)
    ben.post(f"/v1/games/{game['id']}/invitations", {"player_id": ann.id})
    (newest,) = listed(ann)
    assert next(reading) == Told("account_event", newest["id"], newest)
    assert ann.http.delete(f"/v1/tokens/{ann.token_id}").status_code == 204
    assert ending(list(reading)) == "access"


def test_invitations_and_changed_tables_of_leagues_are_told(service: Service, pair: tuple[Player, Player]) -> None:
    guest, *players = registered(service, "Dee"), *pair, registered(service, "Cyd")
    league = running(players[0], *players)
    done(players[0].post(at(league, "/invitations"), {"player_id": guest.id}))
    (invited,) = listed(guest)
    assert (invited["type"], invited["league_id"], invited["game_id"]) == ("invitation", league["id"], None)
    assert players[0].post(at(league, "/invitations"), {"player_id": guest.id}).status_code == 409
    game = won(service, league, players[0], players[1])
    for player in players:
        changed = [event for event in listed(player) if event["type"] == "table_changed"]
        assert [(event["league_id"], event["game_id"]) for event in changed] == [(league["id"], game["id"])]
    assert listed(guest) == [invited]


def test_nobody_reads_events_of_others_or_of_the_erased(service: Service, pair: tuple[Player, Player]) -> None:
    ann, ben = pair
    say(ann, opened(ann), RESIGN)
    (event,) = listed(ann)
    assert listed(ben) == []
    for event_id in (event["id"], str(uuid4())):
        answer = ben.get(PATH, params={"after": event_id}, headers={"accept": "text/event-stream"})
        told(answer, 400, "malformed")
    assert ann.http.delete("/v1/players/me").status_code == 204
    assert truth.done(service, "SELECT FROM account_events WHERE player = %s", ann.id) == 0


def test_bad_requests_are_refused(ada: Player) -> None:
    nil = str(UUID(int=0))
    for query in ({"cursor": "x"}, {"limit": "0"}, {"after": "x"}, {"after": [nil, nil]}, {"max_seconds": "-1"}):
        told(ada.get(PATH, params=query), 400, "malformed")
    for last in ("7", ""):
        headers = {"accept": "text/event-stream", "last-event-id": last}
        told(ada.get(PATH, headers=headers), 400, "malformed")
    told(ada.get(PATH, headers={"accept": "image/png"}), 406, "not_acceptable")
