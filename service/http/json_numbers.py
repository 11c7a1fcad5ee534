"""JSON Schema calls `7.0` an integer, and so do clients whose language has one kind of number."""

from math import isfinite
from typing import Any

import msgspec


def integer(value: Any) -> Any:
    """A number that is whole as an int; anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _number(text: str) -> int | float:
    value = float(text)
    if not isfinite(value):
        raise ValueError("Number out of range")
    return integer(value)  # type: ignore[no-any-return]


WITH_INTEGERS: msgspec.json.Decoder[Any] = msgspec.json.Decoder(float_hook=_number)
"""Reads any JSON value, and every number in it that is whole as an int."""
