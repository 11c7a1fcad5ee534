"""Pages of results that are not stored yet, in the order and with the cursors of those that are."""

from collections.abc import Iterable

from projections.contests.results import Score, sort_of
from projections.engine.reading import Cursor, Listed, Page


def page(found: Iterable[Score], limit: int, behind: Cursor | None) -> Page[Score]:
    """The same page as of stored results."""
    listed = sorted(found, key=lambda score: (_descending(sort_of(score)), str(score.player)))
    places = [Cursor(sort_of(score), str(score.player)) for score in listed]
    first = 0 if behind is None else sum(_at(place) <= _at(behind) for place in places)
    rows = [Listed(0, str(score.player), score) for score in listed[first : first + limit]]
    more = first + limit < len(listed)
    return Page(tuple(rows), places[first + limit - 1] if more else None)


def _at(place: Cursor) -> tuple[bytes, str]:
    return _descending(place.sort), place.key


def _descending(sort: bytes) -> bytes:
    return bytes(255 - byte for byte in sort)
