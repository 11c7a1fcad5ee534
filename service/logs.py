"""Logs: lines on stderr, as text or as JSON, that never carry a token, a password, a body or a card.

Whoever logs names neither; what slips into the text of an error is blotted out here. Tracebacks show source lines
alone, never the values of variables.
"""

import logging
import re
import sys
from collections.abc import Iterable
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

FORMATS = ("text", "json", "auto")
LEVELS = ("debug", "info", "warning", "error")
BLOT = "[withheld]"
_NAMES = {
    "body", "card", "cards", "command", "commands", "event_body", "authorization", "cookie", "token", "secret", "seed",
    "digest_key", "password", "conninfo", "database_url", "state", "view",
}  # fmt: skip
_SECRETS = (
    re.compile(r"kbz_[\w-]+"),  # tokens
    re.compile(r"(?<=://)[^\s/@]+(?=@)"),  # user and password of an address
    re.compile(r"(?i)(?<=password=)('[^']*'|\S+)"),
    re.compile(r"(?<!\w)([A2-9TJQK][SHDC]|\*[1-4])(?!\w)"),  # cards
    re.compile(r"(?<!\w)[0-9a-f]{64}(?!\w)"),  # seeds and keys
)


def configure(level: str = "info", format: str = "auto") -> None:
    """Route structlog and the standard library's logging to stderr; `auto` is text at a terminal and JSON elsewhere.

    Raises ValueError for a level or a format that does not exist.
    """
    if level not in LEVELS or format not in FORMATS:
        raise ValueError(f"Logs have the levels {', '.join(LEVELS)} and the formats {', '.join(FORMATS)}.")
    text = sys.stderr.isatty() if format == "auto" else format == "text"
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    _route(level.upper(), _formatter(text))


def _shared() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _formatter(text: bool) -> logging.Formatter:
    renderer: Processor = structlog.processors.JSONRenderer()
    if text:
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_appended)
    steps: Iterable[Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.format_exc_info,
        withheld,
        renderer,
    ]
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=_shared(), processors=list(steps))


def _appended(stream: Any, exc_info: Any) -> None:
    """Tracebacks are text already when they come here."""


def _route(level: str, formatter: logging.Formatter) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for logger in logging.root.manager.loggerDict.values():  # libraries that have brought handlers of their own
        if isinstance(logger, logging.Logger):
            logger.handlers.clear()
            logger.propagate = True
    for chatty in ("httpx", "httpcore", "psycopg.pool", "asyncio"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, logging.getLevelName(level)))


def withheld(logger: WrappedLogger, method: str, line: EventDict) -> EventDict:
    """The line without what no log may hold: values of telling names, and secrets within any text."""
    return {name: BLOT if name.lower() in _NAMES else _blotted(value) for name, value in line.items()}


def _blotted(value: Any) -> Any:
    """Numbers, truth values and nothing pass as they are; all else as text."""
    if value is None or isinstance(value, bool | int | float):
        return value
    text = str(value)
    for secret in _SECRETS:
        text = secret.sub(BLOT, text)
    return text
