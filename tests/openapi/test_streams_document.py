"""What a real server sends is what the AsyncAPI document says: every message of every stream, and a webhook."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from service.postgres import Server
from tests.api import lining
from tests.api.boxes import ending_turn, founded
from tests.api.playing import Game, opened, say, seated
from tests.api.receiving import Receiver
from tests.api.serving import Player, Service, database_of, moderating, registered, serving
from tests.api.watching import until
from tests.openapi.described import DOCUMENT, STREAMS

RESIGN = {"type": "game/resign"}
LINES = "application/x-ndjson"
EVENTS = "text/event-stream"


@pytest.fixture(scope="module")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server whose webhooks may go to this machine."""
    near = {"webhooks_by_http": True, "webhooks_to_private": True}
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **near) as running:
        yield running


@pytest.fixture(scope="module")
def ann(service: Service) -> Player:
    return registered(service, "Ann")


def check(channel: str, name: str, payload: Any) -> None:
    """Raises unless the payload is what the document says of this message."""
    told = json.dumps(STREAMS["channels"][channel]["messages"][name]["payload"]["schema"])
    schema = json.loads(told.replace("openapi.json#", "#")) | {"components": DOCUMENT["components"]}
    jsonschema_rs.Draft202012Validator(schema, validate_formats=True).validate(payload)


def checked_events(player: Player, channel: str, **query: Any) -> list[str]:
    """The names of the messages of a stream at a channel's address, each of them checked."""
    address = STREAMS["channels"][channel]["address"].format(**query.pop("where", {}))
    asked = {"max_seconds": 0} | query
    text = player.get(address, params=asked, headers={"accept": EVENTS}).raise_for_status().text
    names = []
    for part in (part for part in text.split("\n\n") if "event: " in part):
        fields = dict(line.split(": ", 1) for line in part.splitlines() if not line.startswith(":"))
        check(channel, fields["event"], json.loads(fields["data"]))
        names.append(fields["event"])
    return names


def checked_lines(player: Player, channel: str, **query: Any) -> list[str]:
    """The same of a text of lines."""
    address = STREAMS["channels"][channel]["address"].format(**query.pop("where", {}))
    text = player.get(address, params=query, headers={"accept": LINES}).raise_for_status().text
    names = []
    for line in map(json.loads, text.splitlines()):
        known = STREAMS["channels"][channel]["messages"]
        name = "FeedEnd" if "end" in line else next(iter(known))
        check(channel, name, line)
        names.append(name)
    return names


@pytest.fixture(scope="module")
def game(service: Service, ann: Player) -> Game:
    """A game of two that is over."""
    ben = registered(service, "Ben")
    made = seated(opened(ann, "spite_and_malice"), ben)
    say(ann, made, RESIGN)
    return made


def test_the_messages_of_a_game_the_feed_and_an_account(ann: Player, game: Game) -> None:
    names = checked_events(ann, "stream_game", where={"game_id": game["id"]})
    assert names[-1] == "end"
    assert len(names) > 2
    assert set(names[:-1]) == {"frame"}
    assert checked_lines(ann, "list_frames", where={"game_id": game["id"]}) == ["Frame"] * (len(names) - 1)
    names = checked_lines(ann, "get_feed")
    assert (set(names[:-1]), names[-1]) == ({"FeedLine"}, "FeedEnd")
    assert checked_events(ann, "list_account_events") == ["start", "end"]
    names = checked_events(ann, "list_account_events", after="00000000-0000-0000-0000-000000000000")
    assert set(names) == {"account_event", "end"}


def test_the_messages_of_an_inbox(service: Service, ann: Player) -> None:
    ben = registered(service, "Ben")
    with ben.http.stream("GET", "/v1/inbox/events", params={"max_seconds": 20}) as answer:
        lines, names = answer.iter_lines(), list[str]()
        while names[-1:] != ["done"]:
            line = next(lines)
            if line.startswith("event: "):
                names.append(line.removeprefix("event: "))
            elif line.startswith("data: "):
                check("stream_inbox", names[-1], json.loads(line.removeprefix("data: ")))
                if names == ["snapshot"]:
                    made = seated(opened(ann, "spite_and_malice"), ben)
                    while not ben.get("/v1/inbox").json()["games"]:
                        say(ann, made, ending_turn(ann, made))
                elif names == ["snapshot", "waiting"]:  # only now: of what is over before it was told nothing is told
                    say(ben, made, RESIGN)
    assert set(names) == {"snapshot", "waiting", "done"}


def test_the_messages_of_an_analysis(ann: Player) -> None:
    made = opened(ann, "golf")
    say(ann, made, RESIGN)
    ann.post(f"/v1/games/{made['id']}/analysis", {}).raise_for_status()
    names = checked_events(ann, "get_analysis", where={"game_id": made["id"]}, max_seconds=100)
    assert (set(names[:-1]), names[-1]) == ({"analysis"}, "end")


def test_the_messages_of_a_league_and_of_a_ruling(service: Service, ann: Player) -> None:
    league = founded(ann, registered(service, "Ben"))
    where = {"league_id": league["id"]}
    assert checked_events(ann, "list_league_events", where=where) == ["start", "end"]
    names = checked_events(ann, "list_league_events", where=where, after="00000000-0000-0000-0000-000000000000")
    assert names == ["league_event", "end"]
    game = opened(ann)
    say(ann, game, RESIGN)
    ruling = {"type": "void_games", "game_ids": [game["id"]], "reason": "A test."}
    moderating(service).post("/v1/rulings", ruling).raise_for_status()
    assert "ruling" in checked_events(ann, "stream_game", where={"game_id": game["id"]})


def test_the_messages_of_a_line(service: Service, ann: Player) -> None:
    game, sent = opened(ann), list[Any]()
    with lining.line(service) as open_line:
        ask = [
            ("authenticate", "1", {"token": ann.token}), ("subscribe_inbox", "2", {}),
            ("subscribe_account_events", "3", {"after": "00000000-0000-0000-0000-000000000000"}),
            ("subscribe_game", "4", {"game_id": game["id"], "seat": 0, "after": 1}),
            ("command", "5", {"game_id": game["id"], "command": {"type": "klondike/draw"}, "version": 3, "key": "a"}),
            ("command", "6", {"game_id": game["id"], "command": {"type": "klondike/draw"}, "version": 3}),
            ("unsubscribe", "2", {}), ("unsubscribe", "none", {}),
        ]  # fmt: skip
        for kind, id, members in ask:
            check("play", kind, {"type": kind, "id": id, **members})
            open_line.send(kind, id, **members)
        while len({one["type"] for one in sent}) < 5 or {"5", "6", "2"} - {one["id"] for one in sent[2:]}:
            sent.append(open_line.told())
            check("play", sent[-1]["type"], sent[-1])
            if sent[-1]["type"] == "event" and sent[-1]["id"] == "4":
                check("stream_game", sent[-1]["event"], sent[-1]["data"])
    every = STREAMS["channels"]["play"]["messages"]
    assert {one["type"] for one in sent} | {kind for kind, _, _ in ask} == set(every)
    with pytest.raises(jsonschema_rs.ValidationError):
        check("play", "command", {"type": "command", "id": "1", "game_id": game["id"], "command": {"type": "x"}})


def test_a_webhook_sends_the_message_of_its_channel(
    service: Service, ann: Player, tmp_path_factory: pytest.TempPathFactory
) -> None:
    receiver = Receiver(Path(tmp_path_factory.mktemp("receiver")))
    try:
        ann.post("/v1/webhooks", {"url": receiver.url("200"), "types": ["finished"]})
        say(ann, opened(ann), RESIGN)
        until(lambda: receiver.received() != [])
    finally:
        receiver.kill()
    asked, came = receiver.challenges()[0], receiver.received()[0]
    check("webhooks", "webhook_verification", json.loads(asked["body"]))
    check("webhooks", "account_event", json.loads(came["body"]))
    wanted = STREAMS["channels"]["webhooks"]["messages"]["account_event"]["headers"]
    jsonschema_rs.Draft202012Validator(wanted).validate({k.lower(): v for k, v in came["headers"].items()})
    for kind, entry in ("finished", came), ("webhook.verification", asked):
        content = DOCUMENT["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"]
        schema = content["schema"] | {"components": DOCUMENT["components"]}
        jsonschema_rs.Draft202012Validator(schema).validate(json.loads(entry["body"]))


def test_every_stream_of_the_service_is_a_channel_and_is_checked_here() -> None:
    streams = {
        told["operationId"]
        for item in DOCUMENT["paths"].values()
        for told in item.values()
        if any("x-itemSchema" in content for content in told["responses"].get("200", {}).get("content", {}).values())
    }
    assert set(STREAMS["channels"]) == {*streams, "webhooks", "play"} == set(STREAMS["operations"]) - {"play_answers"}
    checked = Path(__file__).read_text()
    assert [name for name in STREAMS["channels"] if f'"{name}"' not in checked] == []


def test_another_message_is_refused() -> None:
    with pytest.raises(jsonschema_rs.ValidationError):
        check("list_account_events", "account_event", {"id": "x"})
