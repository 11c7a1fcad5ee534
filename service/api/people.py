"""People and moments as several areas of the API show and read them."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec import Struct

from service.problems import Refused

Names = Mapping[UUID, str]
MOST_DAYS = 366 * 1000


class Person(Struct, frozen=True):
    """A player and their name; None where they are erased."""

    id: UUID
    name: str | None


def person(player: UUID, names: Names) -> Person:
    return Person(player, names.get(player))


def micros(moment: datetime) -> int:
    """Microseconds since 1970 of a moment; one without a time zone is UTC. Raises Refused for a time out of range."""
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since = zoned - datetime(1970, 1, 1, tzinfo=UTC)
    if not timedelta() <= since < timedelta(days=MOST_DAYS):
        raise Refused("malformed", f"A moment is between 1970 and {1970 + MOST_DAYS // 366}.")
    return since // timedelta(microseconds=1)
