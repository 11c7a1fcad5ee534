"""Headers that several operations share."""

import re
from typing import Any

from domain.play.aggregate import Game
from service import problems
from service.http.operation import Call
from service.live import idempotency
from service.live.room import stale
from service.problems import refused_header

ETAG = {"ETag": "The game's version, in quotes; if the answer is to a GET, followed by a dot and a digest of it."}
LOCATION = {"Location": "Where the new thing is."}
KEY = {idempotency.KEY: idempotency.HEADER_TEXT}
IF_MATCH = {
    "If-Match": 'The version the command was thought for, as the ETag gave it (`"12"`): refused with 412 if the game '
    'has moved on. Left out, or `*`: judged against the current game. The version alone counts: `W/"12"`, as a '
    "proxy that compresses answers makes of it, and a bare `12` are the same. Of several, separated by commas, "
    "one must be the game's.",
}
PREFER = {
    "Prefer": "`return=minimal` (RFC 7240): an answer without frames, for whoever keeps the position by other means."
}
APPLIED = {"Preference-Applied": "`return=minimal`, where the frames were left out for it."}
LAST_EVENT_ID = {"Last-Event-ID": "The id of the last event received, a version: the stream goes on after it."}
_IF_MATCH, _VERSION, _LONGEST = re.compile(problems.IF_MATCH), re.compile("[0-9]+"), 1_000
_NO_VERSION = 'Expected a version, as an ETag or a frame gave it: `"12"`.'


def etag(version: int) -> str:
    return f'"{version}"'


def check_if_match(call: Call[Any, Any], game: Game) -> None:
    """Raises Refused where If-Match names versions, and none of them is the game's."""
    if (header := call.header(b"if-match")) is None or (text := header.strip()) == "*":
        return
    if not (len(text) <= _LONGEST and _IF_MATCH.fullmatch(text)):
        raise refused_header("If-Match", _NO_VERSION)
    if game.version not in {int(_VERSION.findall(tag)[0]) for tag in text.split(",")}:
        raise stale(game)


def prefers_minimal(call: Call[Any, Any]) -> bool:
    """Whether the request prefers the least answer (RFC 7240, 4.2)."""
    given = call.headers_by_name.get(b"prefer", b"").lower().replace(b'"', b"").split(b",")
    return b"return=minimal" in [preference.partition(b";")[0].strip() for preference in given]


def last_event_id(call: Call[Any, Any]) -> tuple[int, int] | None:
    """The version that Last-Event-ID names, and the log position of a ruling sent after it or 0; None without it."""
    if (text := call.header(b"last-event-id")) is None:
        return None
    version, dot, ruling = text.partition(".")
    if dot and not (ruling.isascii() and ruling.isdigit() and len(ruling) <= 18):
        raise refused_header("Last-Event-ID", _NO_VERSION)
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise refused_header("Last-Event-ID", _NO_VERSION)
    return int(version), int(ruling or 0)
