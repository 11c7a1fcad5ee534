"""Headers that several operations share."""

from typing import Any

from service.http.operation import Call
from service.problems import Refused

ETAG = {"ETag": "The game's version, in quotes."}
LOCATION = {"Location": "Where the new thing is."}
KEY = {
    "Idempotency-Key": "Any text of yours, 1 to 200 printable ASCII characters: a repeat of what was recorded with the "
    "same key is answered as the first time, and nothing happens twice. What was refused recorded nothing: the refusal "
    "is not kept, and a repeat is judged anew. A key is kept while its game goes on and at least seven days after the "
    "game's last change; a repeat later still is judged as a new request, which a finished game refuses.",
}
IF_MATCH = {
    "If-Match": 'The version the command was thought for, as the ETag gave it (`"12"`): refused with 412 if the game '
    'has moved on. Left out, or `*`: judged against the game as it stands. The version alone counts: `W/"12"`, as a '
    "proxy that compresses answers makes of it, and a bare `12` are the same.",
}
LAST_EVENT_ID = {"Last-Event-ID": "The version of the last frame received: the stream goes on after it."}


def etag(version: int) -> str:
    return f'"{version}"'


def expected_version(call: Call[Any, Any]) -> int | None:
    """The version that If-Match names; None without the header or for `*`."""
    given = call.header(b"if-match")
    if given is None or (text := given.strip()) == "*":
        return None
    text = text.removeprefix("W/") if text.startswith('W/"') else text
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return _number(text[1:-1] if quoted else text, "If-Match")


def last_event_id(call: Call[Any, Any]) -> int | None:
    """The version that Last-Event-ID names; None without the header."""
    text = call.header(b"last-event-id")
    return None if text is None else _number(text, "Last-Event-ID")


def _number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused("malformed", f"{name}: not a version.")
    return int(text)
