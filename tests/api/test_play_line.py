"""The line `WS /v1/play`: answered as REST, in order, for the same eyes; its bounds, and with which code it ends."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

import httpx
import psutil
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from service.http.line_messages import CLOSES, SUBSCRIPTIONS, UNDER_WAY
from service.postgres import Server

from .browsing import COOKIE, Browser
from .bursts import Burst, Durable, command, whole
from .houses import house
from .lining import PROTOCOL, Line, line
from .playing import Game, look, of, opened, play_on, say, seated
from .problems import explained
from .serving import Player, Service, registered, serving, speaking
from .sockets import connected, everything
from .streaming import events
from .test_tokens import with_scopes
from .watching import lines, metric, until

DRAW, RESIGN = {"type": "klondike/draw"}, {"type": "game/resign"}
SPITE = "spite_and_malice"


def same_problem(told: dict[str, Any], over_rest: httpx.Response) -> None:
    """The line has refused with the problem document of REST, but for the request's id."""
    assert told["type"] == "refused"
    assert told["problem"] | {"request_id": ""} == over_rest.json() | {"request_id": ""}


@contextmanager
def nothing_stored(service: Service) -> Iterator[None]:
    """Commands wait meanwhile."""
    with psycopg.connect(service.conninfo) as holding:
        holding.execute("LOCK TABLE events IN SHARE MODE")
        yield


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


def test_commands_and_repeats_are_answered_and_logged_as_over_rest(service: Service, ada: Player) -> None:
    game = opened(ada)
    before = metric(service, "kibitz_requests_total", operation="post_command", status="200")
    with line(service, ada) as open_line:
        first = open_line.say(game, DRAW, seat=0, version=3, key="once")
        answer = open_line.answer_bytes()
        over_rest = say(ada, game, DRAW, headers={"idempotency-key": "once", "if-match": '"3"'}, params={"seat": 0})
        assert over_rest.content == answer
        assert first["log_position"] <= int(over_rest.headers["log-position"])
        assert open_line.say(game, DRAW, seat=0, version=3, key="once")["type"] == "accepted"
        assert open_line.answer_bytes() == answer
    assert look(ada, game)["version"] == 4
    assert metric(service, "kibitz_requests_total", operation="post_command", status="200") == before + 3
    assert metric(service, "kibitz_requests_total", operation="open_line", status="101") >= 1
    found = [one for one in lines(service, "command") if one.get("game") == game["id"]]
    assert [(one["player"], one["outcome"]) for one in found] == [(ada.id, "accepted"), *[(ada.id, "repeated")] * 2]


def test_a_refusal_is_the_problem_document_of_rest(service: Service, ada: Player, game: Game) -> None:
    commands: list[Any] = [
        {"type": "klondike/recycle"}, {"type": "golf/turn"}, {"type": "klondike/draw", "more": 1}, [DRAW], {},
    ]  # fmt: skip
    with line(service, ada) as open_line:
        for said in commands:
            told = open_line.ask("command", game_id=game["id"], command=said)
            same_problem(told, ada.post(of(game, "/commands"), said))
        told = open_line.ask("command", game_id=game["id"], command=DRAW, version=9)
        same_problem(told, say(ada, game, DRAW, headers={"if-match": '"9"'}))


def test_what_one_may_not_see_is_refused_as_over_rest(service: Service, ada: Player, eve: Player) -> None:
    hidden = opened(ada, visibility="private")
    with line(service, eve) as open_line:
        for game in (hidden, {"id": "01890000-0000-7000-8000-000000000000"}):
            same_problem(open_line.say(game, DRAW), say(eve, game, DRAW))
            same_problem(open_line.ask("subscribe_game", game_id=game["id"]), eve.get(of(game, "/events")))
        told = open_line.ask("subscribe_game", game_id=opened(ada)["id"], seat=0)
        assert (told["type"], told["problem"]["status"]) == ("refused", 403)


def test_commands_keep_the_order_of_their_game_alone(service: Service, ada: Player) -> None:
    long, short = opened(ada), opened(ada)
    with line(service, ada) as open_line:
        with nothing_stored(service):
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
        with nothing_stored(service):
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
        with nothing_stored(service):
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


def test_two_lines_take_turns_and_keep_their_order(service: Service, ada: Player) -> None:
    game = opened(ada)
    with line(service, ada) as one, line(service, ada) as other:
        for number in range(12):
            for open_line in one, other:
                open_line.send("command", f"{number}", game_id=game["id"], command=DRAW)
        versions = [[open_line.told()["answer"]["version"] for _ in range(12)] for open_line in (one, other)]
    assert versions == [sorted(both) for both in versions]
    assert sorted(versions[0] + versions[1]) == list(range(4, 28))


@pytest.mark.parametrize("resumed", [0, 12])
def test_viewers_hear_the_streams_bytes(service: Service, ada: Player, bob: Player, eve: Player, resumed: int) -> None:
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


def test_a_live_game_is_told_and_resumed_after_a_version(service: Service, ada: Player) -> None:
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
            same_problem(open_line.say(game, DRAW), part.post(of(game, "/commands"), json=DRAW))
            open_line.send("subscribe_game", "s", game_id=game["id"])
            assert open_line.told()["event"] == "frame"


def test_nobody_watches_and_a_first_message_says_who_plays(service: Service, ada: Player) -> None:
    game, before = opened(ada), len(service.log())
    with line(service) as open_line:
        assert open_line.say(game, DRAW)["problem"]["status"] == 401
        assert open_line.ask("authenticate", token="kbz_nothing")["problem"]["status"] == 401
        assert open_line.ask("authenticate", token=ada.token)["type"] == "authenticated"
        assert open_line.say(game, DRAW)["type"] == "accepted"
        assert open_line.ask("authenticate", token=ada.token)["problem"]["status"] == 400
    log = service.log()[before:]
    assert not [word for word in (ada.token, "kbz_nothing", "authenticate", "/v1/play") if word in log]


def refused(service: Service, headers: dict[str, str], **more: Any) -> tuple[int, str]:
    """Status and kind of the problem that an upgrade is refused with."""
    with pytest.raises(InvalidStatus) as error, line(service, None, headers, **more):
        pass
    body = error.value.response.body
    assert body is not None
    kind = json.loads(body)["type"].rpartition("/")[2]
    explained(service, kind)
    return error.value.response.status_code, kind


def test_a_line_is_refused_with_a_problem(service: Service, ada: Player) -> None:
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


def test_another_processs_game_is_played_and_watched_as_over_rest(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database, heartbeat=3600) as two:
        ada = registered(two.services[0], "Ada")
        game = two.opened_at(ada, two.services[0])
        with line(two.services[1], ada) as open_line:
            open_line.send("subscribe_game", "s", game_id=game["id"], after=3)
            for number in range(20):
                said: dict[str, Any] = {"command": DRAW, "version": 3 + number, "key": f"{number}"}
                open_line.send("command", f"{number}", game_id=game["id"], **said)
            answers = [open_line.answer(f"{number}") for number in range(20)]
            while len(events_of(open_line, "s")) < 20:
                open_line.told()
        assert [one["answer"]["version"] for one in answers] == list(range(4, 24))
        assert [one[1] for one in events_of(open_line, "s")] == [str(version) for version in range(4, 24)]
        assert metric(two.services[1], "kibitz_requests_passed_on_total", outcome="answered") >= 20
        assert open_line.socket.subprotocol == PROTOCOL
        assert list(events(ada.on(two.services[1]), game, max_frames=1))


@pytest.fixture(scope="module")
def strict(conninfo: str) -> Iterator[Service]:
    """A server with narrow bounds."""
    bounds: dict[str, Any] = {
        "keep_alive_seconds": 2, "client_silence": 2.0, "max_connections_per_address": 12, "max_body_bytes": 2_000,
        "max_streams_per_sender": 4, "heartbeat": 0.5, "environment": {"FORWARDED_ALLOW_IPS": "127.0.0.2"},
    }  # fmt: skip
    with serving(conninfo, **bounds) as running:
        running.http.headers["connection"] = "close"  # one that has idled for 2 s may be closed while it is used again
        yield running


@pytest.fixture
def zoe(strict: Service) -> Player:
    return registered(strict, "Zoe")


UNREADABLE = [
    "", "{", "[]", "null", '"x"', '{"type":"nothing","id":"1"}', '{"type":"command"}', '{"id":"1"}',
    '{"type":"unsubscribe","id":"1","id":"2"}', '{"type":"unsubscribe","id":""}', '{"type":"unsubscribe","id":7}',
    '{"type":"unsubscribe","id":"1","more":1}', "[" * 900, '{"type":"subscribe_game","id":"1","game_id":"x"}',
    '{"type":"authenticate","id":"1","token":"a b"}', "\x00",
    '{"type":"command","id":"1","game_id":"01890000-0000-7000-8000-000000000000","command":{},"key":"a\\r\\nb: c"}',
]  # fmt: skip


def test_the_line_goes_on_after_unreadable_messages(service: Service, ada: Player) -> None:
    game = opened(ada)
    with line(service, ada) as open_line:
        for text in UNREADABLE:
            open_line.socket.send(text)
            told = open_line.told()
            assert (told["type"], told["problem"]["status"]) == ("refused", 400), text
        assert open_line.say(game, DRAW)["type"] == "accepted"
    assert metric(service, "kibitz_requests_total", operation="post_command", status="500") == 0


def test_what_is_no_text_closes_with_a_code(strict: Service, zoe: Player) -> None:
    messages: list[tuple[Any, bool | None, int]] = [
        (b"{}", None, 1003), (b"\xff", True, 1007), ("x" * 2_001, None, 1009), (["x" * 300] * 10, None, 1009),
    ]  # fmt: skip
    for message, text, code in messages:
        with line(strict, zoe) as open_line:
            open_line.socket.send(message, text=text)
            assert open_line.code() == code
    assert "UTF-8" not in strict.log()
    assert set(CLOSES) >= {1000, 1002, 1003, 1007, 1009, 1012, 4401, 4408, 4410, 4429}, "each code is told of"


def test_an_idle_line_ends_and_one_that_watches_does_not(strict: Service, zoe: Player) -> None:
    game = opened(zoe)
    with line(strict, zoe) as idle, line(strict, zoe) as watching:
        watching.send("subscribe_game", "s", game_id=game["id"], after=3)
        assert idle.code() == 4410
        time.sleep(1)
        assert watching.say(game, DRAW)["type"] == "accepted"


def test_a_revoked_token_ends_its_lines_at_once(service: Service, ada: Player) -> None:
    made = ada.post("/v1/tokens", {"label": "a part"}).json()
    headers = {"authorization": f"Bearer {made['secret']}"}
    with line(service, None, headers) as by_header, line(service) as by_message:
        assert by_message.ask("authenticate", token=made["secret"])["type"] == "authenticated"
        began = time.monotonic()
        ada.http.delete(f"/v1/tokens/{made['id']}").raise_for_status()
        assert (by_header.code(), by_message.code()) == (4401, 4401)
        assert time.monotonic() - began < 10


def test_more_lines_or_subscriptions_than_streams_are_refused(strict: Service, zoe: Player) -> None:
    game = opened(zoe)
    with line(strict, zoe) as one, line(strict, zoe):
        one.send("subscribe_inbox", "1")
        one.send("subscribe_game", "2", game_id=game["id"], after=3)
        told = one.ask("subscribe_game", "3", game_id=game["id"], after=3)
        assert (told["problem"]["status"], told["retry_after"]) == (429, 30)
        assert not opens(strict, zoe)
    until(lambda: opens(strict, zoe))
    for _ in range(30):  # each gives its place among the connections back
        with line(strict, zoe):
            pass
    assert zoe.get("/v1/players/me").status_code == 200


def opens(service: Service, player: Player) -> bool:
    """Whether this player may have another line now; else there are too many."""
    try:
        with line(service, player):
            return True
    except InvalidStatus as error:
        if error.response.status_code != 429:
            raise
        return False


def test_a_line_has_only_so_many_subscriptions(service: Service, ada: Player, game: Game) -> None:
    with line(service, ada) as open_line:
        for number in range(SUBSCRIPTIONS):
            open_line.send("subscribe_game", f"{number}", game_id=game["id"], after=3)
        assert open_line.ask("subscribe_inbox", "more")["problem"]["status"] == 429
        assert open_line.ask("unsubscribe", "0")["type"] == "ended"


def test_beyond_so_many_commands_under_way_nothing_is_read(service: Service, ada: Player) -> None:
    games = [opened(ada) for _ in range(8)]
    with line(service, ada) as open_line:
        with nothing_stored(service):
            for number in range(UNDER_WAY):
                open_line.send("command", f"{number}", game_id=games[number % 8]["id"], command=DRAW)
            assert open_line.ask("unsubscribe", "none")["problem"]["status"] == 400
            open_line.send("command", "more", game_id=games[0]["id"], command=DRAW)
            open_line.send("unsubscribe", "none")
            with pytest.raises(TimeoutError):
                open_line.socket.recv(0.5)
        told = [open_line.told() for _ in range(UNDER_WAY + 2)]
    assert [one["id"] for one in told if one["type"] == "refused"] == ["none"]
    assert sum(one["type"] == "accepted" for one in told) == UNDER_WAY + 1


def test_a_quota_refuses_commands_and_ends_nonsense(database: str) -> None:
    few: dict[str, Any] = {"rate_limit_per_minute": 40, "commands_per_minute": 3, "registrations_per_hour": 5}
    with serving(database, **few) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        with line(service, ada) as open_line:
            for said in (DRAW, {"type": "klondike/recycle"}, DRAW, DRAW):  # each counts once, the refused one, too
                open_line.send("command", "1", game_id=game["id"], command=said)
            told = [open_line.told() for _ in range(4)]
            assert [one.get("problem", {}).get("status") for one in told] == [None, 409, None, 429]
            assert 0 < told[3]["retry_after"] <= 60
            for _ in range(60):
                open_line.socket.send("nonsense")
            assert open_line.code() == 4429
            assert 20 < len(open_line.texts) < 44


def long_game(player: Player) -> Game:
    """One of a hundred steps, which is over."""
    game = opened(player)
    for _ in range(4):
        say(player, game, [DRAW] * 24 + [{"type": "klondike/recycle"}])
    say(player, game, RESIGN)
    return game


def test_who_does_not_read_is_cut_off_and_told_why(strict: Service, zoe: Player) -> None:
    game = long_game(zoe)
    with line(strict, zoe, max_queue=1) as open_line:
        for number in range(80):
            open_line.send("subscribe_game", f"{number}", game_id=game["id"])
            if number % 3 == 2:
                time.sleep(0.05)
        time.sleep(3)
        assert open_line.code() == 4408
    assert zoe.get("/v1/players/me").status_code == 200


def test_who_answers_no_ping_is_cut_off(strict: Service, zoe: Player) -> None:
    with bare_line(strict, zoe) as bare:
        bare.sendall(masked(0x81, b'{"type":"subscribe_inbox","id":"1"}'))
        heard = everything(bare)
    assert bytes([0x88, 11]) + (4408).to_bytes(2, "big") in heard[-20:], heard[-40:]


def test_who_pings_and_does_not_read_fills_no_memory(strict: Service, zoe: Player) -> None:
    pings, server = masked(0x89, b"p" * 125) * 500, psutil.Process(strict.process.pid)
    with bare_line(strict, zoe) as bare:
        before = server.memory_info().rss
        with suppress(OSError):
            for _ in range(400):  # 26 MB
                bare.sendall(pings)
        assert server.memory_info().rss - before < 10_000_000


def test_who_closes_and_does_not_read_is_cut_off(strict: Service, zoe: Player) -> None:
    subscribe = f'{{"type":"subscribe_game","id":"%d","game_id":"{long_game(zoe)["id"]}"}}'
    with bare_line(strict, zoe) as bare:
        for number in range(60):
            bare.sendall(masked(0x81, (subscribe % number).encode()))
            time.sleep(0.02)
        bare.sendall(masked(0x88, (1000).to_bytes(2, "big")))
        peer = bare.getsockname()
        until(lambda: peer not in [one.raddr for one in psutil.Process(strict.process.pid).net_connections()])


@contextmanager
def bare_line(service: Service, player: Player) -> Iterator[socket.socket]:
    """A line whose frames the test makes itself, and which reads only what the test reads."""
    with connected(service) as (bare,):
        bare.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        bare.sendall(
            f"GET /v1/play HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {player.token}\r\nconnection: Upgrade\r\n"
            "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "sec-websocket-protocol: kibitz.play.v1\r\n\r\n".encode()
        )
        heard = b""
        while b"\r\n\r\n" not in heard:
            heard += bare.recv(1)
        assert heard.startswith(b"HTTP/1.1 101")
        yield bare


def masked(begins: int, payload: bytes) -> bytes:
    """A frame whose mask is 0."""
    return bytes([begins, 0x80 | len(payload)]) + bytes(4) + payload


def test_a_stopping_service_answers_what_it_has_heard(database: str) -> None:
    with serving(database) as service:
        ada = registered(service, "Ada")
        games = [opened(ada) for _ in range(4)]
        with line(service, ada) as open_line:
            open_line.send("subscribe_inbox", "in")
            for number in range(100):
                said = {"command": command(number // 4), "key": f"{number}"}
                open_line.send("command", f"{number}", game_id=games[number % 4]["id"], **said)
            open_line.answer("0")
            os.kill(service.process.pid, signal.SIGTERM)
            assert open_line.code() == 1012
            accepted = sum(b'"type":"accepted"' in text for text in open_line.texts)
        service.process.wait(30)
        with serving(database) as again:
            assert sum(look(ada.on(again), game)["version"] - 3 for game in games) == accepted > 1
            assert service.process.returncode in (0, -signal.SIGTERM)


class LineBurst(Burst):
    """Commands sent over a line without a pause, and what was accepted of them."""

    def send(self, open_line: Line, count: int) -> None:
        """Send so many commands, or as many as the line takes."""
        for number in range(count):
            self.said = number + 1
            open_line.send("command", f"{number}", game_id=self.game["id"], command=command(number), key=f"{number}")

    def hear(self, open_line: Line) -> None:
        """Keep what was accepted until the line breaks, and a while before that end the server."""
        while True:
            try:
                told = open_line.told()
            except ConnectionClosed:
                return
            assert told["type"] == "accepted", told
            self.acknowledged[told["id"]] = open_line.answer_bytes()


@pytest.mark.parametrize("heard_before", [1, 60])
def test_a_killed_server_loses_and_doubles_nothing(durable: Durable, heard_before: int) -> None:
    conninfo = durable.fresh()
    service = Service(conninfo)
    ada = registered(service, "Ada")
    burst = LineBurst(ada, opened(ada))
    with line(service, ada) as open_line:
        burst.send(open_line, 100)
        for _ in range(heard_before):
            told = open_line.told()
            burst.acknowledged[told["id"]] = open_line.answer_bytes()
        service.end(signal.SIGKILL)
        burst.hear(open_line)
    assert len(burst.acknowledged) >= heard_before
    with serving(conninfo) as again:
        whole(again, burst, ada.on(again))
        with line(again, ada.on(again)) as open_line:  # once more, by a line that says them together
            burst.send(open_line, burst.said)
            told = {open_line.told()["id"]: open_line.answer_bytes() for _ in range(burst.said)}
        assert {key: told[key] for key in burst.acknowledged} == burst.acknowledged
        assert look(ada.on(again), burst.game)["version"] == burst.game["version"] + burst.said
