"""Answers in one write: what bare sockets hear is HTTP as before, in order, with the connection kept or closed."""

import asyncio
import inspect
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from service.http.connections.answers import CYCLE, whole

from .playing import Game, look, of, opened
from .serving import Player, Service
from .sockets import answer, connected, everything


def asked(player: Player, game: Game, *more: str, method: str = "GET", version: str = "1.1") -> bytes:
    lines = [f"{method} {of(game)} HTTP/{version}", "host: here", f"authorization: Bearer {player.token}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


def parts(heard: bytes) -> tuple[bytes, dict[bytes, bytes], bytes]:
    head, _, body = heard.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    return first, {name: value for name, _, value in (line.partition(b": ") for line in lines)}, body


def test_a_whole_answer_comes_in_one_piece_and_the_connection_stays(service: Service, ada: Player) -> None:
    game = opened(ada)
    with connected(service) as (one,):
        for _ in range(3):
            one.sendall(asked(ada, game))
            first, headers, body = parts(one.recv(262_144))
            assert first == b"HTTP/1.1 200 OK"
            assert int(headers[b"content-length"]) == len(body) > 500
            assert {b"date", b"etag", b"request-id", b"ratelimit", b"x-content-type-options"} <= set(headers)
            assert b"connection" not in headers


def writes(service: Service) -> int:
    """How many times the server's process has called write."""
    return int(
        dict(line.split(": ") for line in Path(f"/proc/{service.process.pid}/io").read_text().splitlines())["syscw"]
    )


def test_an_answer_is_one_write(service: Service, ada: Player) -> None:
    game = opened(ada)
    before = writes(service)
    with connected(service) as (one,):
        for _ in range(300):
            one.sendall(asked(ada, game))
            answer(one)
    assert writes(service) - before < 2.5 * 300  # a line of the log is another


def test_requests_sent_without_waiting_are_answered_in_their_order(service: Service, ada: Player) -> None:
    games = [opened(ada) for _ in range(5)]
    with connected(service) as (one,):
        one.sendall(b"".join(asked(ada, game) for game in games[:-1]) + asked(ada, games[-1], "connection: close"))
        heard = everything(one)
    found = [heard.find(game["id"].encode()) for game in games]
    assert found == sorted(found)
    assert -1 not in found
    assert heard.count(b"HTTP/1.1 200 OK") == 5


def test_who_asks_for_the_end_is_told_of_it_and_gets_it(service: Service, ada: Player) -> None:
    game = opened(ada)
    for request in (asked(ada, game, "connection: close"), asked(ada, game, version="1.0")):
        with connected(service) as (one,):
            one.sendall(request)
            _, headers, body = parts(everything(one))
        assert headers[b"connection"] == b"close"
        assert int(headers[b"content-length"]) == len(body)


def test_head_has_the_length_and_no_body(service: Service, ada: Player) -> None:
    game = opened(ada)
    with connected(service) as (one,):
        one.sendall(asked(ada, game, "connection: close", method="HEAD"))
        _, headers, body = parts(everything(one))
    assert int(headers[b"content-length"]) == len(ada.get(of(game)).content)
    assert body == b""


def test_who_reads_slowly_gets_all_of_it(service: Service, ada: Player) -> None:
    game = opened(ada, "spider")
    length = len(ada.get(of(game)).content)
    with connected(service) as (one,):
        one.sendall(asked(ada, game) * 400 + asked(ada, game, "connection: close"))
        time.sleep(0.5)  # the buffers between us fill
        heard = everything(one)
    assert heard.count(b"HTTP/1.1 200 OK") == 401
    assert len(heard) > 401 * length
    assert look(ada, game)["status"] == "playing"


class Cycle:
    """What uvicorn's protocol has for one request, with what was written."""

    def __init__(self, paused: bool = False) -> None:
        self.disconnected = self.response_started = self.response_complete = False
        self.keep_alive, self.waiting_for_100_continue = True, True
        self.flow = type("Flow", (), {"write_paused": paused})
        self.default_headers = [(b"date", b"today")]
        self.text = b""
        self.transport, self.message_event = self, asyncio.Event()
        self.responses = 0

    def write(self, text: bytes) -> None:
        self.text += text

    def on_response(self) -> None:
        self.responses += 1


START: dict[str, Any] = {"type": "http.response.start", "status": 200, "headers": [(b"etag", b'"3"')], "body": b"{}"}


def told(scope: dict[str, Any], **more: Any) -> list[Any]:
    """The messages that the server below is sent."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({**START, **more})

    async def run() -> None:
        await whole(app)(scope, None, send)  # type: ignore[arg-type]

    asyncio.run(run())
    return sent


def test_any_other_server_is_told_in_two_messages() -> None:
    for scope in ({}, {CYCLE: Cycle(paused=True)}):
        start, body = told(scope)
        assert start == {name: value for name, value in START.items() if name != "body"}
        assert body == {"type": "http.response.body", "body": b"{}", "more_body": False}


def test_our_own_writes_once() -> None:
    cycle = Cycle()
    assert told({CYCLE: cycle}) == []
    assert cycle.text == b'HTTP/1.1 200 OK\r\ndate: today\r\netag: "3"\r\n\r\n{}'
    assert (cycle.response_started, cycle.response_complete, cycle.responses) == (True, True, 1)


@pytest.mark.parametrize("value", [b"a\r\nset-cookie: b", b"a\nb", b"a\rb"])
def test_no_value_begins_a_header_of_its_own(value: bytes) -> None:
    cycle = Cycle()
    with pytest.raises(RuntimeError, match="line break"):
        told({CYCLE: cycle}, headers=[(b"etag", value)])
    assert cycle.text == b""


READ = (
    RequestResponseCycle.send, HttpToolsProtocol.on_headers_complete, HttpToolsProtocol.send_400_response,
    HttpToolsProtocol.__init__, HttpToolsProtocol.data_received, HttpToolsProtocol.on_body,
    HttpToolsProtocol.on_message_complete, HttpToolsProtocol.handle_websocket_upgrade,
)  # fmt: skip
"""Private parts of uvicorn whose work is done, or replaced, in `service/http/connections`."""


def test_uvicorn_is_as_it_was_when_its_private_parts_were_read() -> None:
    """For another version: read these functions again, adapt `service/http/connections`, and write the new digest."""
    assert uvicorn.__version__.startswith("0.54.")
    texts = "".join(map(inspect.getsource, READ))
    assert sha256(texts.encode()).hexdigest() == "9b40cbba6603818fe8b6ce60c19a0ae0dcd56172e1451b536285cbcb90b8647f"
