"""A line's bounds and its ends: what is closed with which code, and what is never lost."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from service.http.line_messages import CLOSES, SUBSCRIPTIONS, UNDER_WAY
from service.postgres import Server

from .bursts import Burst, Durable, command, whole
from .lining import Line, line
from .playing import Game, look, opened, say
from .serving import Player, Service, database_of, registered, serving
from .sockets import connected, everything
from .watching import metric, until

DRAW = {"type": "klondike/draw"}
RESIGN = {"type": "game/resign"}


@pytest.fixture(scope="module")
def strict(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server with narrow bounds."""
    bounds: dict[str, Any] = {
        "keep_alive_seconds": 2, "client_silence": 2.0, "max_connections_per_address": 12, "max_body_bytes": 2_000,
        "max_streams_per_sender": 4, "heartbeat": 0.5, "environment": {"FORWARDED_ALLOW_IPS": "127.0.0.2"},
    }  # fmt: skip
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **bounds) as running:
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


def test_what_cannot_be_read_is_refused_and_the_line_goes_on(service: Service, ada: Player) -> None:
    game = opened(ada)
    with line(service, ada) as open_line:
        for text in UNREADABLE:
            open_line.socket.send(text)
            told = open_line.told()
            assert (told["type"], told["problem"]["status"]) == ("refused", 400), text
        assert open_line.say(game, DRAW)["type"] == "accepted"
    assert metric(service, "kibitz_requests_total", operation="post_command", status="500") == 0


def test_a_binary_message_and_one_too_long_close_with_a_code(strict: Service, zoe: Player) -> None:
    with line(strict, zoe) as open_line:
        open_line.socket.send(b"{}")
        assert open_line.code() == 1003
    with line(strict, zoe) as open_line:
        open_line.socket.send(b"\xff", text=True)
        assert open_line.code() == 1007
        assert "UTF-8" not in strict.log()
    with line(strict, zoe) as open_line:
        open_line.socket.send("x" * 2_001)
        assert open_line.code() == 1009
    with line(strict, zoe) as open_line:
        open_line.socket.send(["x" * 300] * 10)
        assert open_line.code() == 1009


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
        with pytest.raises(InvalidStatus) as error, line(strict, zoe):
            pass
        assert error.value.response.status_code == 429
    until(lambda: opens(strict, zoe))


def opens(service: Service, player: Player) -> bool:
    """Whether this player may have another line now."""
    try:
        with line(service, player):
            return True
    except InvalidStatus:
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
        with psycopg.connect(service.conninfo) as holding:
            holding.execute("LOCK TABLE events IN SHARE MODE")  # nothing is stored meanwhile
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


def test_a_line_holds_its_place_among_the_connections_and_gives_it_back(strict: Service, zoe: Player) -> None:
    for _ in range(30):
        with line(strict, zoe):
            pass
    assert zoe.get("/v1/players/me").status_code == 200


def test_a_quota_refuses_commands_and_ends_what_is_not_to_be_read(postgres: Server, template_database: str) -> None:
    few: dict[str, Any] = {"rate_limit_per_minute": 40, "commands_per_minute": 3, "registrations_per_hour": 5}
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **few) as service:
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


def test_who_does_not_read_is_cut_off_and_told_why(strict: Service, zoe: Player) -> None:
    game = opened(zoe)
    for _ in range(4):
        say(zoe, game, [DRAW] * 24 + [{"type": "klondike/recycle"}])
    say(zoe, game, RESIGN)
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
    game = opened(zoe)
    for _ in range(4):
        say(zoe, game, [DRAW] * 24 + [{"type": "klondike/recycle"}])
    say(zoe, game, RESIGN)
    subscribe = f'{{"type":"subscribe_game","id":"%d","game_id":"{game["id"]}"}}'
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


def test_when_the_service_stops_what_it_has_heard_is_answered_first(postgres: Server, template_database: str) -> None:
    with database_of(postgres, template_database) as conninfo, serving(conninfo) as service:
        ada = registered(service, "Ada")
        games = [opened(ada) for _ in range(4)]
        with line(service, ada) as open_line:
            open_line.send("subscribe_inbox", "in")
            for number in range(100):
                open_line.send(
                    "command",
                    f"{number}",
                    game_id=games[number % 4]["id"],
                    command=command(number // 4),
                    key=f"{number}",
                )
            open_line.answer("0")
            os.kill(service.process.pid, signal.SIGTERM)
            assert open_line.code() == 1012
            accepted = sum(b'"type":"accepted"' in text for text in open_line.texts)
        service.process.wait(30)
        with serving(conninfo) as again:
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


@pytest.mark.parametrize("heard_before", [1, 20, 60])
def test_of_a_killed_server_nothing_acknowledged_is_lost_and_a_key_sent_again_doubles_nothing(
    durable: Durable, heard_before: int
) -> None:
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


def test_every_code_that_closes_is_told_of() -> None:
    assert set(CLOSES) >= {1000, 1002, 1003, 1007, 1009, 1012, 4401, 4408, 4410, 4429}
