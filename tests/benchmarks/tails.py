"""`python -m tests.benchmarks.tails [SECONDS]`: commands at half load, and where the time of the slowest went.

Prints the stages of the slowest 1 % beside those of the median, and what the event loop did meanwhile (seen where it
lets go of the interpreter). The service is `kibitz serve` with the tracer; the load runs in this process.
"""

import asyncio
import sys
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from service.telemetry import logs

from . import tracer
from .asking import registered, requests
from .load import Client, Round, load
from .measures import say, short
from .running import database, durable_postgres, kibitz
from .tracer import ASKED, Trace

CLIENTS = 64
STAGES = {
    "late": "the client's answer before was late", "loop": "until the loop takes it up: socket, queue, parsing",
    "before": "who asks, what is asked, the game's lock", "decide": "the rules", "encode": "rows and companions",
    "queue": "the flight before", "flight": "its own flight: statement, flush", "wake": "the loop goes on with it",
    "answer": "frames, log line, counts", "send": "until the client has it",
}  # fmt: skip
_END = b"\r\n\r\n"
_HOPED = 8_000  # commands a second


class Marking(list[bytes]):
    """Requests that say when they are sent, and when the last one was (`at`)."""

    at = 0.0

    def __getitem__(self, number: Any) -> Any:
        self.at = perf_counter()
        return super().__getitem__(number).replace(_END, b"\r\n%b: %r%b" % (ASKED, self.at, _END), 1)


class Marked(Client):
    """A client that keeps, by when each command was sent, when it was due and answered."""

    def __init__(self, requests: Sequence[bytes]) -> None:
        self._marking = Marking(requests)
        super().__init__(self._marking, cycle=False)
        self.seen: dict[float, tuple[float, float]] = {}

    def _answered(self) -> None:
        self.seen[self._marking.at] = self._asked, perf_counter()
        super()._answered()


async def _run_marked(port: int, asked: Sequence[list[bytes]], seconds: float, rate: float) -> dict[Any, Any]:
    clients = [Marked(one) for one in asked]
    for client in clients:
        await client.connect(port)
    round = Round(seconds, len(clients), rate)
    for number, client in enumerate(clients):
        client.begin(round, number / len(clients))
    await round.over
    return {at: seen for client in clients for at, seen in client.seen.items()}


class Command(NamedTuple):
    """One command: seconds in all, when it was due and answered, its stages, without a core; those of its flight."""

    took: float
    due: float
    end: float
    stages: tuple[float, ...]
    waited: float
    flew: int


def _commands(seen: dict[float, tuple[float, float]], trace: Trace) -> list[Command]:
    """The accepted ones, the fastest first."""
    rows = [row for row in trace.rows if len(row) == len(STAGES) + 1 and row[0] in seen]
    flights = Counter(row[5] for row in rows)
    found = []
    for *instants, waited, _ in rows:
        due, end = seen[instants[0]]
        stages = tuple(later - earlier for earlier, later in pairwise([due, *instants, end]))
        found.append(Command(end - due, due, end, stages, waited, flights[instants[5]]))
    return sorted(found)


def _tell(found: list[Command], trace: Trace) -> Iterator[str]:
    """Stages and what was beside them, as a table; then the longest standstills."""
    middle, slow = found[len(found) * 45 // 100 : len(found) * 55 // 100], found[-len(found) // 100 :]
    yield f"{len(found)} commands: p50 {_ms(middle[len(middle) // 2].took)} ms, p99 {_ms(slow[0].took)} ms"
    yield f"the loop's thread ran {_share_run(found, trace):.0%} of the time"
    yield "| ms, mean | the median | slowest 1 % | what it is |\n|---|---|---|---|"
    measures: dict[tuple[str, str], Callable[[Command], float]] = {
        told: partial(lambda number, one: one.stages[number], number) for number, told in enumerate(STAGES.items())
    }
    measures["of it", "without a core"] = lambda one: one.waited
    measures["of it", "collecting garbage"] = partial(_collected, trace)
    for (name, told), measure in measures.items():
        yield f"| {name} | {' | '.join(_ms(fmean(map(measure, part))) for part in (middle, slow))} | {told} |"
    began = min(one.due for one in found)
    for generation in range(3):
        took = [used for at, _, of, used in trace.pauses if of == generation and at > began]
        longest = _ms(max(took, default=0.0))
        yield f"garbage, generation {generation}: {len(took)} times, {longest} ms of processor at most"
    yield f"the loop meanwhile, the median: {_doing(middle, trace)}"
    yield f"the loop meanwhile, the slowest: {_doing(slow, trace)}"
    stalls = list[list[Command]]()
    for one in sorted(slow, key=lambda one: one.end):
        if not stalls or one.due > stalls[-1][-1].end:
            stalls.append([])
        stalls[-1].append(one)
    yield f"the slowest are {len(stalls)} standstills; the longest:"
    for stall in sorted(stalls, key=len, reverse=True)[:8]:
        worst = max(stall, key=lambda one: one.took)
        stages = sorted(zip(worst.stages, STAGES, strict=True), reverse=True)[:3]
        told = ", ".join(f"{name} {_ms(seconds)}" for seconds, name in stages)
        yield f"* {len(stall)} commands, {worst.flew} in one flight, {_ms(worst.took)} ms: {told}"
        yield f"  {_doing([worst], trace)}"


def _share_run(found: list[Command], trace: Trace) -> float:
    """Of the time from the first command to the last, the part in which the loop's thread had a core and work."""
    began = min(one.due for one in found)
    (*_, first, _, ran), *_, (*_, last, _, ran_then) = [row for row in trace.rows if row[0] >= began]
    return (ran_then - ran) / (last - first)


def _collected(trace: Trace, one: Command) -> float:
    return sum(max(0.0, min(one.end, to) - max(one.due, at)) for at, to, *_ in trace.pauses)


def _doing(part: Sequence[Command], trace: Trace) -> str:
    """What the loop was seen at, most often first."""
    at, seen = [now for now, _ in trace.samples], Counter[str]()
    for one in part:
        seen.update(told for _, told in trace.samples[bisect(at, one.due) : bisect(at, one.end)])
    return ", ".join(f"{name or 'not ours'} {100 * count // seen.total()} %" for name, count in seen.most_common(6))


def _ms(seconds: float) -> str:
    return f"{short(1e3 * seconds):g}"


def main(seconds: float) -> None:
    """Measure, and print."""
    logs.configure("warning")
    with TemporaryDirectory() as folder, durable_postgres() as postgres, database(postgres) as conninfo:
        left = Path(folder) / "trace"
        with kibitz(conninfo, program=tracer.__name__, **{tracer.TRACE: str(left)}) as served:
            table = registered(served.port)
            with load(served.port, requests(table, CLIENTS, _HOPED * 2 // CLIENTS)) as warming:
                full = warming.run(2.0).accepted
            asked = requests(table, CLIENTS, int(full / 2 * seconds / CLIENTS) + 50)
            say(f"{full / 2:.0f} commands a second, half of what {CLIENTS} clients reach, for {seconds:g} s")
            seen = asyncio.run(_run_marked(served.port, asked, seconds, full / 2))
        trace = msgspec.msgpack.decode(left.read_bytes(), type=Trace)
    for line in _tell(_commands(seen, trace), trace):
        print(line)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
