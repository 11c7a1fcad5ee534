"""Writing: the lines of a complete record, and of what one viewer may have of a game."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import msgspec
from msgspec import Struct

from domain.game_type import Result
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, Status
from domain.play.frames import Frame
from domain.play.open_record.lines import Ending, Header, OpenRecord, StepLine, to_datetime
from domain.view import ALL_SEEING, Viewer


def record_lines(record: OpenRecord) -> Iterator[bytes]:
    """The lines of a complete record, each with its line feed."""
    records = record.records
    opened, sealed = records[0].event, records[1].event
    yield _encode_line(Header(complete=True, game_id=records[0].stream, opened=opened, sealed=sealed))
    yield from (_encode_line(_step_line(tuple(step))) for _, step in groupby(records, key=lambda record: record.step))
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
