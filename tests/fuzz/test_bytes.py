"""Whatever bytes a client sends, in whatever pieces: an answer of HTTP, or the end of the connection."""

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from uvicorn.server import ServerState

from service.cli.server import configuration
from service.http.connections.protocol import BoundedProtocol
from service.settings import Settings

from .bounds import bounded_time
from .inputs import inputs
from .test_decoders import EXAMPLES, LONG

_POST = b"POST /v1/games HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhello"
_SAMPLES = (
    b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n",
    _POST,
    b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    b"GET /?a=b HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nexpect: 100-continue\r\n\r\n"
    + _POST,
    b"HEAD /%00%ff HTTP/1.0\r\nauthorization: Bearer kbz_x\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nhost: x\r\norigin: null\r\nconnection: close\r\n\r\n",
)


class Wire(asyncio.Transport):
    """What a connection is written to."""

    def __init__(self) -> None:
        super().__init__({"peername": ("203.0.113.7", 5), "sockname": ("127.0.0.1", 80)})
        self.said, self.closed = b"", False

    def write(self, data: Any) -> None:
        self.said += bytes(data)

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        """All of it is read."""

    def resume_reading(self) -> None:
        """All of it is read."""


async def _application(scope: Any, receive: Any, send: Any) -> None:
    """Reads the body and says how long it was."""
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length, more = length + len(message["body"]), message["more_body"]
    body = b"%d" % length
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _talk(pieces: list[bytes]) -> tuple[Wire, BoundedProtocol, list[str]]:
    config = configuration(_application, Settings(max_head_bytes=2_000))
    config.load()
    kind: Any = config.http_protocol_class
    connection, wire, broken = kind(config, ServerState(), {}), Wire(), list[str]()
    asyncio.get_running_loop().set_exception_handler(lambda loop, found: broken.append(str(found)))
    connection.connection_made(wire)
    for piece in pieces:
        if not wire.closed:
            connection.data_received(piece)
        await asyncio.sleep(0)
    for _ in range(20):
        await asyncio.sleep(0)
    connection.connection_lost(None)
    for _ in range(20):
        await asyncio.sleep(0)
    return wire, connection, broken


@pytest.fixture(scope="module", autouse=True)
def _quiet() -> Iterator[None]:
    """What strangers send is no line of the test's output."""
    log = logging.getLogger("connections")
    before = log.level
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(before)


@settings(
    max_examples=4 * EXAMPLES, deadline=None, derandomize=not LONG, database=None,
    suppress_health_check=list(HealthCheck), print_blob=False,
)  # fmt: skip
@given(texts=st.lists(inputs(_SAMPLES), min_size=1, max_size=4), cuts=st.lists(st.integers(1, 3_000), max_size=6))
def test_whatever_comes_over_a_connection_is_answered_by_http_or_ends_it(texts: list[bytes], cuts: list[int]) -> None:
    text, pieces = b"".join(texts), list[bytes]()
    for cut in cuts:
        pieces, text = [*pieces, text[:cut]], text[cut:]
    with bounded_time():
        wire, connection, broken = asyncio.run(_talk([piece for piece in [*pieces, text] if piece]))
    assert broken == []
    assert wire.said == b"" or wire.said.startswith(b"HTTP/1.1 ")
    assert connection.open_connections.total == 0
    assert connection._timer is None or connection._timer.cancelled()
    assert not connection.tasks


def test_good_requests_are_answered_one_after_the_other() -> None:
    wire, _, broken = asyncio.run(_talk([_POST[:30], _POST[30:] + _POST, _POST]))
    assert (wire.said.count(b"HTTP/1.1 200 OK"), wire.said.count(b"\r\n\r\n5"), broken) == (3, 3, [])
