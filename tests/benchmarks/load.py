"""The load: clients with one request each under way at a time, in a process of its own; requests are made beforehand.

`python -m tests.benchmarks.load` reads a Plan (msgpack, its length before it as 8 bytes) from stdin, then, per line,
for how many seconds to go on and how many requests a second to make in all (0: as many as are answered); it answers
each with a Tally as one line of JSON.
"""

import asyncio
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from .measures import percentile, spread
from .programs import Program, running

_END = b"\r\n\r\n"
_LENGTH = b"content-length: "


class Plan(Struct):
    """The port of the server, and each client's requests; `cycle`: from the start again after the last.

    `window`: each client has a WebSocket, with so many messages under way; its first request is the upgrade. 0: HTTP.
    """

    port: int
    clients: list[list[bytes]]
    cycle: bool = False
    window: int = 0


class Tally(Struct):
    """Answers by status, how long it took (seconds), latencies (ms), and whether a client ran out of requests."""

    statuses: dict[str, int]
    seconds: float
    p50: float
    p99: float
    exhausted: bool

    @property
    def accepted(self) -> float:
        """Answers 200 in a second."""
        return self.statuses.get("200", 0) / self.seconds


class Round:
    """One stretch of time under load."""

    def __init__(self, seconds: float, clients: int, rate: float) -> None:
        self.began = perf_counter()
        self.pace = clients / rate if rate else 0.0
        self.end = self.began + seconds
        self.statuses: Counter[str] = Counter()
        self.latencies: list[float] = []
        self.exhausted = False
        self.left = clients
        self.over = asyncio.get_running_loop().create_future()

    def leave(self, exhausted: bool) -> None:
        """A client has stopped; where one has run out of requests, all stop."""
        self.left -= 1
        if exhausted:
            self.exhausted, self.end = True, 0.0
        if not self.left:
            self.over.set_result(None)

    def tally(self) -> Tally:
        """What came of it."""
        seconds, took = perf_counter() - self.began, self.latencies
        fast, slow = 1e3 * percentile(took, 0.5), 1e3 * percentile(took, 0.99)
        return Tally(dict(self.statuses), seconds, fast, slow, self.exhausted)


class Client(asyncio.Protocol):
    """One connection: the next request when the answer is complete."""

    def __init__(self, requests: Sequence[bytes], cycle: bool) -> None:
        self._requests, self._cycle, self._next = requests, cycle, 0
        self._round: Round
        self._transport: Any = None
        self._heard = b""
        self._whole = 0
        self._asked = 0.0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    async def connect(self, port: int) -> None:
        """Be connected: a server closes connections that were quiet for some seconds."""
        if self._transport is None or self._transport.is_closing():
            await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", port)

    def begin(self, round: Round, share: float) -> None:
        """Go on with the requests; `share`: how much of the pace to wait before the first."""
        self._round = round
        self._due = round.began + share * round.pace
        self._ask_when_due()

    def _ask_when_due(self) -> None:
        """At a pace a late answer makes the next request late: its latency counts from when it was due."""
        wait = self._due - perf_counter() if self._round.pace else 0.0
        if wait > 0:
            asyncio.get_running_loop().call_later(wait, self._ask)
            return
        self._ask()
        if self._round.pace:
            self._asked = self._due

    def _ask(self) -> None:
        if self._next == len(self._requests):
            if not self._cycle:
                self._round.leave(exhausted=True)
                return
            self._next = 0
        self._asked = perf_counter()
        self._transport.write(self._requests[self._next])
        self._next += 1

    def data_received(self, data: bytes) -> None:
        self._heard = self._heard + data if self._heard else data
        if not self._whole:
            self._whole = _whole(self._heard)
        if self._whole and len(self._heard) >= self._whole:
            self._answered()

    def _answered(self) -> None:
        now, status = perf_counter(), self._heard[9:12].decode()
        self._round.latencies.append(now - self._asked)
        self._round.statuses[status] += 1
        self._heard, self._whole = b"", 0
        self._due += self._round.pace
        if now < self._round.end:
            self._ask_when_due()
        else:
            self._round.leave(exhausted=False)


class LineClient(asyncio.Protocol):
    """One WebSocket: so many messages under way, the next one for each answer."""

    def __init__(self, messages: Sequence[bytes], window: int) -> None:
        self._messages, self._window, self._next = messages, window, 1
        self._asked = deque[float]()
        self._transport: Any = None
        self._heard = b""
        self._open: asyncio.Future[None] | None = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._messages[0])

    async def connect(self, port: int) -> None:
        """Be connected and upgraded."""
        if self._open is None:
            self._open = asyncio.get_running_loop().create_future()
            await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", port)
            await self._open

    def begin(self, round: Round, share: float) -> None:
        """Fill the window."""
        self._round = round
        self._send(self._window)

    def _send(self, count: int) -> None:
        if self._next + count > len(self._messages):
            self._round.exhausted, self._round.end = True, 0.0
            return
        self._asked.extend([perf_counter()] * count)
        self._transport.write(b"".join(self._messages[self._next : self._next + count]))
        self._next += count

    def data_received(self, data: bytes) -> None:
        self._heard += data
        if self._open is not None and not self._open.done():
            head, end, self._heard = self._heard.partition(_END)
            assert end, head
            assert head.startswith(b"HTTP/1.1 101"), head
            self._open.set_result(None)
            return
        answered, at, heard = 0, 0, self._heard
        while at + 10 <= len(heard):
            length, start = heard[at + 1], at + 2
            if length >= 126:
                start += 2 if length == 126 else 8
                length = int.from_bytes(heard[at + 2 : start], "big")
            if start + length > len(heard):
                break
            if heard[at] == _TEXT:
                answered += self._answered(heard[start : start + 19])
            at = start + length
        self._heard = heard[at:]
        if answered and perf_counter() < self._round.end:
            self._send(answered)
        if answered and not self._asked:
            self._round.leave(exhausted=False)

    def _answered(self, head: bytes) -> bool:
        self._round.latencies.append(perf_counter() - self._asked.popleft())
        self._round.statuses["200" if head == b'{"type":"accepted",' else "refused"] += 1
        return True


_TEXT = 0x81


def _whole(heard: bytes) -> int:
    """The length of the whole answer, 0 while its head is not complete."""
    head = heard.find(_END)
    if head < 0:
        return 0
    at = heard.find(_LENGTH, 0, head) + len(_LENGTH)
    return head + len(_END) + int(heard[at : heard.find(b"\r\n", at)])


class Load:
    """The load's process, as the benchmark sees it."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def run(self, seconds: float, rate: float = 0.0) -> Tally:
        """The clients go on for so long, at this rate or as fast as they are answered."""
        self._program.write(b"%f %f\n" % (seconds, rate))
        return msgspec.json.decode(self._program.line(), type=Tally)


@contextmanager
def load(port: int, clients: list[list[bytes]], cycle: bool = False, window: int = 0) -> Iterator[Load]:
    """The load's process for the length of a `with` block."""
    text = msgspec.msgpack.encode(Plan(port, clients, cycle, window))
    with running(["-m", __name__]) as program:
        program.write(len(text).to_bytes(8, "big") + text)
        yield Load(program)


def accepted(tallies: Iterable[Tally]) -> list[float]:
    """Answers 200 in a second, of each."""
    return [tally.accepted for tally in tallies]


def latencies(tallies: Sequence[Tally]) -> dict[str, Any]:
    """Medians and 99th percentiles."""
    return {"p50_ms": spread([one.p50 for one in tallies]), "p99_ms": spread([one.p99 for one in tallies])}


def refused(tallies: Iterable[Tally]) -> dict[str, int]:
    """Answers that were no 200, by status, and rounds that ended early because a client had no more to say."""
    found = Counter[str]()
    for tally in tallies:
        found.update(tally.statuses)
        found["rounds_cut_short"] += tally.exhausted
    del found["200"]
    return dict(+found)


async def _main() -> None:
    length = int.from_bytes(sys.stdin.buffer.read(8), "big")
    plan = msgspec.msgpack.decode(sys.stdin.buffer.read(length), type=Plan)
    window = plan.window
    clients = [LineClient(one, window) if window else Client(one, plan.cycle) for one in plan.clients]
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        for client in clients:
            await client.connect(plan.port)
        seconds, rate = map(float, line.split())
        round = Round(seconds, len(clients), rate)
        for number, client in enumerate(clients):
            client.begin(round, number / len(clients))
        await round.over
        print(msgspec.json.encode(round.tally()).decode(), flush=True)


def main() -> None:
    """The program, on uvicorn's fast event loop where there is one."""
    factory = import_module("uvloop").new_event_loop if find_spec("uvloop") else None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(_main())


if __name__ == "__main__":
    main()
