"""The record envelope: one stored event with its stream, version, time, actor and command."""

from typing import Annotated, Generic, TypeVar
from uuid import UUID

from msgspec import Meta, Struct

from domain.view import Seat

E = TypeVar("E")
C = TypeVar("C")

Micros = Annotated[int, Meta(description="Microseconds since 1970-01-01 UTC.")]


class Withheld(Struct, frozen=True, tag="log/withheld"):
    """What a reader of the log finds in place of an event that it lacks the key to unseal.

    `topic` is that event's, or empty once the key has been given up: then nobody is to wait for it.
    """

    topic: str
    key: str


class Record(Struct, Generic[E, C], frozen=True, array_like=True, gc=False):
    """One event of one stream; `stream` is the id of a game, a player or a league, `version` counts from 1.

    Records of one accepted command share `step` and stand together; the first of them carries the command.
    `actor` is the player's id, a pseudonym: records hold no personal data. `digest` chains them (domain.play.digest).
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


def uuid8(digest: bytes) -> UUID:
    """The id that 16 bytes of a hash make: a UUIDv8 (RFC 9562, 5.8)."""
    number = int.from_bytes(digest[:16], "big")
    return UUID(int=number & ~(0xF << 76 | 0b11 << 62) | 0x8 << 76 | 0b10 << 62)
