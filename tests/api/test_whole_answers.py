"""Answers in one write, offers of other protocols: what bare sockets hear is HTTP, in order."""

import asyncio
import inspect
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from service.http.connections.answers import CYCLE, with_whole_answers

from .playing import Game, look, of, opened
from .serving import Player, Service, serving
from .sockets import HEAD, answer, connected, everything, status


def asked(player: Player, game: Game, *more: str, method: str = "GET", version: str = "1.1") -> bytes:
    lines = [f"{method} {of(game)} HTTP/{version}", "host: here", f"authorization: Bearer {player.token}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


def parts(heard: bytes) -> tuple[bytes, dict[bytes, bytes], bytes]:
    head, _, body = heard.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    return first, {name: value for name, _, value in (line.partition(b": ") for line in lines)}, body


def test_a_whole_answer_is_one_write_and_the_connection_stays(service: Service, ada: Player) -> None:
    game = opened(ada)
    before = writes(service)
    with connected(service) as (one,):
        for _ in range(300):
            one.sendall(asked(ada, game))
            first, headers, body = parts(one.recv(262_144))
            assert first == b"HTTP/1.1 200 OK"
            assert int(headers[b"content-length"]) == len(body) > 500
    assert {b"date", b"etag", b"request-id", b"ratelimit", b"x-content-type-options"} <= set(headers)
    assert b"connection" not in headers
    assert writes(service) - before < 2.5 * 300  # a line of the log is another


def writes(service: Service) -> int:
    """How many times the server's process has called write."""
    counts = Path(f"/proc/{service.process.pid}/io").read_text()
    return int(counts.partition("syscw: ")[2].partition("\n")[0])


def test_requests_sent_without_waiting_are_answered_in_their_order(service: Service, ada: Player) -> None:
    games = [opened(ada) for _ in range(5)]
    with connected(service) as (one,):
        one.sendall(b"".join(asked(ada, game) for game in games[:-1]) + asked(ada, games[-1], "connection: close"))
        heard = everything(one)
    found = [heard.find(game["id"].encode()) for game in games]
    assert found == sorted(found)
    assert -1 not in found
    assert heard.count(b"HTTP/1.1 200 OK") == 5


def test_who_asks_for_the_end_gets_it(service: Service, ada: Player) -> None:
    game = opened(ada)
    length = len(ada.get(of(game)).content)
    for request, sent in (
        (asked(ada, game, "connection: close"), length), (asked(ada, game, version="1.0"), length),
        (asked(ada, game, "connection: close", method="HEAD"), 0),
    ):  # fmt: skip
        with connected(service) as (one,):
            one.sendall(request)
            _, headers, body = parts(everything(one))
        assert (headers[b"connection"], int(headers[b"content-length"]), len(body)) == (b"close", length, sent)


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
        await with_whole_answers(app)(scope, None, send)  # type: ignore[arg-type]

    asyncio.run(run())
    return sent


def test_any_other_server_is_told_in_two_messages() -> None:
    for scope in ({}, {CYCLE: Cycle(paused=True)}):
        start, body = told(scope)
        assert start == {name: value for name, value in START.items() if name != "body"}
        assert body == {"type": "http.response.body", "body": b"{}", "more_body": False}


def test_our_own_writes_once_and_no_value_begins_a_header() -> None:
    cycle = Cycle()
    assert told({CYCLE: cycle}) == []
    assert cycle.text == b'HTTP/1.1 200 OK\r\ndate: today\r\netag: "3"\r\n\r\n{}'
    assert (cycle.response_started, cycle.response_complete, cycle.responses) == (True, True, 1)
    for value in (b"a\r\nset-cookie: b", b"a\nb", b"a\rb"):
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


def test_uvicorns_private_parts_are_as_they_were_read() -> None:
    """For another version: read these functions again, adapt `service/http/connections`, and write the new digest."""
    assert uvicorn.__version__.startswith("0.54.")
    texts = "".join(map(inspect.getsource, READ))
    assert sha256(texts.encode()).hexdigest() == "9b40cbba6603818fe8b6ce60c19a0ae0dcd56172e1451b536285cbcb90b8647f"


OFFERS = ("h2c", "foo/2", "websocket", "h2c, websocket")
BODY = b'{"name":"Offa"}'
SMUGGLED = b"POST /v1/players HTTP/1.1\r\nhost: here\r\ncontent-length: 2\r\n\r\n{}"
REGISTERING = b"POST /v1/players HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\n"
LIVE = HEAD + b"\r\n"


@pytest.fixture(scope="module")
def strict(conninfo: str) -> Iterator[Service]:
    """A server that takes short heads only."""
    bounds: dict[str, Any] = {"max_head_bytes": 4096, "run_worker": False}
    with serving(conninfo, **bounds) as service:
        yield service


def offering(protocol: str) -> bytes:
    """The headers of curl and of the JDK that offer it."""
    return b"connection: Upgrade, HTTP2-Settings\r\nupgrade: %b\r\nhttp2-settings: AAEAAEAA\r\n" % protocol.encode()


def framed(body: bytes, chunked: bool) -> bytes:
    """The end of a head and this body."""
    if chunked:
        pieces = b"".join(b"1\r\n%c\r\n" % byte for byte in body)
        return b"transfer-encoding: chunked\r\n\r\n%b0\r\nx-trailer: y\r\n\r\n" % pieces
    return b"content-length: %d\r\n\r\n%b" % (len(body), body)


@pytest.mark.parametrize("protocol", OFFERS)
@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
@pytest.mark.parametrize("step", [1, 40, 100_000], ids=["bytes", "pieces", "at once"])
def test_the_body_is_read_and_the_next_answered(service: Service, protocol: str, chunked: bool, step: int) -> None:
    request = REGISTERING + offering(protocol) + framed(BODY, chunked) + LIVE
    with connected(service) as (one,):
        for begin in range(0, len(request), step):
            one.sendall(request[begin : begin + step])
        made = answer(one)
        rest = made.partition(b"\r\n\r\n")[2]
        while not rest.endswith(b"}") or b"HTTP/1.1" not in rest:
            rest += one.recv(65_536)
    assert status(made) == 201
    assert b'"name":"Offa"' in made
    assert status(rest[rest.index(b"HTTP/1.1") :]) == 200


@pytest.mark.parametrize("protocol", OFFERS)
@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_a_body_that_is_a_request_is_none(service: Service, protocol: str, chunked: bool) -> None:
    head, _, body = (REGISTERING + offering(protocol) + framed(SMUGGLED, chunked)).partition(b"\r\n\r\n")
    with connected(service) as (one,):
        one.sendall(head + b"\r\n\r\n")
        time.sleep(0.5)
        one.sendall(body)
        refused = answer(one)
        one.sendall(HEAD + b"connection: close\r\n\r\n")
        assert status(everything(one)) == 200
    assert status(refused) == 400
    assert refused.count(b"HTTP/1.1") == 1
    assert json.loads(refused.partition(b"\r\n\r\n")[2])["type"] == "/v1/problems/malformed"


def test_many_offers_in_one_piece_are_answered_in_their_order(service: Service) -> None:
    offer = HEAD + offering("h2c") + b"\r\n"
    with connected(service) as (one,):
        one.sendall((offer + LIVE) * 50 + HEAD + offering("h2c") + b"connection: close\r\n\r\n")
        assert everything(one).count(b"HTTP/1.1 200 OK") == 101


def test_a_client_that_waits_for_100_gets_it(service: Service) -> None:
    with connected(service) as (one,):
        length = b"expect: 100-continue\r\ncontent-length: %d\r\n\r\n" % len(BODY)
        one.sendall(REGISTERING + offering("h2c") + length)
        assert status(one.recv(65_536)) == 100
        one.sendall(BODY)
        assert status(answer(one)) == 201


@pytest.mark.parametrize("step", [500, 100_000], ids=["pieces", "at once"])
def test_an_offer_counts_towards_the_length_of_its_head(strict: Service, step: int) -> None:
    request = HEAD + offering("h2c" + ", x" * 2_000) + b"\r\n"
    with connected(strict) as (one,):
        with suppress(OSError):  # it closes before it has read all pieces
            for begin in range(0, len(request), step):
                one.sendall(request[begin : begin + step])
                time.sleep(0.01)
        assert status(everything(one)) == 431


def test_neither_a_tunnel_nor_what_follows_is_a_request(service: Service) -> None:
    for target in (b"here:80", b"a://here/v1/players"):
        with connected(service) as (one,):
            one.sendall(b"CONNECT %b HTTP/1.1\r\nhost: here\r\ncontent-length: 2\r\n\r\n{}" % target + LIVE)
            heard = everything(one)
        assert status(heard) == 400
        assert heard.count(b"HTTP/1.1") == 1


def test_an_older_version_offers_nothing(service: Service) -> None:
    """RFC 9110, 7.8: `Upgrade` in a request of HTTP/1.0 is ignored."""
    upgrade = b"upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    with connected(service) as (one,):
        one.sendall(b"GET /v1/play HTTP/1.0\r\nhost: here\r\nconnection: Upgrade\r\n" + upgrade + b"\r\n")
        assert status(everything(one)) == 426
