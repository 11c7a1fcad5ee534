"""Query parameters as typed values: numbers and booleans as JSON writes them, everything else as text."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from service.http.bodies import integer
from service.http.faults import MOST, query_faults, sentence
from service.problems import InputFault, Refused
from service.problems.patterns import in_words

Q = TypeVar("Q", bound=msgspec.Struct)
_SCALAR: msgspec.json.Decoder[int | float | bool | None] = msgspec.json.Decoder(int | float | bool | None)
_JSON_KINDS = (inspect.IntType, inspect.FloatType, inspect.BoolType)


def reader(query: type[Q]) -> Callable[[Iterable[tuple[str, str]]], Q]:
    """A function from name-value pairs to this struct; it refuses unknown, repeated and unreadable ones."""
    read_as_json = _json_fields(query)

    def read(given: Iterable[tuple[str, str]]) -> Q:
        pairs = list(given)
        values = {name: _value(text) if name in read_as_json else text for name, text in pairs}
        if len(values) < len(pairs) or not all(text for _, text in pairs):
            raise _refusal(_find_repeated(pairs) + _empty(pairs) + query_faults(values, query))
        try:
            return msgspec.convert(values, query)
        except msgspec.ValidationError as error:
            if found := query_faults(values, query):
                raise _refusal(found) from error
            raise Refused("malformed", f"Query: {in_words(error)}.") from error

    return read


def _refusal(faults: tuple[InputFault, ...]) -> Refused:
    return Refused("malformed", sentence("Query", faults), errors=faults[:MOST])


def _find_repeated(pairs: list[tuple[str, str]]) -> tuple[InputFault, ...]:
    counts = Counter(name for name, _ in pairs)
    return tuple(InputFault("It stands twice.", parameter=name[:200]) for name, count in counts.items() if count > 1)


def _empty(pairs: list[tuple[str, str]]) -> tuple[InputFault, ...]:
    said = "It has no value: give it one, or leave it out."
    return tuple(InputFault(said, parameter=name[:200]) for name, text in pairs if not text)


def _json_fields(query: type[msgspec.Struct]) -> frozenset[str]:
    info = inspect.type_info(query)
    assert isinstance(info, inspect.StructType)
    alternatives = {field.encode_name: _plain(field.type) for field in info.fields}
    return frozenset(
        name
        for name, kind in alternatives.items()
        if any(isinstance(_plain(each), _JSON_KINDS) for each in getattr(kind, "types", (kind,)))
    )


def _plain(kind: inspect.Type) -> inspect.Type:
    return kind.type if isinstance(kind, inspect.Metadata) else kind


def _value(text: str) -> Any:
    """The number or boolean; else, also for `null`, the text itself, which is refused later."""
    try:
        value = integer(_SCALAR.decode(text))
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text
    return text if value is None else value
