"""Cursors, limits and log positions, which all lists share."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.games import GAME_TYPES
from projections.engine import reading
from service.live import shapes
from service.problems import Refused

GameTypeKey: Any = Annotated[Literal[tuple(GAME_TYPES)], Meta(description="Only this game type.")]
LogPosition = Annotated[str, Meta(description="Where in the log this stands; opaque.")]


class PageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of a list."""

    cursor: shapes.Cursor | None = None
    limit: shapes.Limit = 50


def page_cursor(query: PageQuery) -> reading.Cursor | None:
    """The cursor of this request; raises Refused if no page could have returned it."""
    try:
        cursor = None if query.cursor is None else reading.read_cursor(query.cursor)
    except reading.BadCursor as error:
        raise Refused("malformed", "cursor: no page has given it out.") from error
    if cursor is not None and "\0" in cursor.key:  # PostgreSQL's text holds no NUL
        raise Refused("malformed", "cursor: no page has given it out.")
    return cursor


def next_cursor(page_end: reading.Cursor | None) -> str | None:
    """The next page's cursor as text for clients; None after the last page."""
    return None if page_end is None else page_end.text()
