"""Blots out secrets in log lines: tokens, passwords, cards, seeds and keys, and the values of sensitive fields."""

import re
from typing import Any

from structlog.typing import EventDict, WrappedLogger

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


def withheld(logger: WrappedLogger, method: str, line: EventDict) -> EventDict:
    """The line with sensitive fields, and secrets within any text, blotted out."""
    return {name: BLOT if name.lower() in _NAMES else _blotted_value(value) for name, value in line.items()}


def is_harmless(text: str) -> bool:
    """Whether nothing in this text would be blotted out."""
    return not any(secret.search(text) for secret in _SECRETS)


def _blotted_value(value: Any) -> Any:
    """Numbers, booleans and None unchanged; all else as text without secrets."""
    if value is None or isinstance(value, bool | int | float):
        return value
    text = str(value)
    for secret in _SECRETS:
        text = secret.sub(BLOT, text)
    return text
