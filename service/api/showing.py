"""How several areas of the API show and read documents of read models, and moments."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from projections.ladders.ratings import Rating
from service.problems import Refused

S = TypeVar("S", bound=Struct)
MOST_DAYS = 366 * 1000
Number = Annotated[float, Meta(description="Rounded to six places.")]


class RatingShown(Struct, frozen=True):
    """Skill and its uncertainty; `ordinal` is mu less three sigma, rounded to two places: what orders people."""

    mu: Number
    sigma: Number
    ordinal: float


def show_rating(rating: Rating) -> RatingShown:
    """The API's form of a rating."""
    return RatingShown(rating.mu / 10**6, rating.sigma / 10**6, rating.ordinal / 100)


def fill_struct(kind: type[S], source: object, /, **others: Any) -> S:
    """A struct with these fields; those not given are the source's of the same name.

    Rows of long lists name their fields one by one: that takes a third of the time.
    """
    same = {name: getattr(source, name) for name in kind.__struct_fields__ if name not in others}
    return kind(**same, **others)


def micros(moment: datetime) -> int:
    """Microseconds since 1970 of a moment; one without a time zone is UTC. Raises Refused for a time out of range."""
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since = zoned - datetime(1970, 1, 1, tzinfo=UTC)
    if not timedelta() <= since < timedelta(days=MOST_DAYS):
        raise Refused("malformed", f"A moment is between 1970 and {1970 + MOST_DAYS // 366}.")
    return since // timedelta(microseconds=1)
