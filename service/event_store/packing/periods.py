"""Periods of time as ranges of stream ids: ids are UUIDv7 and begin with the milliseconds since 1970."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple
from uuid import UUID

Length = Literal["day", "week", "month"]


class Period(NamedTuple):
    """From one time to another, the second excluded."""

    begins: datetime
    ends: datetime

    @property
    def name(self) -> str:
        """The partition's name: `events_20261101`."""
        return f"events_{self.begins:%Y%m%d}"

    @property
    def ids(self) -> tuple[UUID, UUID]:
        """The least id of the period, and the least one behind it."""
        return first_id(self.begins), first_id(self.ends)


def first_id(moment: datetime) -> UUID:
    """The least UUIDv7 that can be made at this moment."""
    return UUID(int=round(moment.timestamp() * 1000) << 80)


def made_at(first: UUID) -> datetime:
    """The moment of such an id."""
    return datetime.fromtimestamp((first.int >> 80) / 1000, UTC)


def periods(now: datetime, length: Length, ahead: int) -> Iterator[Period]:
    """The period that this moment is in, and so many behind it."""
    begins = _begin(now, length)
    for _ in range(ahead + 1):
        ends = _next(begins, length)
        yield Period(begins, ends)
        begins = ends


def _begin(now: datetime, length: Length) -> datetime:
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if length == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if length == "week" else day


def _next(begins: datetime, length: Length) -> datetime:
    if length == "month":
        return (begins + timedelta(days=32)).replace(day=1)
    return begins + timedelta(days=7 if length == "week" else 1)
