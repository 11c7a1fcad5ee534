"""Tables in three formats: JSON, CSV and text."""

import csv as comma_separated
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from typing import Any, TypeVar

from litestar import Response

from service.http.negotiation import CSV, TEXT
from service.http.operation import reply

T = TypeVar("T")
MEDIA_TYPES = ("application/json", CSV, TEXT)


def tabular_response(media_type: str, made: T, csv: Callable[[T], str], text: Callable[[T], str]) -> Response[Any]:
    """The table in the media type that the request accepts."""
    if media_type == CSV:
        return Response(csv(made), media_type=CSV)
    return Response(text(made), media_type=TEXT) if media_type == TEXT else reply(made)


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV after RFC 4180: a line of names, then a line a row."""
    text = StringIO()
    lines = comma_separated.writer(text, lineterminator="\r\n")
    lines.writerow(columns)
    lines.writerows(rows)
    return text.getvalue()


def safe_name(name: str | None) -> str:
    """The name, escaped if a spreadsheet could take it for a formula, also after leading blanks."""
    return "'" + name if name and name.lstrip()[:1] in ("=", "+", "-", "@") else name or ""
