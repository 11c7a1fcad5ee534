"""What it costs to be watched: a line for a command, the counts of a command and of a request."""

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from logging.handlers import QueueHandler, QueueListener
from os import devnull
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from service.accounts.access import Access
from service.http.front import Front
from service.http.limits import Quotas
from service.live.command_log import CommandLog
from service.postgres import Server
from service.telemetry import blotting, logs
from service.telemetry.logs import FastLogger, Sink, route_fast_lines
from service.telemetry.metrics import COMMAND_SECONDS, COMMANDS, SECONDS

from .measures import interleaved, ratio, say, spread

_TIMES = 2_000
_GAME, _PLAYER = UUID(int=1 << 96), UUID(int=1 << 97)
_HEADERS = [(name, b"x" * 20) for name in (b"host", b"accept", b"authorization", b"content-type", b"content-length")]
_SCOPE = {
    "type": "http", "method": "GET", "path": "/", "scheme": "http", "http_version": "1.1", "client": ("127.0.0.1", 1),
    "headers": _HEADERS,
}  # fmt: skip
_STEP: Any = SimpleNamespace(
    records=(SimpleNamespace(version=4, step=1),),
    game=SimpleNamespace(type=SimpleNamespace(key="klondike"), version=4, step=1),
)
_FIELDS = {
    "game": _GAME, "game_type": "klondike", "version": 4, "step": 1, "seat": 0, "player": _PLAYER,
    "outcome": "accepted", "reason": "", "millis": 1.234, "request_id": "a" * 32,
}  # fmt: skip


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document: microseconds of processor time, writing included."""
    say("watching")
    with open(devnull, "w") as nowhere:
        rates = interleaved(_works(nowhere), _TIMES)
        route_fast_lines(None)
    cost = {name: [1e6 / rate for rate in found] for name, found in rates.items()}
    return {
        **{f"{name}_us": spread(numbers) for name, numbers in cost.items()},
        "line_to_usual_line": ratio(cost["line"], cost["usual_line"]),
        "gathered_to_queued_line": ratio(cost["gathered_line"], cost["queued_line"]),
        "counts_to_library_counts": ratio(cost["counts"], cost["library_counts"]),
        "front_adds_us": spread(
            [one - other for one, other in zip(cost["fronted_request"], cost["bare_request"], strict=True)]
        ),
    }


def _works(nowhere: io.TextIOBase) -> dict[str, Callable[[], object]]:
    sink = Sink(nowhere, 0.1)  # type: ignore[arg-type]
    route_fast_lines(sink.write)
    return {
        "line": partial(_lines, FastLogger("benchmark")),
        "usual_line": partial(_usual, nowhere),
        "gathered_line": partial(_gathered, nowhere),
        "queued_line": partial(_queued, nowhere),
        "counts": _counts,
        "library_counts": partial(_library_counts, CollectorRegistry()),
        "command_without_line": partial(_commands, False),
        "bare_request": partial(_requests, _answer),
        "fronted_request": partial(_requests, Front(_answer, Quotas("requests", 10**9, 60), Access(cast(Any, None)))),
    }


def _lines(fast: FastLogger) -> None:
    fast._level.setLevel("INFO")
    for _ in range(_TIMES):
        fast.info("command", _FIELDS)


def _usual(nowhere: io.TextIOBase) -> None:
    """The same line through structlog's processors and the blotting of secrets."""
    processors = [*logs._shared_processors(), blotting.withheld, structlog.processors.JSONRenderer()]
    logger = structlog.wrap_logger(structlog.PrintLogger(nowhere), processors, structlog.stdlib.BoundLogger)  # type: ignore[arg-type]
    named: Any = logger.bind()
    named._logger.name = "benchmark"
    for _ in range(_TIMES):
        named.info("command", **_FIELDS)


def _gathered(nowhere: io.TextIOBase) -> None:
    """Lines that are encoded already, written as the service writes them."""
    sink = Sink(nowhere, 0.1)  # type: ignore[arg-type]
    for _ in range(_TIMES):
        sink.write("a line\n")
    sink.drain()


def _queued(nowhere: io.TextIOBase) -> None:
    """The same through the standard library's queue handler and the thread of its listener."""
    lines: SimpleQueue[Any] = SimpleQueue()
    listener = QueueListener(lines, logging.StreamHandler(nowhere))
    logger = logging.Logger("benchmark")
    logger.addHandler(QueueHandler(lines))
    listener.start()
    for _ in range(_TIMES):
        logger.info("a line")
    listener.stop()


def _counts() -> None:
    for _ in range(_TIMES):
        COMMANDS("benchmark", "accepted", "").inc()
        COMMAND_SECONDS("benchmark").observe(0.002)


def _library_counts(registry: CollectorRegistry) -> None:
    """The same counts as the client library's own metrics."""
    commands = Counter("commands", "Commands.", ["game_type", "outcome", "reason"], registry=registry)
    seconds = Histogram("seconds", "Seconds.", ["game_type"], buckets=SECONDS, registry=registry)
    for _ in range(_TIMES):
        commands.labels("benchmark", "accepted", "").inc()
        seconds.labels("benchmark").observe(0.002)
    registry.unregister(commands)
    registry.unregister(seconds)


def _commands(lines: bool) -> None:
    for _ in range(_TIMES):
        with CommandLog(_GAME, _PLAYER, lines) as log:
            log.step, log.seat = _STEP, 0


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _nobody(message: Any) -> None:
    """Whoever the answer is for."""


def _requests(app: Callable[..., Awaitable[None]]) -> None:
    async def ask() -> None:
        for _ in range(_TIMES):
            await app({**_SCOPE}, None, _nobody)

    coroutine: Coroutine[Any, Any, None] = ask()
    asyncio.run(coroutine)
