"""How serving ends for those who come: until the last moment each is answered, and from then on refused."""

import signal
import socket
import threading
from collections import Counter
from contextlib import suppress
from time import monotonic

import httpx
import pytest

from service.cli.server import bound_socket, stop_admitting

from .programs import Serving, folder, own_children, serving

ASKING = b"GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
UNFINISHED = b"POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n"
CALLERS = 8
LATE = 0.1
"""Seconds until a request is said: the service gives whoever has come twice as long, and waits no longer."""


def outcome(port: int) -> str:
    """What becomes of one request on a connection of its own."""
    began = monotonic()
    try:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(ASKING)
            late = monotonic() - began > LATE
            became = answer(connection)
    except ConnectionRefusedError as error:
        return type(error).__name__
    except OSError as error:  # it came, and could say nothing in time
        return "late" if monotonic() - began > LATE else type(error).__name__
    return "late" if late and became != "answered" else became


def answer(connection: socket.socket) -> str:
    try:
        return "answered" if connection.recv(100).startswith(b"HTTP/1.1 200") else "let go"
    except OSError as error:
        return type(error).__name__


def outcomes(service: Serving) -> Counter[str]:
    """What becomes of all who call, again and again, while the service is told to end."""
    said, over = Counter[str](), threading.Event()

    def call() -> None:
        while not over.is_set():
            said[outcome(service.port)] += 1

    callers = [threading.Thread(target=call) for _ in range(CALLERS)]
    for caller in callers:
        caller.start()
    while said["answered"] < 20 * CALLERS:
        over.wait(0.01)
    assert service.end(signal.SIGTERM) == 0
    over.set()
    for caller in callers:
        caller.join()
    return said


@pytest.mark.parametrize("processes", ["1", "2"])
def test_whoever_comes_while_it_ends_is_answered_or_refused_and_never_let_wait(processes: str) -> None:
    with folder() as data, serving(data, "--processes", processes) as service:
        assert set(outcomes(service)) - {"late"} == {"answered", "ConnectionRefusedError"}


def test_while_a_request_is_waited_for_nobody_else_is_let_in() -> None:
    """The parent of several processes lives longer than their listening, and accepts nobody itself."""
    with folder() as data, serving(data, "--processes", "2") as service:
        with socket.create_connection(("127.0.0.1", service.port)) as unfinished:
            unfinished.sendall(UNFINISHED)
            while outcome(service.port) != "answered":
                pass
            service.process.send_signal(signal.SIGTERM)
            while (said := outcome(service.port)) in ("answered", "late"):
                pass
            assert said == "ConnectionRefusedError"
            assert service.process.poll() is None
        assert service.process.wait(60) == 0


def test_one_of_several_processes_that_ends_alone_leaves_the_port_open() -> None:
    """The listener is everybody's: who ends may not stop the others from accepting."""
    with folder() as data, serving(data, "--processes", "2") as service:
        ended, *_ = [child for child in own_children(service.process.pid) if "api_process" in " ".join(child.cmdline())]
        ended.terminate()
        ended.wait(60)
        assert [outcome(service.port) for _ in range(20)] == ["answered"] * 20


def opened(address: str) -> str:
    """The id of a new game of a new player."""
    made = httpx.post(f"{address}/v1/players", json={"name": "Ada"}, timeout=60).raise_for_status().json()
    said = {"authorization": f"Bearer {made['token']['secret']}"}
    game = httpx.post(f"{address}/v1/games", json={"game_type": "klondike"}, headers=said, timeout=60)
    return str(game.raise_for_status().json()["id"])


@pytest.mark.parametrize("asked", ["/v1/feed?wait=60", "/v1/games/{game}/events?max_seconds=60"])
def test_a_stream_that_begins_while_it_ends_breaks_off_too(asked: str) -> None:
    while not begun_at_the_end(asked):  # where the machine is so busy that the request came too late
        pass


def begun_at_the_end(asked: str) -> bool:
    """Whether a stream began after an earlier one has broken off; if so, it has broken off like that one."""
    with folder() as data, serving(data) as service:
        request = f"GET {asked.format(game=opened(service.address))} HTTP/1.1\r\nhost: x\r\n\r\n".encode()
        with (
            socket.create_connection(("127.0.0.1", service.port)) as earlier,
            socket.create_connection(("127.0.0.1", service.port)) as early,
        ):
            earlier.sendall(request)
            assert earlier.recv(100).startswith(b"HTTP/1.1 200")
            service.process.send_signal(signal.SIGTERM)
            read_all(earlier)
            begun = b""
            with suppress(ConnectionError):
                early.sendall(request)
                begun = read_all(early)
        assert service.process.wait(60) == 0
        assert "Cancel" not in (data / "stderr").read_text()
    return begun.startswith(b"HTTP/1.1 200")


def read_all(connection: socket.socket) -> bytes:
    """What comes until the last chunk, or until the other side ends it."""
    read = b""
    while not read.endswith(b"\r\n0\r\n\r\n") and (part := connection.recv(10_000)):
        read += part
    return read


SO_LOCK_FILTER = 44


def test_from_the_end_of_admission_on_nobody_connects_and_the_closing_refuses_them() -> None:
    with bound_socket("127.0.0.1", 0) as listener:
        listener.listen()
        place, became = listener.getsockname(), list[type[BaseException] | None]()

        def call() -> None:
            try:
                socket.create_connection(place).close()
            except OSError as error:
                became.append(type(error))
            else:
                became.append(None)

        with socket.create_connection(place) as early:
            stop_admitting(listener)
            callers = [threading.Thread(target=call) for _ in range(4)]
            for caller in callers:
                caller.start()
            accepted, _ = listener.accept()
            with accepted:
                listener.settimeout(0.3)
                assert queued(listener) == 0
                listener.close()
                for caller in callers:
                    caller.join()
                early.sendall(b"here")
                assert accepted.recv(4) == b"here"
        assert became == [ConnectionRefusedError] * 4


def test_a_system_that_allows_no_filter_does_not_keep_the_service_from_its_end() -> None:
    with bound_socket("127.0.0.1", 0) as listener:
        stop_admitting(listener)
        listener.setsockopt(socket.SOL_SOCKET, SO_LOCK_FILTER, 1)  # from now on every further filter is refused
        stop_admitting(listener)


def queued(listener: socket.socket) -> int:
    """How many more can be accepted, within the listener's patience."""
    found = 0
    try:
        while True:
            listener.accept()[0].close()
            found += 1
    except TimeoutError:
        return found
