"""Reading: the records of a complete text. `verify` checks whether they are right."""

from collections.abc import Sequence
from typing import Any

import msgspec

from domain.play.aggregate import AnyRecord
from domain.play.open_record.lines import Ending, Header, OpenRecord, StepLine, micros
from domain.record import Record


class Unreadable(Exception):
    """The text is no record: the number of the line, from 1, and what is wrong with it."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"Line {line}: {what}")
        self.line = line
        self.what = what


_HEADER: "msgspec.json.Decoder[Header]" = msgspec.json.Decoder(Header)
_STEP: "msgspec.json.Decoder[StepLine]" = msgspec.json.Decoder(StepLine)
_ENDING: "msgspec.json.Decoder[Ending]" = msgspec.json.Decoder(Ending)


def read_record(text: bytes) -> OpenRecord:
    """The records of a complete text; raises Unreadable."""
    lines = text.splitlines()
    if len(lines) < 3:
        raise Unreadable(len(lines) + 1, "The text ends too soon.")
    header, ending = _read_header(lines[0]), _decode(_ENDING, lines[-1], len(lines))
    records: list[AnyRecord] = []
    for number, line in enumerate(lines[1:-1], 2):
        records += _step_records(header, _read_step(line, number), len(records), number)
    if ending.version != len(records):
        raise Unreadable(len(lines), f"The ending counts {ending.version} events, and there are {len(records)}.")
    return OpenRecord(tuple(records), ending.signature)


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
