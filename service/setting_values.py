"""Types of settings' values, bounded numbers among them, and the sentence that refuses another value."""

from math import isfinite
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, ValidationError, convert, inspect

Port = Annotated[int, Meta(ge=0, le=65_535)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
AtLeastOne = Annotated[int, Meta(ge=1, le=10**9)]
Bytes = Annotated[int, Meta(ge=1_000, le=2**30)]
Days = Annotated[float, Meta(ge=0, le=36_500)]
Seconds = Annotated[float, Meta(ge=0, le=10**7)]
Pause = Annotated[float, Meta(ge=0.01, le=10**5)]
"""Seconds between two events, or a timeout: never 0, which would be a busy loop."""

Address = Annotated[str, Meta(pattern=r"^([^\s:\[\]]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?$")]


def convert_value(kind: Any, given: object, called: str) -> object:
    """The given value, converted to this type; raises ValueError with one sentence that begins with `called`.

    The sentence does not repeat the value, for a wrong variable may hold a secret.
    """
    try:
        value = convert(given, kind, strict=False, dec_hook=decode_path)
    except ValidationError:
        value = float("nan")
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{called} must be {wanted(inspect.type_info(kind))}.") from None
    return value


def decode_path(kind: type, value: object) -> object:
    """The decoding hook of msgspec for settings that are paths."""
    return Path(str(value)) if kind is Path else NotImplemented


def wanted(kind: inspect.Type) -> str:
    """What a value of this type must be, in words."""
    if isinstance(kind, inspect.Metadata):
        return wanted(kind.type)
    if isinstance(kind, inspect.UnionType):
        return wanted(next(one for one in kind.types if not isinstance(one, inspect.NoneType)))
    if isinstance(kind, inspect.LiteralType):
        *others, last = kind.values
        return f"{', '.join(map(str, others))} or {last}"
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        return _number(kind)
    return "true or false" if isinstance(kind, inspect.BoolType) else _ADDRESS


_ADDRESS = "a host, or a host and a port, such as 10.0.0.5:8001 or [fd00::5]:8001"


def _number(kind: inspect.IntType | inspect.FloatType) -> str:
    least, most = (f"{bound:.15g}" for bound in (kind.ge or 0, kind.le or 0))
    return f"{'a whole number' if isinstance(kind, inspect.IntType) else 'a number'} from {least} to {most}"
