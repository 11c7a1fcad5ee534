"""A JSON object that has a member twice is refused: readers disagree on which of the two counts (RFC 8259, 4)."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from service.http.json_depth import without_escapes
from service.problems import Refused

_LONGEST = 200


def check_members(body: bytes) -> None:
    """Raises Refused for a text of valid JSON in which an object has a member twice; says which and where.

    Decoded and written again such a text has lost the quotes of a name; only then is it searched. That takes a
    command one microsecond.
    """
    try:
        again = msgspec.json.encode(msgspec.json.decode(body))
    except (msgspec.MsgspecError, OverflowError):  # a number of more than 64 bits
        again = b""
    if _quotes(again) == _quotes(body):
        return
    for pointer, name in _doubled(json.loads(body, object_pairs_hook=_Object), ""):
        raise Refused("malformed", f"Body: the member `{name[:_LONGEST]}` stands twice, at `{pointer[-_LONGEST:]}`.")


def _quotes(text: bytes) -> int:
    return without_escapes(text).count(b'"')


class _Object(list[tuple[str, Any]]):
    """An object as its members, in the order of the text."""


def _doubled(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """The JSON pointer (RFC 6901) and the name of every member that stands a second time."""
    if isinstance(value, _Object):
        names = set[str]()
        for name, member in value:
            there = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            if name in names:
                yield there, name
            names.add(name)
            yield from _doubled(member, there)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _doubled(item, f"{pointer}/{number}")
