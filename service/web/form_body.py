"""A filled-in form as the API's own body: links become ids, times without a zone are UTC, empty fields are left out."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar, get_args, get_origin
from uuid import UUID

import msgspec
from msgspec import Struct

from service.web.form import complaint

B = TypeVar("B", bound=Struct)
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d", re.ASCII)


def decode_form(body: type[B], said: Mapping[str, str], **given: Any) -> B:
    """The body, with what is `given` beside the form; raises ValueError with a sentence that names the field."""
    values = dict(given)
    for field in msgspec.structs.fields(body):
        if field.name not in given and (text := said.get(field.name, "").strip()):
            values[field.name] = _value(text, field.type)
    try:
        return msgspec.convert(values, body, strict=False)
    except msgspec.ValidationError as error:
        raise ValueError(complaint(str(error))) from error


def _value(text: str, kind: Any) -> Any:
    if _contains_type(kind, tuple):
        return [_field_text(part, kind) for part in text.replace(",", " ").split()]
    return _field_text(text, kind)


def _field_text(text: str, kind: Any) -> str:
    """The id in a link to a game or a player, a time with its zone, else the text."""
    if _contains_type(kind, UUID) and (found := _ID.search(text)) is not None:
        return found[0]
    return f"{text}:00Z" if _TIME.fullmatch(text) else text


def _contains_type(kind: Any, wanted: type) -> bool:
    """Whether a type is this one, or is made of it."""
    return kind is wanted or get_origin(kind) is wanted or any(_contains_type(part, wanted) for part in get_args(kind))
