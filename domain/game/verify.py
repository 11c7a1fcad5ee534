"""Verifying a game from its records alone: the chain of digests, the rules, the deal, the ending."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from domain.chance import commitment
from domain.game import events as ev
from domain.game.aggregate import AnyRecord, Game, evolve
from domain.game.digest import digest
from domain.game.play import Act, Step, finished, play, started
from domain.game.table import join, leave, seed
from domain.game_type import Illegal, Result
from domain.games import REVISIONS

_UNASKED = (ev.TimedOut, ev.Abandoned, ev.Voided, ev.Finished, ev.Revealed)
"""What may be recorded without a command: the service ends a game, or opens its secrets when a contest closes."""
Whole = tuple[AnyRecord, ...]


class Fault(NamedTuple):
    """What is wrong, and the step at which it shows; what follows from it is not told again."""

    step: int
    what: str


def verify(records: Sequence[AnyRecord]) -> list[Fault]:
    """Every fault of one game's records, from its first on, by step; none if the game is what it says to be.

    Consistent is not signed: whoever knows the key could write another game that verifies.
    """
    faults = list(_form(records))
    if faults:
        return faults[:1]
    return sorted(
        [*_secrets(records), *_first(_chain(records)), *_first(_rules(records))], key=lambda fault: fault.step
    )


def _first(faults: Iterator[Fault]) -> list[Fault]:
    return [fault for fault in [next(faults, None)] if fault is not None]


def _form(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    """The envelopes: one stream, versions and steps without a gap, a command only with the first record of a step."""
    if len(records) < 2 or not isinstance(records[0].event, ev.Opened) or not isinstance(records[1].event, ev.Sealed):
        yield Fault(0, "The records do not begin with the opening of a game and its secrets.")
        return
    opened: ev.Opened = records[0].event
    kind = (opened.game_type, opened.revision)
    if kind not in REVISIONS:
        yield Fault(0, f"Nobody knows revision {opened.revision} of {opened.game_type}.")
    for number, record in enumerate(records, 1):
        if record.version != number:
            yield Fault(record.step, f"Version {number} is missing: the record there says {record.version}.")
        if (record.stream, record.type, record.revision) != (records[0].stream, *kind):
            yield Fault(record.step, f"Version {number} belongs to another game.")
    yield from _steps_in_order(records)


def _steps_in_order(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    time = records[0].time
    for number, step in enumerate(_steps(records)):
        if step[0].step != number:
            yield Fault(step[0].step, f"Step {number} is missing: step {step[0].step} stands in its place.")
        if any(record.command is not None for record in step[1:]):
            yield Fault(number, "A step holds more than one command.")
        if any(record.time != step[0].time for record in step) or step[0].time < time:
            yield Fault(number, "The time runs backwards, or differs within the step.")
        time = step[0].time


def _steps(records: Sequence[AnyRecord]) -> Iterator[Whole]:
    return (tuple(step) for _, step in groupby(records, key=lambda record: record.step))


def _secrets(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    """The seed is the one that was committed to, and what is revealed is what was sealed."""
    opened, sealed = records[0].event, records[1].event
    try:
        game = evolve(None, records[0])
        committed = commitment(game.id, opened.game_type, game.options, sealed.seed)
    except Exception as error:  # noqa: BLE001  options that were tampered with may be anything
        yield Fault(0, f"The opening cannot be read ({_named(error)}).")
        return
    if committed != opened.commitment:
        yield Fault(0, "The seed is not the one that was committed to.")
    for record in records:
        if isinstance(record.event, ev.Revealed) and record.event != ev.Revealed(sealed.seed, sealed.digest_key):
            yield Fault(record.step, "The secrets that are revealed are not the sealed ones.")


def _chain(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    """Every digest again, from the record, the state after it and the digest before."""
    key, before = records[1].event.digest_key, b""
    game: Game | None = None
    for record in records:
        try:
            game = evolve(game, record)
            made = digest(key, before, replace(record, digest=b""), game.state)
        except Exception as error:  # noqa: BLE001  a fold does not refuse, but what was tampered with may be anything
            yield Fault(record.step, f"Version {record.version} cannot be folded ({_named(error)}).")
            return
        if made != record.digest:
            yield Fault(record.step, f"The digest of version {record.version} does not fit what is recorded.")
        before = record.digest


def _rules(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    """Every step decided again."""
    game: Game | None = None
    for step in _steps(records):
        try:
            if what := _opening(step) if game is None else _decided(game, step):
                yield Fault(step[0].step, what)
            for record in step:
                game = evolve(game, record)
        except Exception as error:  # noqa: BLE001
            yield Fault(step[0].step, f"The step cannot be decided again ({_named(error)}).")
            return


def _opening(step: Whole) -> str | None:
    """The deal that the seeds make, or the given one, which makes a game unrated."""
    game = evolve(evolve(None, step[0]), step[1])
    opened: ev.Opened = step[0].event
    if game.type.settle(game.options, opened.seats) != game.options:
        return "The options are not those that the game type settles on."
    if opened.rated and (opened.origin != "shuffled" or step[1].event.given is not None):
        return "A game that was not shuffled is rated."
    return _compared(step[2:], started(game), "The deal is not what the seeds and the options make.")


def _decided(game: Game, step: Whole) -> str | None:
    first = step[0]
    if first.command is None:
        return _ended(game, step)
    if isinstance(first.command, ev.Join):
        act = Act(first.actor, None, first.time)
    elif first.actor is None or first.seat not in game.seats_of(first.actor):
        return "Whoever gives the command does not hold the seat."
    else:
        act = Act(first.actor, first.seat, first.time)
    try:
        again = _again(game, first.command, act)
    except Illegal as illegal:
        return f"The command is against the rules ({illegal.rule})."
    return _compared(step, [record.event for record in again.records], "The events are not what the command makes.")


def _again(game: Game, command: Struct, act: Act) -> Step:
    if isinstance(command, ev.Join):
        return join(game, command, act)
    if isinstance(command, ev.Leave):
        return leave(game, command, act)
    return seed(game, command, act) if isinstance(command, ev.Seed) else play(game, command, act)


def _ended(game: Game, step: Whole) -> str | None:
    """A step that nobody asked for: the game is ended, or the secrets of one that is over are revealed."""
    if isinstance(step[0].event, ev.Finished):
        return "The game ends without a cause."
    for record in step:
        if not isinstance(record.event, _UNASKED):
            return f"{type(record.event).__name__} is recorded without a command."
        if isinstance(record.event, ev.Revealed) == (game.status not in ("finished", "voided")):
            return f"{type(record.event).__name__} is recorded at the wrong end of the game."
        if isinstance(record.event, ev.Finished) and record.event != finished(game, _result(record.event)):
            return "The ending does not tell the game as it was played."
        game = evolve(game, record)
    return None


def _result(event: ev.Finished) -> Result:
    return Result(event.ending, event.reason, event.winners, event.scores)


def _compared(step: Whole, events: Sequence[Any], what: str) -> str | None:
    """None if these are the events that the step records."""
    return None if [record.event for record in step] == list(events) else what


def _named(error: Exception) -> str:
    return type(error).__name__
