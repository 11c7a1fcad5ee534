"""Cursors, limits and log positions, which all lists share."""

import re
from contextlib import suppress
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct

from domain.games import GAME_TYPES
from domain.record import Micros
from projections.engine import reading
from service.live import shapes
from service.problems import Refused, refused_parameter

GameTypeKey: Any = Annotated[Literal[tuple(GAME_TYPES)], Meta(description="Only this game type.")]
LogPosition = Annotated[str, Meta(description="The log position of this answer; opaque.")]
_NUMBER = re.compile("[1-9][0-9]{0,8}")


class PageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of a list."""

    cursor: shapes.Cursor | None = None
    limit: shapes.Limit = 50


def page_cursor(query: PageQuery) -> reading.Cursor | None:
    """The cursor of this request; raises Refused if no page could have returned it."""
    return _read_cursor(query.cursor)


def _read_cursor(text: str | None) -> reading.Cursor | None:
    try:
        cursor = None if text is None else reading.read_cursor(text)
    except reading.BadCursor as error:
        raise refused_cursor() from error
    if cursor is not None and "\0" in cursor.key:  # PostgreSQL's text holds no NUL
        raise refused_cursor()
    return cursor


def refused_cursor() -> Refused:
    """The refusal of a cursor that no page has returned, or whose row is no longer kept."""
    return refused_parameter("cursor", "No page has given it out.", "the `next` of a page")


def timed_cursor(at: Micros, row: UUID) -> reading.Cursor:
    """The cursor of a list in order of time that ends, for now, with this row."""
    return reading.Cursor(at.to_bytes(8, "big", signed=True), str(row))


def timed_page_start(query: PageQuery) -> tuple[Micros, UUID] | None:
    """The time and the id of the last row of the page before; raises Refused if no such list has given them out."""
    if (cursor := page_cursor(query)) is None:
        return None
    with suppress(ValueError):
        at, row = int.from_bytes(cursor.sort, "big", signed=True), UUID(cursor.key)
        if timed_cursor(at, row) == cursor:
            return at, row
    raise refused_cursor()


def id_page_start(query: PageQuery) -> UUID | None:
    """The id of the last row of the page before; raises Refused if no list in order of ids has given it out."""
    if (cursor := page_cursor(query)) is None:
        return None
    with suppress(ValueError):
        if not cursor.sort and str(row := UUID(cursor.key)) == cursor.key:
            return row
    raise refused_cursor()


def number_cursor(number: int) -> str:
    """The cursor, as text for clients, of a list whose pages begin at a number."""
    return reading.Cursor(b"", str(number)).text()


def number_page_start(text: str | None, start: int) -> int:
    """The number of this cursor, `start` without one; raises Refused if no such list has given it out."""
    if (cursor := _read_cursor(text)) is None:
        return start
    if cursor.sort or not _NUMBER.fullmatch(cursor.key):
        raise refused_cursor()
    return int(cursor.key)


def next_cursor(page_end: reading.Cursor | None) -> str | None:
    """The next page's cursor as text for clients; None after the last page."""
    return None if page_end is None else page_end.text()
