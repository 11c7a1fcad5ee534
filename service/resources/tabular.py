"""Tables that can be had as JSON, as CSV or as text."""

from collections.abc import Callable
from typing import Any, TypeVar

from litestar import Response

from service.operation import reply
from service.resources.replay import TEXT
from service.table_texts import CSV

T = TypeVar("T")
MEDIA_TYPES = ("application/json", CSV, TEXT)


def as_accepted(media_type: str, made: T, csv: Callable[[T], str], text: Callable[[T], str]) -> Response[Any]:
    """The table in the media type that the request accepts."""
    if media_type == CSV:
        return Response(csv(made), media_type=CSV)
    return Response(text(made), media_type=TEXT) if media_type == TEXT else reply(made)
