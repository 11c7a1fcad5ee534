"""`python -m tests.benchmarks.tracer serve ...`: `kibitz` that notes when each command was where.

A tracer in OpenTelemetry's place (`service.telemetry.tracing`), so nothing in the service knows of it. What it has
noted is left, as msgpack, in the file that TRACE names.
"""

import gc
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from time import perf_counter, sleep, thread_time
from typing import Any

import msgspec
from msgspec import Struct

from service import cli
from service.telemetry import tracing

TRACE, ASKED = "BENCH_TRACE", b"x-asked"
"""Variable of the environment; header of a command with when it was sent (seconds of the monotonic clock)."""
_SAMPLE = 0.001  # seconds
_ROW: ContextVar["list[float] | None"] = ContextVar("row", default=None)


class Trace(Struct):
    """What the service has noted: instants of each command, pauses for garbage, samples of what the loop did.

    A row: when it was asked, begun, decided from and to, queued, sent and stored, taken up again, answered; seconds for
    which the loop's thread had no core meanwhile; its seconds of processor so far. A pause: from, to, the generation,
    seconds of processor.
    """

    rows: list[list[float]] = []
    pauses: list[tuple[float, float, int, float]] = []
    samples: list[tuple[float, str]] = []


class Tracer:
    """Notes instants where OpenTelemetry would make spans."""

    def __init__(self) -> None:
        self.trace = Trace()
        self._waiting: dict[Any, list[float]] = {}
        self._loop, self._schedule = threading.get_ident(), os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        gc.callbacks.append(self._collecting)
        threading.Thread(target=self._sample, daemon=True).start()

    def requests(self, app: Any) -> Any:
        """The application, outermost, with a row for each command that tells when it was asked."""

        async def traced(scope: Any, receive: Any, send: Any) -> None:
            asked = next((value for name, value in scope.get("headers", ()) if name == ASKED), None)
            if asked is None:
                return await app(scope, receive, send)
            row, waited = [float(asked), perf_counter()], self._waited()
            _ROW.set(row)

            async def sent(message: Any) -> None:
                if message["type"] == "http.response.start":
                    self.trace.rows.append([*row, perf_counter(), self._waited() - waited, thread_time()])
                await send(message)

            return await app(scope, receive, sent)

        return traced

    @contextmanager
    def span(self, name: str) -> Iterator[None]:
        """Note both ends of the decision, and the end of the append."""
        row = _ROW.get()
        if row is not None and name == "decide":
            row.append(perf_counter())
        yield
        if row is not None:
            row.append(perf_counter())

    def queued(self, waiter: Any) -> None:
        """Note when an append was queued."""
        if (row := _ROW.get()) is not None:
            row.append(perf_counter())
            self._waiting[waiter] = row

    @contextmanager
    def batch(self, waiters: Iterable[Any]) -> Iterator[None]:
        """Note both ends of a flight, for all that are in it."""
        rows = [row for waiter in waiters if (row := self._waiting.pop(waiter, None)) is not None]
        self._note(rows)
        yield
        self._note(rows)

    def _waited(self) -> float:
        """Seconds that the loop's thread has waited for a core."""
        return int(os.pread(self._schedule, 100, 0).split()[1]) / 1e9

    def _note(self, rows: list[list[float]]) -> None:
        now = perf_counter()
        for row in rows:
            row.append(now)

    def passed(self, name: str, began: int, numbers: Any) -> None:
        """Nothing is noted of what has no request."""

    def fields(self) -> dict[str, str]:
        """Nothing more in log lines."""
        return {}

    def close(self) -> None:
        """Leave what was noted."""
        Path(os.environ[TRACE]).write_bytes(msgspec.msgpack.encode(self.trace))

    def _collecting(self, phase: str, info: Any) -> None:
        if phase == "start":
            self._began, self._used = perf_counter(), thread_time()
        else:
            self.trace.pauses.append((self._began, perf_counter(), info["generation"], thread_time() - self._used))

    def _sample(self) -> None:
        while True:
            sleep(_SAMPLE)
            frame, now = sys._current_frames().get(self._loop), perf_counter()
            while frame is not None and not frame.f_globals["__name__"].startswith(("service.", "domain.", "proj")):
                frame = frame.f_back
            idle = frame is None or frame.f_code.co_name in ("_serve", "serve_on", "run")
            told = "" if idle or frame is None else f"{frame.f_globals['__name__']}.{frame.f_code.co_qualname}"
            self.trace.samples.append((now, told))


def main(words: list[str]) -> int:
    """`kibitz` with the tracer."""
    tracer = Tracer()
    tracing._otlp, tracing.is_on, tracing.span, tracing.batch = tracer, True, tracer.span, tracer.batch  # type: ignore
    return cli.main(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
