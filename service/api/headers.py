"""Headers that several operations share."""

from typing import Any

from service.http.operation import Call
from service.live import idempotency
from service.problems import refused_header

ETAG = {"ETag": "The game's version, in quotes; if the answer is to a GET, followed by a dot and a digest of it."}
LOCATION = {"Location": "Where the new thing is."}
KEY = {idempotency.KEY: idempotency.TOLD}
IF_MATCH = {
    "If-Match": 'The version the command was thought for, as the ETag gave it (`"12"`): refused with 412 if the game '
    'has moved on. Left out, or `*`: judged against the game as it stands. The version alone counts: `W/"12"`, as a '
    "proxy that compresses answers makes of it, and a bare `12` are the same.",
}
LAST_EVENT_ID = {"Last-Event-ID": "The id of the last event received, a version: the stream goes on after it."}
_NO_VERSION = 'Expected a version, as an ETag or a frame gave it: `"12"`.'


def etag(version: int) -> str:
    return f'"{version}"'


def expected_version(call: Call[Any, Any]) -> int | None:
    """The version that If-Match names; None without the header or for `*`."""
    given = call.header(b"if-match")
    if given is None or (text := given.strip()) == "*":
        return None
    text = text.removeprefix("W/") if text.startswith('W/"') else text
    if text[-18:-17] == "." and text[-1] == '"':  # what was read has a digest behind the version
        text = text[:-18] + '"'
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return _number(text[1:-1] if quoted else text, "If-Match")


def last_event_id(call: Call[Any, Any]) -> tuple[int, int] | None:
    """The version that Last-Event-ID names, and the log position of the ruling told after it (0: none); None without
    the header."""
    if (text := call.header(b"last-event-id")) is None:
        return None
    version, dot, ruling = text.partition(".")
    if dot and not (ruling.isascii() and ruling.isdigit() and len(ruling) <= 18):
        raise refused_header("Last-Event-ID", _NO_VERSION)
    return _number(version, "Last-Event-ID"), int(ruling or 0)


def _number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise refused_header(name, _NO_VERSION)
    return int(text)
