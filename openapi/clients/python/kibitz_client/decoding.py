"""Answers as the types of the description; what is newer than these as plain namespaces."""

import json
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeVar, overload

import httpx
import msgspec

from kibitz_client.calls import JSON

T = TypeVar("T")


@overload
def decode(content: bytes | str, into: type[T]) -> T: ...


@overload
def decode(content: bytes | str, into: Any) -> Any: ...


def decode(content: bytes | str, into: Any) -> Any:
    """This JSON as the type, which may be a union.

    A later service of the same major version may answer with names that this client does not know: another game type,
    another status. Then the same members are there, in namespaces that are of no type.
    """
    try:
        return _decoder(into).decode(content)
    except msgspec.ValidationError:
        return json.loads(content, object_hook=lambda members: SimpleNamespace(**members))


@cache
def _decoder(into: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(into)


def read_answer(answer: httpx.Response, into: Any) -> Any:
    """What an answer says: JSON as this type, text as str, everything else as bytes; None where there is nothing."""
    media_type = answer.headers.get("content-type", "").partition(";")[0]
    if not answer.content:
        return None
    if media_type == JSON:
        return decode(answer.content, into)
    return answer.text if media_type.startswith("text/") else answer.content
