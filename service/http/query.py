"""Query parameters as typed values: numbers and booleans as JSON writes them, everything else as text."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from service.http.json_depth import integer
from service.problems import Refused
from service.problems.patterns import in_words

Q = TypeVar("Q", bound=msgspec.Struct)
_SCALAR: msgspec.json.Decoder[int | float | bool | None] = msgspec.json.Decoder(int | float | bool | None)
_JSON_KINDS = (inspect.IntType, inspect.FloatType, inspect.BoolType)


def reader(query: type[Q]) -> Callable[[Iterable[tuple[str, str]]], Q]:
    """A function from name-value pairs to this struct; it refuses unknown, repeated and unreadable ones."""
    read_as_json = _json_fields(query)

    def read(given: Iterable[tuple[str, str]]) -> Q:
        pairs = list(given)
        if len({name for name, _ in pairs}) < len(pairs):
            raise Refused("malformed", "Query: a parameter stands twice.")
        values = {name: _value(text) if name in read_as_json else text for name, text in pairs}
        try:
            return msgspec.convert(values, query)
        except msgspec.ValidationError as error:
            raise Refused("malformed", f"Query: {in_words(error)}.") from error

    return read


def _json_fields(query: type[msgspec.Struct]) -> frozenset[str]:
    info = inspect.type_info(query)
    assert isinstance(info, inspect.StructType)
    return frozenset(field.encode_name for field in info.fields if any(map(_is_json, _members(field.type))))


def _is_json(kind: inspect.Type) -> bool:
    return isinstance(kind.type if isinstance(kind, inspect.Metadata) else kind, _JSON_KINDS)


def _members(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    plain = kind.type if isinstance(kind, inspect.Metadata) else kind
    return plain.types if isinstance(plain, inspect.UnionType) else (plain,)


def _value(text: str) -> Any:
    """The number or boolean; else, also for `null`, the text itself, which is refused later."""
    try:
        value = integer(_SCALAR.decode(text))
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text
    return text if value is None else value
