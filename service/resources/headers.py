"""Headers that several operations share."""

from typing import Any

from litestar import Request

from service.problems import Refused

ETAG = {"ETag": "The game's version, in quotes."}
LOCATION = {"Location": "Where the new thing is."}
KEY = {
    "Idempotency-Key": "Any text of yours, 1 to 200 printable characters: a repeat with the same key is answered as "
    "the first time, and nothing happens twice. A key lasts as long as the game.",
}
IF_MATCH = {
    "If-Match": 'The version the command was thought for, as the ETag gave it (`"12"`): refused with 412 if the game '
    "has moved on. Left out, or `*`: judged against the game as it stands.",
}
LAST_EVENT_ID = {"Last-Event-ID": "The version of the last frame received: the stream goes on after it."}


def etag(version: int) -> str:
    return f'"{version}"'


def expected_version(request: Request[Any, Any, Any]) -> int | None:
    """The version that If-Match names; None without the header or for `*`."""
    text = request.headers.get("if-match", "*").strip()
    if text == "*":
        return None
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return _number(text[1:-1] if quoted else text, "If-Match")


def last_event_id(request: Request[Any, Any, Any]) -> int | None:
    """The version that Last-Event-ID names; None without the header."""
    text = request.headers.get("last-event-id")
    return None if text is None else _number(text, "Last-Event-ID")


def _number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused("malformed", f"{name}: not a version.")
    return int(text)
