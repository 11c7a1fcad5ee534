"""The open record: a whole game as text, one JSON document a line: the header, the steps, the ending.

Format 1. Everything that was recorded is in it once, so the text and the records make each other. Of a game that goes
on, `seen` gives what one viewer may have of it. `openapi/record.md` describes it for others.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, Literal, NamedTuple, Union
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.game import events as ev
from domain.game.aggregate import AnyRecord, Game, Status, fold
from domain.game.frames import Frame
from domain.game_type import ALL_SEEING, Result, Seat, Viewer
from domain.games import REVISIONS
from domain.record import Micros, Record

FORMAT: Literal[1] = 1
MEDIA_TYPE = "application/vnd.kibitz.record+ndjson"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

AnyEvent: Any = Union[  # noqa: UP007  made at run time
    tuple(dict.fromkeys(event for found in REVISIONS.values() for event in found.events)) + ev.GAME_EVENTS
]
AnyCommand: Any = Union[  # noqa: UP007
    tuple(dict.fromkeys(command for found in REVISIONS.values() for command in found.commands))
    + ev.PLAY_COMMANDS + ev.TABLE_COMMANDS
]  # fmt: skip


class Unreadable(Exception):
    """The text is no record: the number of the line, from 1, and what is wrong with it."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"Line {line}: {what}")
        self.line = line
        self.what = what


class Signature(Struct, frozen=True):
    """Ed25519 over the game's id and its last digest, by the key of this name."""

    key: str
    value: bytes


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: what the game is. `seen_by` is the seat through whose eyes an incomplete record was made."""

    kibitz_record: Literal[1] = FORMAT
    complete: bool
    seen_by: Seat | None = None
    game_id: UUID
    opened: ev.Opened
    sealed: ev.Sealed | None


class StepLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step: who said what, and what happened. The digests stand in the order of the events.

    Of step 0 the events `game/opened` and `game/sealed` stand in the header; their digests come first here.
    """

    step: int
    time: datetime
    actor: UUID | None
    seat: Seat | None
    command: AnyCommand | None
    events: tuple[AnyEvent, ...]
    digests: tuple[str, ...]


class Ending(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line: how the game stands, how many events there are, and the signature of the last digest."""

    status: Status
    result: Result | None
    version: int
    signature: Signature | None


class OpenRecord(NamedTuple):
    """A complete game, as it was recorded, with the signature of its last digest."""

    records: tuple[AnyRecord, ...]
    signature: Signature | None


def written(record: OpenRecord) -> Iterator[bytes]:
    """The lines of a complete record, each with its line feed."""
    records, game = record.records, fold(record.records)
    yield _line(Header(complete=True, game_id=game.id, opened=game.opening, sealed=game.sealed))
    yield from (_line(_step(tuple(step))) for _, step in groupby(records, key=lambda record: record.step))
    yield _line(Ending(status=game.status, result=game.result, version=game.version, signature=record.signature))


def _step(step: tuple[AnyRecord, ...]) -> StepLine:
    first = step[0]
    return StepLine(
        step=first.step, time=_EPOCH + timedelta(microseconds=first.time), actor=first.actor, seat=first.seat,
        command=first.command, digests=tuple(record.digest.hex() for record in step),
        events=tuple(record.event for record in step if not isinstance(record.event, ev.Opened | ev.Sealed)),
    )  # fmt: skip


def seen(game: Game, frames: Iterable[Frame], viewer: Viewer) -> Iterator[bytes]:
    """The lines of what this viewer may have of a game: without secrets, digests and signature, and it says so."""
    seat = None if viewer == ALL_SEEING else viewer
    yield _line(Header(complete=False, seen_by=seat, game_id=game.id, opened=game.opening, sealed=None))
    last: Frame | None = None
    for last in frames:
        yield _line(_seen_step(last))
    result = None if last is None else last.result
    yield _line(
        Ending(
            status="waiting" if last is None else last.status, result=result,
            version=0 if last is None else last.version, signature=None,
        )
    )  # fmt: skip


def _seen_step(frame: Frame) -> StepLine:
    return StepLine(
        step=frame.step, time=_EPOCH + timedelta(microseconds=frame.time), actor=None, seat=frame.seat,
        command=frame.command, digests=(),
        events=tuple(event for event in frame.events if not isinstance(event, ev.Opened)),
    )  # fmt: skip


_HEADER: "msgspec.json.Decoder[Header]" = msgspec.json.Decoder(Header)
_STEP: "msgspec.json.Decoder[StepLine]" = msgspec.json.Decoder(StepLine)
_ENDING: "msgspec.json.Decoder[Ending]" = msgspec.json.Decoder(Ending)


def read(text: bytes) -> OpenRecord:
    """The records of a complete text; raises Unreadable. Whether they are true is for `verify` to say."""
    lines = text.splitlines()
    if len(lines) < 3:
        raise Unreadable(len(lines) + 1, "The text ends too soon.")
    header, ending = _decoded(_HEADER, lines[0], 1), _decoded(_ENDING, lines[-1], len(lines))
    if not header.complete or header.sealed is None:
        raise Unreadable(1, "The record is not complete: it holds what one seat might see of the game.")
    records: list[AnyRecord] = []
    for number, line in enumerate(lines[1:-1], 2):
        records += _records(header, _decoded(_STEP, line, number), len(records), number)
    if ending.version != len(records):
        raise Unreadable(len(lines), f"The ending counts {ending.version} events, and there are {len(records)}.")
    return OpenRecord(tuple(records), ending.signature)


def _decoded(decoder: "msgspec.json.Decoder[Any]", line: bytes, number: int) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(number, str(error)) from error


def _records(header: Header, step: StepLine, before: int, line: int) -> Sequence[AnyRecord]:
    opening = (header.opened, header.sealed) if before == 0 else ()
    events = (*opening, *step.events)
    if len(events) != len(step.digests):
        raise Unreadable(line, f"There are {len(events)} events and {len(step.digests)} digests.")
    kind = (header.opened.game_type, header.opened.revision)
    return [
        Record(
            header.game_id, before + place + 1, _micros(step.time), *kind, step.step, step.actor, step.seat,
            None if place else step.command, event, _digest(step.digests[place], line),
        )
        for place, event in enumerate(events)
    ]  # fmt: skip


def _digest(text: str, line: int) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise Unreadable(line, "A digest is not written in hexadecimal digits.") from error


def _micros(time: datetime) -> Micros:
    return (time - _EPOCH) // timedelta(microseconds=1)


def _line(part: Struct) -> bytes:
    return msgspec.json.encode(part) + b"\n"
