"""A league's season over same-deal contests as it was published: when it was closed, and by each amendment after it."""

from collections.abc import Iterable, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from domain.record import Micros
from projections.contests.seasons import SeasonRow, sort_of
from projections.engine.contract import Recorded


class PublishedRow(Struct, frozen=True):
    """A player's row and place; equal means share it, None: too few days."""

    place: int | None
    row: SeasonRow


class PublishedSeason(Struct, frozen=True, kw_only=True):
    """The season as everybody was told at this position: number 0 when it was closed, then the amendments."""

    number: int
    position: int
    at: Micros
    hash: str
    because: str
    rows: tuple[PublishedRow, ...]


def published_season(number: int, rows: Iterable[SeasonRow], recorded: Recorded) -> PublishedSeason:
    """What these rows say, published because of this event."""
    placed, record = _placed_rows(list(rows)), recorded.record
    return PublishedSeason(
        number=number, position=recorded.position, at=record.time, hash=digest(placed), rows=placed,
        because=_reason_text(record.event),
    )  # fmt: skip


def _placed_rows(rows: Sequence[SeasonRow]) -> tuple[PublishedRow, ...]:
    """Best first, those who are not listed last."""
    sorts = {row.player: sort_of(row) for row in rows}
    ordered = sorted((sort for sort in sorts.values() if sort is not None), reverse=True)
    made = [PublishedRow(1 + ordered.index(sort) if (sort := sorts[row.player]) else None, row) for row in rows]
    return tuple(sorted(made, key=lambda one: (one.place or len(rows) + 1, one.row.player)))


def digest(rows: Iterable[PublishedRow]) -> str:
    """SHA-256, in hex, of a JSON array of rows without any space.

    A row is [player, place, [numerator, denominator] of the mean, days compared, days solved, days]; a day is
    [contest, kind, [numerator, denominator] of its value, whether it is counted]; what there is not is null. The form
    is fixed: it does not follow a change of the documents.
    """
    return sha256(msgspec.json.encode([_canonical(one.place, one.row) for one in rows])).hexdigest()


def _canonical(place: int | None, row: SeasonRow) -> list[object]:
    days = [[day.contest, day.kind, day.value, day.counted] for day in row.days]
    return [row.player, place, row.mean, row.compared, row.solved, days]


def _reason_text(event: Struct) -> str:
    reason = getattr(event, "reason", None)
    kind, _, said = str(type(event).__struct_config__.tag).partition("/")
    told = f"contest {said}" if kind == "contest" else said.replace("_", " ")
    return f"{told}: {reason}" if reason else told
