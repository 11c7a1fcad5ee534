"""The record envelope: one stored event with its stream, version, time, actor and command."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from msgspec import Meta, Struct

from domain.view import Seat

E = TypeVar("E")
C = TypeVar("C")
V = TypeVar("V")

Micros = Annotated[int, Meta(description="Microseconds since 1970-01-01 UTC.")]
SECOND, DAY = 1_000_000, 86_400_000_000


class Withheld(Struct, frozen=True, tag="log/withheld"):
    """What a reader of the log finds in place of an event that it lacks the key to unseal.

    `topic` is that event's, or empty once the key has been given up: then nobody is to wait for it.
    """

    topic: str
    key: str


class Record(Struct, Generic[E, C], frozen=True, array_like=True, gc=False):
    """One event of one stream; `stream` is the id of a game, a player or a league, `version` counts from 1.

    Records of one accepted command share `step` and stand together; the first of them carries the command.
    `actor` is the player's id, a pseudonym: records hold no personal data. `digest` chains them
    (`domain.play.aggregate.digest`).
    """

    stream: UUID
    version: int
    time: Micros
    type: str
    revision: int
    step: int
    actor: UUID | None
    seat: Seat | None
    command: C | None
    event: E
    digest: bytes = b""

    def __repr__(self) -> str:
        return f"<Record {self.stream} {self.version} {type(self.event).__name__}>"


def stream_record(
    stream_type: str, stream: UUID, version: int, event: Struct, actor: UUID | None, time: Micros
) -> Record[Any, Any]:
    """The record of one event outside games; `actor` is who caused it."""
    return Record(stream, version, time, stream_type, 1, version, actor, None, None, event)


def fold_records(
    evolve: Callable[[V | None, Record[Any, Any]], V], records: Iterable[Record[Any, Any]], value: V | None = None
) -> V:
    """The value after these records, or what they make alone; raises ValueError with neither value nor records."""
    for record in records:
        value = evolve(value, record)
    if value is None:
        raise ValueError("no records, and nothing before them")
    return value


def uuid8(digest: bytes) -> UUID:
    """The id that 16 bytes of a hash make: a UUIDv8 (RFC 9562, 5.8)."""
    number = int.from_bytes(digest[:16], "big")
    return UUID(int=number & ~(0xF << 76 | 0b11 << 62) | 0x8 << 76 | 0b10 << 62)
