"""The three kinds of lines, and times as they are written."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, NamedTuple, Union
from uuid import UUID

from msgspec import Meta, Struct

from domain.game_type import Result
from domain.games import REVISIONS
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Status
from domain.record import Micros
from domain.view import Seat

FORMAT: Literal[1] = 1
MEDIA_TYPE = "application/vnd.kibitz.record+ndjson"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_IN_HEADER = (ev.Opened, ev.Sealed)

AnyEvent: Any = Union[  # noqa: UP007  made at run time
    tuple(dict.fromkeys(event for found in REVISIONS.values() for event in found.events))
    + tuple(event for event in ev.GAME_EVENTS if event not in _IN_HEADER)
]
AnyCommand: Any = Union[  # noqa: UP007
    tuple(dict.fromkeys(command for found in REVISIONS.values() for command in found.commands))
    + ev.PLAY_COMMANDS + ev.TABLE_COMMANDS
]  # fmt: skip
Time = Annotated[datetime, Meta(tz=True, description="RFC 3339 in UTC, to the microsecond.")]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes in hexadecimal digits.")]
Number = Annotated[int, Meta(ge=0)]


class Signature(Struct, frozen=True):
    """Ed25519 over the game's id and its last digest, by the key of this name; the value in base64."""

    key: str
    value: bytes


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: what the game is.

    `sealed` holds the secrets, None where the record is not complete. `seen_by` is then the seat through whose eyes it
    was made, None for a spectator's.
    """

    kibitz_record: Literal[1] = FORMAT
    complete: bool
    seen_by: Number | None = None
    game_id: UUID
    opened: ev.Opened
    sealed: ev.Sealed | None


class StepLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step: who said what, and what happened. The digests stand in the order of the events.

    Of step 0 the events `game/opened` and `game/sealed` stand in the header; their digests come first here.
    """

    step: Number
    time: Time
    actor: UUID | None
    seat: Seat | None
    command: AnyCommand | None
    events: tuple[AnyEvent, ...]
    digests: tuple[Digest, ...]


class Ending(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line: how the game stands, how many events there are, and the signature of the last digest."""

    status: Status
    result: Result | None
    version: Number
    signature: Signature | None


class OpenRecord(NamedTuple):
    """A complete game, as it was recorded, with the signature of its last digest."""

    records: tuple[AnyRecord, ...]
    signature: Signature | None


def to_datetime(micros: Micros) -> datetime:
    """A recorded time as it is written."""
    return _EPOCH + timedelta(microseconds=micros)


def micros(time: datetime) -> Micros:
    """A written time as it is recorded."""
    return (time - _EPOCH) // timedelta(microseconds=1)
