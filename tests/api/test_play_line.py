"""The line `WS /v1/play`: every message is answered as its request is over REST, in order, for the same eyes."""

import json
from random import Random
from typing import Any

import httpx
import psycopg
import pytest
from websockets.exceptions import InvalidStatus

from service.postgres import Server

from .browsing import COOKIE, Browser
from .bursts import command
from .houses import house
from .lining import PROTOCOL, Line, line
from .playing import Game, look, of, opened, play_on, say, seated
from .problems import explained
from .serving import Player, Service, registered, speaking
from .streaming import events
from .test_scopes import with_scopes
from .watching import lines, metric

DRAW, RESIGN = {"type": "klondike/draw"}, {"type": "game/resign"}
SPITE = "spite_and_malice"


def without_request_id(problem: dict[str, Any]) -> dict[str, Any]:
    """A problem document without what differs from request to request."""
    return {name: value for name, value in problem.items() if name != "request_id"}


def events_of(heard: Line, id: str) -> list[tuple[str, str | None, bytes]]:
    """Name, id and bytes of the data of a subscription's events so far."""
    found = []
    for text in heard.texts:
        told = json.loads(text)
        if told["type"] == "event" and told["id"] == id:
            data = text.partition(b',"data":')[2].rpartition(b',"event_id":')[0]
            found.append((told["event"], told["event_id"], data))
    return found


def streamed(http: httpx.Client, path: str, **query: Any) -> list[tuple[str, str | None, bytes]]:
    """The same of a stream of server-sent events."""
    text = http.get(path, params=query, headers={"accept": "text/event-stream"}).raise_for_status().content
    blocks = [part.split(b"\n") for part in text.split(b"\n\n") if b"data: " in part]
    told = [dict(one.split(b": ", 1) for one in block if not one.startswith(b":")) for block in blocks]
    return [(one[b"event"].decode(), one.get(b"id", b"").decode() or None, one[b"data"]) for one in told]


def test_a_command_is_answered_as_over_rest_and_its_repeat_on_either_way_is_the_same(
    service: Service, ada: Player
) -> None:
    game = opened(ada)
    with line(service, ada) as open_line:
        first = open_line.say(game, DRAW, seat=0, version=3, key="once")
        answer = open_line.answer_bytes()
        over_rest = say(ada, game, DRAW, headers={"idempotency-key": "once", "if-match": '"3"'}, params={"seat": 0})
        assert over_rest.content == answer
        assert first["log_position"] <= int(over_rest.headers["log-position"])
        assert open_line.say(game, DRAW, seat=0, version=3, key="once")["type"] == "accepted"
        assert open_line.answer_bytes() == answer
    assert look(ada, game)["version"] == 4


@pytest.mark.parametrize(
    ("said", "headers"),
    [
        ({"command": {"type": "klondike/recycle"}}, {}),
        ({"command": DRAW, "version": 9}, {"if-match": '"9"'}),
        ({"command": {"type": "golf/turn"}}, {}),
        ({"command": {"type": "klondike/draw", "more": 1}}, {}),
        ({"command": [DRAW]}, {}),
        ({"command": {}}, {}),
    ],
)
def test_a_refusal_is_the_problem_document_of_rest(
    service: Service, ada: Player, game: Game, said: dict[str, Any], headers: dict[str, str]
) -> None:
    with line(service, ada) as open_line:
        told = open_line.ask("command", game_id=game["id"], **said)
    assert told["type"] == "refused"
    over_rest = (
        say(ada, game, [], headers=headers)
        if False
        else ada.post(of(game, "/commands"), said["command"], headers=headers)
    )
    assert without_request_id(told["problem"]) == without_request_id(over_rest.json())


def test_a_hidden_game_a_missing_one_and_a_seat_of_another_are_refused_as_over_rest(
    service: Service, ada: Player, eve: Player
) -> None:
    hidden = opened(ada, visibility="private")
    with line(service, eve) as open_line:
        for game in (hidden, {"id": "01890000-0000-7000-8000-000000000000"}):
            told = open_line.say(game, DRAW)
            assert without_request_id(told["problem"]) == without_request_id(say(eve, game, DRAW).json())
            told = open_line.ask("subscribe_game", game_id=game["id"])
            assert told["type"] == "refused"
            assert without_request_id(told["problem"]) == without_request_id(eve.get(of(game, "/events")).json())
        told = open_line.ask("subscribe_game", game_id=opened(ada)["id"], seat=0)
        assert (told["type"], told["problem"]["status"]) == ("refused", 403)


def test_commands_of_one_game_keep_their_order_and_those_of_another_do_not_wait(service: Service, ada: Player) -> None:
    long, short = opened(ada), opened(ada)
    with line(service, ada) as open_line:
        with psycopg.connect(service.conninfo) as holding:
            holding.execute("LOCK TABLE events IN SHARE MODE")  # nothing is stored before all has been sent
            for number in range(40):
                open_line.send("command", f"{number}", game_id=long["id"], command=command(number), version=3 + number)
            open_line.send("command", "other", game_id=short["id"], command=DRAW)
        told = [open_line.told() for _ in range(41)]
    assert {one["type"] for one in told} == {"accepted"}
    assert [one["id"] for one in told if one["id"] != "other"] == [str(number) for number in range(40)]
    assert told[-1]["id"] != "other"


def test_commands_that_wait_are_stored_together(service: Service, ada: Player) -> None:
    game = opened(ada)
    with line(service, ada) as open_line:
        with psycopg.connect(service.conninfo) as holding:
            holding.execute("LOCK TABLE events IN SHARE MODE")  # nothing is stored before all has been read
            before = metric(service, "kibitz_appends_total", outcome="stored")
            for number in range(16):
                open_line.send("command", f"{number}", game_id=game["id"], command=DRAW)
            assert open_line.ask("unsubscribe", id="all is read")["type"] == "refused"
        assert [open_line.told()["answer"]["version"] for _ in range(16)] == list(range(4, 20))
    appends = metric(service, "kibitz_appends_total", outcome="stored") - before
    assert appends <= 3  # the first, then all others; and what notes now and then that the token is used


def test_of_commands_that_wait_a_refusal_touches_no_other(service: Service, ada: Player) -> None:
    game = opened(ada)
    recycle, moved = {"type": "klondike/recycle"}, {"type": "klondike/draw", "more": 1}
    said: list[dict[str, Any]] = [
        {"command": DRAW, "version": 3, "key": "first"}, {"command": DRAW}, {"command": recycle, "key": "refused"},
        {"command": DRAW, "version": 5, "key": "third"}, {"command": DRAW, "version": 5}, {"command": moved},
        {"command": DRAW, "seat": 0, "key": "first"}, {"command": DRAW, "version": 6, "key": "last"},
        {"command": DRAW, "version": 3, "key": "first"}, {"command": DRAW, "version": 7, "seat": 1},
        *({"command": DRAW, "version": 7 + number, "seat": 0} for number in range(16)),
    ]  # fmt: skip
    with line(service, ada) as open_line:
        with psycopg.connect(service.conninfo) as holding:
            holding.execute("LOCK TABLE events IN SHARE MODE")  # nothing is stored before all has been sent
            for number, one in enumerate(said):
                open_line.send("command", f"{number}", game_id=game["id"], **one)
        told = [open_line.told() for _ in said]
        again = [open_line.say(game, **one) for one in said if "key" in one and one["command"] is DRAW]
    assert [one["id"] for one in told] == [str(number) for number in range(len(said))]
    outcomes = [one["answer"]["version"] if one["type"] == "accepted" else one["problem"]["status"] for one in told]
    assert outcomes == [4, 5, 409, 6, 412, 400, 422, 7, 4, 403, *range(8, 24)]
    assert told[8]["answer"] == told[0]["answer"]
    positions = [one["log_position"] for one in told if one["type"] == "accepted"]
    del positions[4]  # the repeat's, which is at least the first's
    assert positions == list(range(positions[0], positions[0] + 20))
    told_again = [one.get("answer", {}).get("version") for one in again]
    assert told_again == [4, 6, None, 7, 4]
    logged = [one for one in lines(service, "command") if one.get("game") == game["id"]]
    accepted = [(one["version"], one["step"], one["seat"]) for one in logged if one["outcome"] == "accepted"]
    assert accepted == [(version, version - 3, 0) for version in range(4, 24)]
    assert [one["reason"] for one in logged if one["outcome"] == "rule"] == ["stock_not_empty"]


def test_two_lines_on_one_game_take_turns_and_each_keeps_its_order(service: Service, ada: Player) -> None:
    game = opened(ada)
    with line(service, ada) as one, line(service, ada) as other:
        for number in range(12):
            for open_line in one, other:
                open_line.send("command", f"{number}", game_id=game["id"], command=DRAW)
        versions = [[open_line.told()["answer"]["version"] for _ in range(12)] for open_line in (one, other)]
    assert versions == [sorted(both) for both in versions]
    assert sorted(versions[0] + versions[1]) == list(range(4, 28))


@pytest.mark.parametrize("resumed", [0, 12])
def test_each_viewer_is_told_to_the_byte_what_the_stream_of_events_tells(
    service: Service, ada: Player, bob: Player, eve: Player, resumed: int
) -> None:
    game = seated(opened(ada, SPITE), bob)
    for _ in play_on([ada, bob], game, Random(7), 30):
        pass
    say(ada, game, RESIGN)
    nobody = httpx.Client(base_url=service.url)
    views: list[tuple[Player | None, dict[str, Any]]] = [
        (ada, {}), (ada, {"seat": 0}), (ada, {"spectator": True}), (bob, {"seat": 1}), (eve, {}), (None, {}),
        (eve, {"known": "now"}),
    ]  # fmt: skip
    told = list[list[tuple[str, str | None, bytes]]]()
    for player, view in views:
        with line(service, player) as open_line:
            assert open_line.ask("subscribe_game", game_id=game["id"], after=resumed, **view)["type"] == "ended"
            told.append(events_of(open_line, "ask"))
        http = nobody if player is None else player.http
        query = {name: "true" if value is True else value for name, value in view.items()}
        assert told[-1] == streamed(http, of(game, "/events"), after=resumed, **query)
        assert len(told[-1]) > 10
    assert told[0] != told[3] != told[4] != told[6]
    assert told[2] == told[4] == told[5]


def test_a_live_game_is_told_as_it_goes_on_and_taken_up_again_after_a_version(service: Service, ada: Player) -> None:
    game = opened(ada)
    with line(service, ada) as open_line:
        open_line.send("subscribe_game", "s", game_id=game["id"], after=3)
        open_line.say(game, DRAW)
        told = open_line.told() if not events_of(open_line, "s") else None
        assert [one[1] for one in events_of(open_line, "s")] == ["4"], told
        assert open_line.ask("unsubscribe", "s") == {"type": "ended", "id": "s"}
        socket = open_line.socket
        for message in ({"type": "subscribe_game", "game_id": game["id"]}, {"type": "unsubscribe"}):
            socket.protocol.send_text(json.dumps({"id": "s", **message}).encode())
        socket.socket.sendall(b"".join(socket.protocol.data_to_send()))
        assert open_line.answer("s") == {"type": "ended", "id": "s"}
        open_line.say(game, DRAW)
        open_line.send("subscribe_game", "s", game_id=game["id"], after=4)
        assert open_line.told()["event_id"] == "5"


def test_the_inbox_and_the_account_tell_their_events(service: Service, ada: Player, bob: Player) -> None:
    with line(service, bob) as open_line:
        open_line.send("subscribe_inbox", "in")
        assert open_line.told()["event"] == "snapshot"
        open_line.send("subscribe_account_events", "me")
        assert open_line.told()["event"] == "start"
        game = seated(opened(bob, SPITE, seed="turn 1"), ada)  # with this one it is Bob's turn
        while not events_of(open_line, "in")[1:]:
            open_line.told()
        say(ada, game, RESIGN)
        while not events_of(open_line, "me")[1:]:
            open_line.told()
        assert events_of(open_line, "in")[1][0] == "waiting"
        assert {one[0] for one in events_of(open_line, "me")[1:]} == {"account_event"}
        assert open_line.ask("subscribe_inbox", "in")["problem"]["detail"] == "id: A subscription has it."
        assert open_line.ask("unsubscribe", "none")["problem"]["status"] == 400


def test_scopes_hold_as_over_rest(service: Service, ada: Player, game: Game) -> None:
    with with_scopes(service, ada, "games:read") as part:
        token = part.headers["authorization"].removeprefix("Bearer ")
        with line(service, speaking(service, ada.id, token, "")) as open_line:
            told = open_line.say(game, DRAW)
            assert without_request_id(told["problem"]) == without_request_id(
                part.post(of(game, "/commands"), json=DRAW).json()
            )
            open_line.send("subscribe_game", "s", game_id=game["id"])
            assert open_line.told()["event"] == "frame"


def test_nobody_watches_and_a_first_message_says_who_plays(service: Service, ada: Player) -> None:
    game = opened(ada)
    with line(service) as open_line:
        assert open_line.say(game, DRAW)["problem"]["status"] == 401
        assert open_line.ask("authenticate", token="kbz_nothing")["problem"]["status"] == 401
        assert open_line.ask("authenticate", token=ada.token)["type"] == "authenticated"
        assert open_line.say(game, DRAW)["type"] == "accepted"
        assert open_line.ask("authenticate", token=ada.token)["problem"]["status"] == 400
    assert not [word for word in (ada.token, "kbz_nothing", "authenticate", "/v1/play") if word in service.log()]


def refused(service: Service, headers: dict[str, str], **more: Any) -> tuple[int, str]:
    """Status and kind of the problem that an upgrade is refused with."""
    with pytest.raises(InvalidStatus) as error, line(service, None, headers, **more):
        pass
    body = error.value.response.body
    assert body is not None
    kind = json.loads(body)["type"].rpartition("/")[2]
    explained(service, kind)
    return error.value.response.status_code, kind


def test_who_may_not_have_a_line_is_refused_with_a_problem(service: Service, ada: Player) -> None:
    own = service.url
    assert refused(service, {"authorization": "Bearer kbz_x"}) == (401, "unauthenticated")
    assert refused(service, {"origin": "http://evil.example"}) == (403, "cross_site")
    assert refused(service, {}, subprotocols=None) == (400, "malformed")
    plain = service.http.get("/v1/play")
    assert (plain.status_code, plain.headers["upgrade"]) == (426, "websocket")
    explained(service, "upgrade_required")
    with Browser(service) as browser:
        browser.post("/sign-in", {"token": ada.token})
        cookie = {"cookie": f"{COOKIE}={browser.secret}"}
        game = opened(ada)
        for foreign in ({}, {"origin": "http://evil.example"}, {"origin": own, "sec-fetch-site": "cross-site"}):
            assert refused(service, {**cookie, **foreign}) == (403, "cross_site")
        assert not [one for one in service.log().splitlines() if "handshake" in one]
        with line(service, None, {**cookie, "origin": own}) as open_line:
            assert open_line.say(game, DRAW)["type"] == "accepted"


def test_a_message_counts_and_is_logged_as_its_request(service: Service, ada: Player) -> None:
    game = opened(ada)
    before = metric(service, "kibitz_requests_total", operation="post_command", status="200")
    with line(service, ada) as open_line:
        assert open_line.say(game, DRAW)["type"] == "accepted"
    assert metric(service, "kibitz_requests_total", operation="post_command", status="200") == before + 1
    assert metric(service, "kibitz_requests_total", operation="open_line", status="101") >= 1
    found = [one for one in lines(service, "command") if one.get("game") == game["id"]]
    assert [(one["player"], one["outcome"]) for one in found] == [(ada.id, "accepted")]


def test_a_game_of_another_process_is_played_and_watched_as_over_rest(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database, heartbeat=3600) as two:
        ada = registered(two.services[0], "Ada")
        game = two.opened_at(ada, two.services[0])
        with line(two.services[1], ada) as open_line:
            open_line.send("subscribe_game", "s", game_id=game["id"], after=3)
            for number in range(20):
                open_line.send(
                    "command", f"{number}", game_id=game["id"], command=DRAW, version=3 + number, key=f"{number}"
                )
            answers = [open_line.answer(f"{number}") for number in range(20)]
            while len(events_of(open_line, "s")) < 20:
                open_line.told()
        assert [one["answer"]["version"] for one in answers] == list(range(4, 24))
        assert [one[1] for one in events_of(open_line, "s")] == [str(version) for version in range(4, 24)]
        assert metric(two.services[1], "kibitz_requests_passed_on_total", outcome="answered") >= 20
        assert open_line.socket.subprotocol == PROTOCOL
        assert list(events(ada.on(two.services[1]), game, max_frames=1))
