"""The form of a game's records: checks that come before the rules can be applied."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from domain.games import REVISIONS
from domain.play import events as ev
from domain.play.aggregate import AnyRecord

StepRecords = tuple[AnyRecord, ...]
"""All records of one step."""


class Fault(NamedTuple):
    """What is wrong, and the step at which it shows; faults that follow from it are not listed."""

    step: int
    what: str


def form_faults(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    """The envelopes: one stream, versions and steps without a gap, a command only with the first record of a step."""
    if len(records) < 2 or not isinstance(records[0].event, ev.Opened) or not isinstance(records[1].event, ev.Sealed):
        yield Fault(0, "The records do not begin with the opening of a game and its secrets.")
        return
    opened: ev.Opened = records[0].event
    kind = (opened.game_type, opened.revision)
    if kind not in REVISIONS:
        yield Fault(0, f"Nobody knows revision {opened.revision} of {opened.game_type}.")
        return
    if what := _seats_fault(opened):
        yield Fault(0, what)
        return
    for number, record in enumerate(records, 1):
        if record.version != number:
            yield Fault(record.step, f"Version {number} is missing: the record there says {record.version}.")
        if (record.stream, record.type, record.revision) != (records[0].stream, *kind):
            yield Fault(record.step, f"Version {number} belongs to another game.")
    yield from _step_faults(records)


def _seats_fault(opened: ev.Opened) -> str | None:
    """The fault of the opening's seat count, if any: as many places as seats, and a count that the game type allows."""
    found = REVISIONS[opened.game_type, opened.revision]
    if opened.seats != len(opened.players):
        return f"The opening has {opened.seats} seats and places for {len(opened.players)} players."
    if opened.seats not in found.seat_counts:
        return f"{found.name} is not played by {opened.seats}."
    return None


def _step_faults(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    for number, step in enumerate(records_by_step(records)):
        if step[0].step != number:
            yield Fault(step[0].step, f"Step {number} is missing: step {step[0].step} stands in its place.")
        if any(record.command is not None for record in step[1:]):
            yield Fault(number, "A step holds more than one command.")


def time_faults(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    """Steps with a time before that of the step before, or with two times."""
    time = records[0].time
    for number, step in enumerate(records_by_step(records)):
        if any(record.time != step[0].time for record in step) or step[0].time < time:
            yield Fault(number, "The time runs backwards, or differs within the step.")
        time = step[0].time


def records_by_step(records: Sequence[AnyRecord]) -> Iterator[StepRecords]:
    """The records of each step."""
    return (tuple(step) for _, step in groupby(records, key=lambda record: record.step))
