"""Tables in three formats: JSON, CSV and text."""

import csv as comma_separated
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from typing import Any, TypeVar

from litestar import Response

from service.http.operation import reply
from service.http.replies import next_page
from service.http.representation import CSV, TEXT

T = TypeVar("T")
MEDIA_TYPES = ("application/json", CSV, TEXT)


def tabular_response(media_type: str, made: T, csv: Callable[[T], str], text: Callable[[T], str]) -> Response[Any]:
    """The table in the media type that the request accepts."""
    if media_type == CSV:
        return Response(csv(made), media_type=CSV, headers=next_page(made))
    if media_type == TEXT:
        return Response(text(made), media_type=TEXT, headers=next_page(made))
    return reply(made)


def csv_text(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """CSV after RFC 4180: a header line, then a line a row."""
    text = StringIO()
    lines = comma_separated.writer(text, lineterminator="\r\n")
    lines.writerow(columns)
    lines.writerows(rows)
    return text.getvalue()


def people_csv(columns: Sequence[str], rows: Iterable[Any], position: str) -> str:
    """CSV of rows that have a `player`: their id and name, these columns of the row, and the log position."""
    return csv_text(
        ("player_id", "name", *columns, "log_position"), (_people_row(row, columns, position) for row in rows)
    )


def _people_row(row: Any, columns: Sequence[str], position: str) -> Iterator[object]:
    yield from (row.player.id, safe_name(row.player.name))
    for value in (getattr(row, column) for column in columns):
        yield str(value).lower() if isinstance(value, bool) else value
    yield position


def safe_name(name: str | None) -> str:
    """The name, escaped if a spreadsheet could take it for a formula, also after leading blanks."""
    return "'" + name if name and name.lstrip()[:1] in ("=", "+", "-", "@") else name or ""


def short_name(name: str | None) -> str:
    """The name, cut to the width of its column of text."""
    return (name or "(erased)")[:23]


def optional_cell(value: object) -> str:
    """The value in a column of text: `-` for None."""
    return "-" if value is None else str(value)


def placed_rows(rows: Sequence[T], places: Sequence[int | None]) -> Iterator[tuple[str, T]]:
    """Each row after its place as text: `-` for none, `=3` for a shared one."""
    for row, place in zip(rows, places, strict=True):
        shared = "=" if places.count(place) > 1 else ""
        yield "-" if place is None else f"{shared}{place}", row


def text_page(lines: Iterable[str], next_page: str | None, position: str) -> str:
    """These lines of a table; below them the cursor of the next page, if there is one, and the log position."""
    more = [] if next_page is None else [f"More behind the cursor {next_page}."]
    return "\n".join([*lines, "", *more, f"As of event {position}."]) + "\n"
