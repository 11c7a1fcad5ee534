"""The open record: a whole game as text, one JSON document a line: the header, the steps, the ending.

Format 1; with annotations before the ending it is format 2. Everything recorded is in it once: text and records can
each be made from the other. Of a game that goes on, `seen_lines` gives the lines that one viewer may have.
`openapi/record.md` describes it for others.
"""

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple, Union
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from domain.game_type import Result
from domain.games import REVISIONS
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, Status
from domain.play.frames import Frame
from domain.record import Micros, Record
from domain.view import ALL_SEEING, Seat, Viewer

Format = Literal[1, 2]
FORMAT: Format = 1
ANNOTATED: Format = 2
MEDIA_TYPE = "application/vnd.kibitz.record+ndjson"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_IN_HEADER = (ev.Opened, ev.Sealed)
_ANNOTATES = b'{"annotates":'

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

    `sealed` holds the secrets, None where the record is not complete. `seen_by` is then the seat that it was made for,
    None for a spectator, or for whoever sees all.
    """

    kibitz_record: Format = FORMAT
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


class Annotation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an analysis says of the position after step `annotates`, all cards known.

    `won`: it can be won, by the commands of `line`. `impossible`: it cannot, after a search of so many `positions`.
    """

    annotates: Number
    verdict: Literal["won", "impossible"]
    positions: Number
    line: tuple[AnyCommand, ...]


class Ending(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line: how the game stands, how many events there are, and the signature of the last digest."""

    status: Status
    result: Result | None
    version: Number
    signature: Signature | None


class OpenRecord(NamedTuple):
    """A complete game, as it was recorded, with the signature of its last digest, and what was said of it later."""

    records: tuple[AnyRecord, ...]
    signature: Signature | None
    annotations: tuple[Annotation, ...] = ()


def to_datetime(micros: Micros) -> datetime:
    """A recorded time as it is written."""
    return _EPOCH + timedelta(microseconds=micros)


def micros(time: datetime) -> Micros:
    """A written time as it is recorded."""
    return (time - _EPOCH) // timedelta(microseconds=1)


class Unreadable(Exception):
    """The text is no record: the number of the line, from 1, and what is wrong with it."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"Line {line}: {what}")
        self.line = line
        self.what = what


_HEADER: "msgspec.json.Decoder[Header]" = msgspec.json.Decoder(Header)
_STEP: "msgspec.json.Decoder[StepLine]" = msgspec.json.Decoder(StepLine)
_ANNOTATION: "msgspec.json.Decoder[Annotation]" = msgspec.json.Decoder(Annotation)
_ENDING: "msgspec.json.Decoder[Ending]" = msgspec.json.Decoder(Ending)


def read_record(text: bytes) -> OpenRecord:
    """The records of a complete text; raises Unreadable."""
    lines = text.removeprefix(BOM_UTF8).splitlines()
    if len(lines) < 3:
        raise Unreadable(len(lines) + 1, "The text ends too soon.")
    header, ending = _read_header(lines[0]), _decode(_ENDING, lines[-1], len(lines))
    records, annotations = list[AnyRecord](), list[Annotation]()
    for number, line in enumerate(lines[1:-1], 2):
        if line.startswith(_ANNOTATES):
            annotations.append(_decode(_ANNOTATION, line, number))
        else:
            records += _step_records(header, _read_step(line, number), len(records), number)
    if ending.version != len(records):
        raise Unreadable(len(lines), f"The ending counts {ending.version} events, and there are {len(records)}.")
    return OpenRecord(tuple(records), ending.signature, tuple(annotations))


def _read_header(line: bytes) -> Header:
    header: Header = _decode(_HEADER, line, 1)
    if not header.complete or header.sealed is None:
        raise Unreadable(1, "The record is not complete: it holds what one seat might see of the game.")
    if header.opened.source is not None:
        raise Unreadable(1, "No record tells the source of an imported game: who shows one does.")
    return header


def _read_step(line: bytes, number: int) -> StepLine:
    """The step of this line; they stand in order behind the header, none left out."""
    step: StepLine = _decode(_STEP, line, number)
    if step.step != number - 2:
        raise Unreadable(number, f"Here should be step {number - 2}, and it is step {step.step}.")
    return step


def _decode(decoder: "msgspec.json.Decoder[Any]", line: bytes, number: int) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(number, str(error)) from error


def _step_records(header: Header, step: StepLine, before: int, line: int) -> Sequence[AnyRecord]:
    opening = (header.opened, header.sealed) if before == 0 else ()
    events = (*opening, *step.events)
    if len(events) != len(step.digests) or not events:
        raise Unreadable(line, f"There are {len(events)} events and {len(step.digests)} digests.")
    kind = (header.opened.game_type, header.opened.revision)
    return [
        Record(
            header.game_id, before + place + 1, micros(step.time), *kind, step.step, step.actor, step.seat,
            None if place else step.command, event, bytes.fromhex(step.digests[place]),
        )
        for place, event in enumerate(events)
    ]  # fmt: skip


def record_lines(record: OpenRecord) -> Iterator[bytes]:
    """The lines of a complete record, each with its line feed."""
    records = record.records
    opened, sealed = records[0].event, records[1].event
    written = ANNOTATED if record.annotations else FORMAT
    yield _encode_line(
        Header(kibitz_record=written, complete=True, game_id=records[0].stream, opened=opened, sealed=sealed)
    )
    yield from (_encode_line(_step_line(tuple(step))) for _, step in groupby(records, key=lambda record: record.step))
    yield from map(_encode_line, record.annotations)
    status, result = final_status(records)
    yield _encode_line(Ending(status=status, result=result, version=records[-1].version, signature=record.signature))


def final_status(records: Sequence[AnyRecord]) -> tuple[Status, Result | None]:
    """How these records leave the game, told from the events alone."""
    kinds = {type(record.event) for record in records}
    finish = next((record.event for record in reversed(records) if isinstance(record.event, ev.Finished)), None)
    result = None if finish is None else Result(finish.ending, finish.reason, finish.winners, finish.scores)
    if ev.Voided in kinds:
        return "voided", result
    if finish is not None:
        return "finished", result
    return "playing" if kinds.difference(ev.GAME_EVENTS) else "waiting", None


def _step_line(step: tuple[AnyRecord, ...]) -> StepLine:
    first = step[0]
    return StepLine(
        step=first.step, time=to_datetime(first.time), actor=first.actor, seat=first.seat, command=first.command,
        events=tuple(record.event for record in step if not isinstance(record.event, ev.Opened | ev.Sealed)),
        digests=tuple(record.digest.hex() for record in step),
    )  # fmt: skip


def seen_lines(game: Game, frames: Iterable[Frame], viewer: Viewer) -> Iterator[bytes]:
    """The lines of what this viewer may have of a game: without secrets, digests and signature, and it says so."""
    seat = None if viewer == ALL_SEEING else viewer
    yield _encode_line(Header(complete=False, seen_by=seat, game_id=game.id, opened=game.opening, sealed=None))
    last: Frame | None = None
    for last in frames:
        yield _encode_line(_seen_step(last))
    yield _encode_line(_seen_ending(last))


def _seen_step(frame: Frame) -> StepLine:
    return StepLine(
        step=frame.step, time=to_datetime(frame.time), actor=None, seat=frame.seat, command=frame.command, digests=(),
        events=tuple(event for event in frame.events if not isinstance(event, ev.Opened)),
    )  # fmt: skip


def _seen_ending(last: Frame | None) -> Ending:
    if last is None:
        return Ending(status="waiting", result=None, version=0, signature=None)
    return Ending(status=last.status, result=last.result, version=last.version, signature=None)


def _encode_line(part: Struct) -> bytes:
    return msgspec.json.encode(part) + b"\n"
