"""The open record: a whole game as text, one JSON document a line: the header, the steps, the ending.

Format 3: each line holds the SHA-256 of the line before, and a seal ends the chain. Format 1 has no chain; with
annotations it is format 2. Everything recorded is in it once: text and records can each be made from the other. Of a
game that goes on, `seen_lines` gives the lines that one viewer may have.
`openapi/record.md` describes it for others. A finished game is signed by the digest of its last record, which covers
all of them.
"""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple, Union
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from domain.game_type import Result
from domain.games import REVISIONS
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, Status, fold
from domain.play.events import Opened, Revealed
from domain.play.frames import Frame
from domain.play.verify import deal_shuffles
from domain.record import Micros, Record
from domain.view import ALL_SEEING, Seat, Viewer

Format = Literal[1, 2, 3]
FORMAT: Format = 1
ANNOTATED: Format = 2
SEALED: Format = 3
SEAL_TAG = b"kibitz/lines/1\0"
"""Begins what a seal signs; no other message bears it."""
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
Previous = Annotated[Digest, Meta(description="SHA-256 of the line before with its line feed; format 3 has it.")]
Packs = Annotated[
    tuple[tuple[str, ...], ...],
    Meta(description="What lay before each shuffle of the deal, cards or seats to be drawn; format 3 has them."),
]


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
    packs: Packs | UnsetType = UNSET


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
    previous: Previous | UnsetType = UNSET


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
    previous: Previous | UnsetType = UNSET


class Seal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The line behind the ending in format 3: the signature of its own `previous`, or None."""

    seal: Signature | None
    previous: Digest


class OpenRecord(NamedTuple):
    """A complete game, as it was recorded, with the signature of its last digest, and what was said of it later.

    With a seal its text is of format 3.
    """

    records: tuple[AnyRecord, ...]
    signature: Signature | None
    annotations: tuple[Annotation, ...] = ()
    seal: Seal | None = None


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
_SEAL: "msgspec.json.Decoder[Seal]" = msgspec.json.Decoder(Seal)


def read_record(text: bytes) -> OpenRecord:
    """The records of a complete text; raises Unreadable."""
    lines = text.removeprefix(BOM_UTF8).splitlines()
    if len(lines) < 3:
        raise Unreadable(len(lines) + 1, "The text ends too soon.")
    header: Header = _decode(_HEADER, lines[0], 1)
    last = len(lines)
    if not header.complete or header.sealed is None:
        raise Unreadable(1, "The record is not complete: it holds what one seat might see of the game.")
    if header.opened.source is not None:
        raise Unreadable(1, "No record tells the source of an imported game: who shows one does.")
    records, annotations, seal = list[AnyRecord](), list[Annotation](), None
    if header.kibitz_record == SEALED:
        while lines[last - 1].startswith(_ANNOTATES):
            annotations.insert(0, _decode(_ANNOTATION, lines[last - 1], last))
            last -= 1
        seal = _decode(_SEAL, lines[last - 1], last)
        last -= 1
    ending: Ending = _decode(_ENDING, lines[last - 1], last)
    for number, line in enumerate(lines[1 : last - 1], 2):
        if line.startswith(_ANNOTATES):
            annotations.append(_decode(_ANNOTATION, line, number))
        else:
            step: StepLine = _decode(_STEP, line, number)
            if step.step != number - 2:
                raise Unreadable(number, f"Here should be step {number - 2}, and it is step {step.step}.")
            records += _step_records(header, step, len(records), number)
    if ending.version != len(records):
        raise Unreadable(last, f"The ending counts {ending.version} events, and there are {len(records)}.")
    return OpenRecord(tuple(records), ending.signature, tuple(annotations), seal)


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
    parts = _parts(record)
    if record.seal is None:
        *others, ending = parts
        yield from map(_encode_line, [*others, *record.annotations, ending])
        return
    yield from (lines := _chained_lines(parts))
    yield _encode_line(replace(record.seal, previous=_hash(lines[-1])))
    yield from map(_encode_line, record.annotations)


def sealed_record(record: OpenRecord, sign: Callable[[bytes], Signature] | None = None) -> OpenRecord:
    """The record in format 3; `sign` signs its seal."""
    record = record._replace(seal=Seal(seal=None, previous=""))
    previous = _hash(_chained_lines(_parts(record))[-1])
    signature = None if sign is None else sign(SEAL_TAG + bytes.fromhex(previous))
    return record._replace(seal=Seal(seal=signature, previous=previous))


def _parts(record: OpenRecord) -> list[Struct]:
    """The header, the steps, the ending; not yet chained."""
    records = record.records
    opened, sealed = records[0].event, records[1].event
    written = ANNOTATED if record.annotations else FORMAT
    header = Header(kibitz_record=written, complete=True, game_id=records[0].stream, opened=opened, sealed=sealed)
    if record.seal is not None:
        game, packs = fold(records), tuple[tuple[str, ...], ...]()
        if game.state is not None and game.sealed is not None and game.sealed.given is None:
            packs = tuple(shuffle.before for shuffle in deal_shuffles(game))
        header = replace(header, kibitz_record=SEALED, packs=packs)
    status, result = final_status(records)
    return [
        header,
        *(_step_line(tuple(step)) for _, step in groupby(records, key=lambda record: record.step)),
        Ending(status=status, result=result, version=records[-1].version, signature=record.signature),
    ]


def _chained_lines(parts: Sequence[Struct]) -> list[bytes]:
    """These parts as lines, each but the first with the hash of the line before."""
    lines = [_encode_line(parts[0])]
    for part in parts[1:]:
        lines.append(_encode_line(replace(part, previous=_hash(lines[-1]))))
    return lines


def _hash(line: bytes) -> str:
    return sha256(line).hexdigest()


def final_status(records: Sequence[AnyRecord]) -> tuple[Status, Result | None]:
    """How these records leave the game, from the events alone."""
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
        yield _encode_line(StepLine(
            step=last.step, time=to_datetime(last.time), actor=None, seat=last.seat, command=last.command, digests=(),
            events=tuple(event for event in last.events if not isinstance(event, ev.Opened)),
        ))  # fmt: skip
    ending = Ending(status="waiting", result=None, version=0, signature=None)
    if last is not None:
        ending = Ending(status=last.status, result=last.result, version=last.version, signature=None)
    yield _encode_line(ending)


def _encode_line(part: Struct) -> bytes:
    return msgspec.json.encode(part) + b"\n"


TAG = b"kibitz/record/1\0"
"""Begins what is signed; no other message bears it."""


def message(game: UUID, version: int, digest: bytes) -> bytes:
    """The bytes that are signed: tag, game id (16 bytes), version (8 bytes, big-endian), digest (32 bytes)."""
    return TAG + game.bytes + version.to_bytes(8, "big") + digest


def last_message(records: Sequence[AnyRecord]) -> bytes:
    """What is signed of these records: the digest of the last one covers them all."""
    last = records[-1]
    return message(last.stream, last.version, last.digest)


def signer_of(records: Sequence[AnyRecord]) -> str | None:
    """The key that the opening names, if the game has come so far that a signature is due: it is over and revealed."""
    opened = records[0].event
    due = any(isinstance(record.event, Revealed) for record in records)
    return opened.signer if due and isinstance(opened, Opened) else None
