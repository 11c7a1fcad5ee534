"""Rules for JSON beyond its grammar: bounded depth and number of parts, no member twice, whole numbers.

Depth and number of arrays and objects are checked before anything is decoded. Readers disagree on which of two
members of one name counts (RFC 8259, 4): such an object is refused. JSON Schema calls `7.0` an integer,
and so do clients whose language has one kind of number.
"""

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any

import msgspec

from service.problems import Refused

_LONGEST = 200


class _Object(list[tuple[str, Any]]):
    """An object as its members, in the order of the text."""


MOST = 5_000
"""Most arrays and objects of one body: several times those of the longest list of commands."""
_KEPT = b'"[]{}'
_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes(byte for byte in range(256) if byte not in _KEPT)


def check_depth(body: bytes, limit: int) -> None:
    """Raises Refused when arrays and objects are nested deeper than `limit`, or are more than `MOST`.

    Removes innermost brackets level by level, without a loop over bytes in Python: 256 kB take at most two
    milliseconds, a command a quarter of a microsecond.
    """
    if body.count(b"{") + body.count(b"[") <= limit:
        return
    left = _brackets(body)
    if left.count(b"[") > MOST:
        raise Refused("malformed", f"Body: more than {MOST} arrays and objects, or nested deeper than {limit} levels.")
    for _ in range(limit):
        before, left = left, left.replace(b"[]", b"")
        if len(left) == len(before):
            break
    if b"[]" in left or left.count(b"[") > limit:
        raise Refused("malformed", f"Body: nested deeper than {limit} levels.")


def _brackets(body: bytes) -> bytes:
    """All brackets outside strings, as square ones."""
    left = without_escapes(body).translate(_ONE_KIND, _OTHERS).replace(b'""', b"")  # strings without a bracket
    return b"".join(left.split(b'"')[::2]) if b'"' in left else left


def without_escapes(text: bytes) -> bytes:
    """JSON without the escapes that stand for a backslash or a quote: every quote left begins or ends a string."""
    return text.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in text else text


def check_members(body: bytes) -> None:
    """Raises Refused for valid JSON in which an object has a member twice; says which and where.

    Decoding and encoding such a text loses the quotes of a name; only then is it searched. A command takes one
    microsecond.
    """
    try:
        again = msgspec.json.encode(msgspec.json.decode(body))
    except (msgspec.MsgspecError, OverflowError):  # a number of more than 64 bits
        again = b""
    if _count_quotes(again) == _count_quotes(body):
        return
    for pointer, name in _repeated_members(json.loads(body, object_pairs_hook=_Object), ""):
        raise Refused("malformed", f"Body: the member `{name[:_LONGEST]}` stands twice, at `{pointer[-_LONGEST:]}`.")


def _count_quotes(text: bytes) -> int:
    return without_escapes(text).count(b'"')


def _repeated_members(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """JSON pointer (RFC 6901) and name of every repeated member."""
    if isinstance(value, _Object):
        names = set[str]()
        for name, member in value:
            there = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            if name in names:
                yield there, name
            names.add(name)
            yield from _repeated_members(member, there)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _repeated_members(item, f"{pointer}/{number}")


def integer(value: Any) -> Any:
    """A float without a fraction as an int; anything else unchanged."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _number(text: str) -> int | float:
    value = float(text)
    if not isfinite(value):
        raise ValueError("Number out of range")
    return integer(value)  # type: ignore[no-any-return]


WITH_INTEGERS: msgspec.json.Decoder[Any] = msgspec.json.Decoder(float_hook=_number)
"""Decodes any JSON value; numbers without a fraction become ints."""
