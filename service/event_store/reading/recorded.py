"""A record with its place in the log."""

from typing import NamedTuple

from service.event_store.codec import AnyRecord


class Recorded(NamedTuple):
    """A record and its position in the log. Positions only grow and are never used twice."""

    position: int
    record: AnyRecord
