"""Callers whom nobody accepts are told so; where not even that can be done, the service ends."""

import socket
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest

from service.cli import serve
from service.cli.ending import Refusal
from service.cli.serve import PATIENCE, StandIn


class Clock:
    """What the stand-in takes for the time."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(serve, "monotonic", made)
    return made


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        yield listening


def test_callers_are_told_once_nobody_has_been_up_for_a_while(clock: Clock, listener: socket.socket) -> None:
    standing = StandIn(listener)
    with socket.create_connection(listener.getsockname(), timeout=60) as caller:
        caller.sendall(b"GET /livez HTTP/1.1\r\nHost: kibitz\r\n\r\n")
        clock.now += PATIENCE - 1
        standing.answer(others=False)
        caller.setblocking(False)
        with pytest.raises(BlockingIOError):
            caller.recv(1)
        caller.settimeout(60)
        clock.now += 2
        standing.answer(others=False)
        told = b"".join(iter(lambda: caller.recv(65_536), b""))
    head, _, body = told.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503 ")
    assert b"\r\nretry-after: 1" in head.lower()
    assert httpx.Response(503, content=body).json()["type"] == "/v1/problems/unavailable"


def test_while_somebody_is_up_callers_are_left_to_them(clock: Clock, listener: socket.socket) -> None:
    standing = StandIn(listener)
    with socket.create_connection(listener.getsockname(), timeout=60):
        for _ in range(10):
            clock.now += PATIENCE + 1
            standing.answer(others=True)
        accepted, _ = listener.accept()
        accepted.close()


def test_where_nobody_can_be_answered_for_long_the_service_ends(clock: Clock, listener: socket.socket) -> None:
    standing = StandIn(listener)
    listener.close()
    clock.now += PATIENCE + 1
    standing.answer(others=False)
    clock.now += 61
    with pytest.raises(Refusal, match="the service ends"):
        standing.answer(others=False)
