"""Logs: lines on stderr, as text or as JSON, that never carry a token, a password, a body or a card.

Callers log none of these; what slips into an error's text is blotted out here. Tracebacks show source lines only, never
the values of variables. A line within a request has its `request_id`.

Frequent lines have a fixed shape and are encoded directly: some 2 instead of 45 microseconds each. They skip the
processors that look for secrets, so their fields may hold only ids, numbers, words of our own (an operation, a rule's
slug) and the request id, which was checked when it came.
"""

import atexit
import logging
import os
import stat
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from service.telemetry import request_ids
from service.telemetry.background import start_thread
from service.telemetry.blotting import withheld
from service.telemetry.metrics import LINES_DROPPED

_encode = msgspec.json.Encoder().encode
LONGEST = 100_000
"""Most lines that wait while stderr is blocked; more are dropped and counted."""
_WHOLE = 4096
"""Bytes that a pipe takes atomically (PIPE_BUF of Linux): several processes may share one stderr."""
_WHOLE_IN_A_FILE = 1 << 20
"""A file takes any number; each further write costs two more switches between threads."""


class FastLogger:
    """Fast lines of one logger at level info; in text format, or before `configure`, they go through structlog."""

    _write: Callable[[str], object] | None = None

    def __init__(self, logger: str) -> None:
        self._name = logger
        self._usual = structlog.get_logger(logger)
        self._level = logging.getLogger(logger)

    def info(self, event: str, fields: dict[str, Any]) -> None:
        """One line of this event with these fields."""
        if not self._level.isEnabledFor(logging.INFO):
            return
        if FastLogger._write is None:
            self._usual.info(event, **fields)
            return
        line = {"event": event, "level": "info", "logger": self._name, "timestamp": datetime.now(UTC), **fields}
        FastLogger._write(_encode(line).decode() + "\n")


class Sink:
    """A text stream for lines, thread-safe: writes them at once, or gathered for a moment and together, by a thread.

    A slow stderr then blocks that thread only. Gathered lines are written at the process's end; a killed process loses
    the lines of its last moment. `gathering`: seconds that lines are gathered, 0 for none.
    """

    def __init__(self, stream: TextIO, gathering: float = 0.0) -> None:
        self._stream, self._gathering = stream, gathering
        self._most = _WHOLE_IN_A_FILE if _is_file(stream) else _WHOLE
        self._lines: deque[str] = deque()
        self._some = threading.Event()
        self._writing = threading.Lock()
        self._thread: threading.Thread | None = None
        if gathering:
            atexit.register(self.drain)

    def write(self, text: str) -> None:
        """Write or gather whole lines. Without gathering this waits for the stream."""
        if not self._gathering:
            self._stream.write(text)
        elif len(self._lines) >= LONGEST:
            LINES_DROPPED.inc()
        else:
            self._lines.append(text)
            if not self._some.is_set():
                self._wake()

    def flush(self) -> None:
        """Called by handlers after each line; does nothing while lines are gathered."""
        if not self._gathering:
            self._stream.flush()

    def drain(self) -> None:
        """Write what has been gathered."""
        with self._writing:
            for text in _joined_lines([self._lines.popleft() for _ in range(len(self._lines))], self._most):
                try:
                    self._stream.write(text)
                    self._stream.flush()
                except (OSError, ValueError):  # nobody reads it any more
                    LINES_DROPPED.inc(text.count("\n"))

    def _wake(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            try:
                self._thread = start_thread(self._run, "log-writer")
            except RuntimeError:  # no thread left: the lines wait, and the next line tries again
                return
        self._some.set()

    def _run(self) -> None:
        while self._some.wait():
            time.sleep(self._gathering)
            self._some.clear()
            self.drain()


def _is_file(stream: TextIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def _joined_lines(lines: list[str], most: int) -> Iterator[str]:
    """The lines joined to pieces of at most `most` characters; never splits a line."""
    piece, size = list[str](), 0
    for line in lines:
        if piece and size + len(line) > most:
            yield "".join(piece)
            piece, size = [], 0
        piece.append(line)
        size += len(line)
    if piece:
        yield "".join(piece)


FORMATS = ("text", "json", "auto")
LEVELS = ("debug", "info", "warning", "error")


def configure(level: str = "info", format: str = "auto", gathering: float = 0.0) -> None:
    """Route structlog and the standard library's logging to stderr; `auto` is text at a terminal and JSON elsewhere.

    `gathering`: seconds that lines wait to be written together by a thread; 0 writes each at once. Raises ValueError
    for a level or a format that does not exist.
    """
    if level not in LEVELS or format not in FORMATS:
        raise ValueError(f"Logs have the levels {', '.join(LEVELS)} and the formats {', '.join(FORMATS)}.")
    text = sys.stderr.isatty() if format == "auto" else format == "text"
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared_processors(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    sink = Sink(sys.stderr, gathering)
    _route(level.upper(), _formatter(text), sink)
    route_fast_lines(None if text else sink.write)


def drain() -> None:
    """Write what has been gathered, before the process ends abruptly."""
    for handler in logging.root.handlers:
        if isinstance(handler, logging.StreamHandler) and isinstance(handler.stream, Sink):
            handler.stream.drain()


def _shared_processors() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        _add_request_fields,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _add_request_fields(logger: WrappedLogger, method: str, line: EventDict) -> EventDict:
    line.update(request_ids.fields())
    return line


def _formatter(text: bool) -> logging.Formatter:
    renderer: Processor = structlog.processors.JSONRenderer()
    if text:
        skip = lambda stream, exc_info: None  # noqa: E731  tracebacks are text already
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=skip)
    steps: Iterable[Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.format_exc_info,
        withheld,
        renderer,
    ]
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=_shared_processors(), processors=list(steps))


def _route(level: str, formatter: logging.Formatter, sink: Sink) -> None:
    handler = logging.StreamHandler(sink)
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for logger in logging.root.manager.loggerDict.values():  # remove handlers that libraries installed
        if isinstance(logger, logging.Logger):
            logger.handlers.clear()
            logger.propagate = True
    for chatty in ("httpx", "httpcore", "asyncio"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, logging.getLevelName(level)))


def route_fast_lines(write: Callable[[str], object] | None) -> None:
    """Write fast lines, as JSON, by this function from now on; None: through structlog."""
    FastLogger._write = None if write is None else staticmethod(write)
