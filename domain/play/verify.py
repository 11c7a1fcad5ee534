"""Verifying a game from its records alone: their form, the chain of digests, the rules, the deal, the ending.

The shuffles of a deal are listed too, so that any reader can make them again without the game's rules.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.chance import Chance, Shuffle, commitment
from domain.game_type import Illegal
from domain.games import REVISIONS
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, Status, digest, evolve
from domain.play.deciding import Act, Step, deal_chance, deal_events, finished_event, play
from domain.play.endings import CONTEST_OVER, abandon, end_with_contest, time_out
from domain.play.table import checked_invitations, give_seed, invite, join, leave, uninvite
from domain.view import Card

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
    if opened.seats != len(opened.players):
        yield Fault(0, f"The opening has {opened.seats} seats and places for {len(opened.players)} players.")
        return
    if opened.seats not in REVISIONS[kind].seat_counts:
        yield Fault(0, f"{REVISIONS[kind].name} is not played by {opened.seats}.")
        return
    for number, record in enumerate(records, 1):
        if record.version != number:
            yield Fault(record.step, f"Version {number} is missing: the record there says {record.version}.")
        if (record.stream, record.type, record.revision) != (records[0].stream, *kind):
            yield Fault(record.step, f"Version {number} belongs to another game.")
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


_UNASKED = (ev.TimedOut, ev.Abandoned, ev.Voided, ev.Finished, ev.Revealed)
"""What may be recorded without a command: the service ends a game, or opens its secrets when a contest closes."""
_UNSEATED = (ev.Join, ev.Invite, ev.Uninvite)
"""Commands that need no seat."""


def verify(records: Sequence[AnyRecord]) -> list[Fault]:
    """Every fault of one game's records, from its first on, by step; none if the game is what it says to be.

    No fault is no signature: whoever knows the digest key could write another game that verifies.
    """
    if faults := _first_fault(form_faults(records)):
        return faults
    if late := _first_fault(time_faults(records)):
        return [fault for fault in _first_fault(digest_faults(records)) if fault.step < late[0].step] + late
    return sorted(
        [*_secret_faults(records), *_first_fault(digest_faults(records)), *_first_fault(_rule_faults(records))],
        key=lambda fault: fault.step,
    )


def _first_fault(faults: Iterator[Fault]) -> list[Fault]:
    return [fault for fault in [next(faults, None)] if fault is not None]


def _secret_faults(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    """Faults where the seed is not the committed one, or what is revealed is not what was sealed."""
    opened, sealed = records[0].event, records[1].event
    try:
        game = evolve(None, records[0])
        committed = commitment(game.id, opened.game_type, game.options, sealed.seed)
    except Exception as error:  # noqa: BLE001  options that were tampered with may be anything
        yield Fault(0, f"The opening cannot be read ({_error_name(error)}).")
        return
    if committed != opened.commitment:
        yield Fault(0, "The seed is not the one that was committed to.")
    for record in records:
        if isinstance(record.event, ev.Revealed) and record.event != ev.Revealed(sealed.seed, sealed.digest_key):
            yield Fault(record.step, "The secrets that are revealed are not the sealed ones.")


def digest_faults(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    """Recompute every digest from the record, the state after it and the digest before."""
    key, before = records[1].event.digest_key, b""
    game: Game | None = None
    for record in records:
        try:
            game = evolve(game, record)
            made = digest(key, before, replace(record, digest=b""), game.state)
        except Exception as error:  # noqa: BLE001  a fold does not refuse, but what was tampered with may be anything
            yield Fault(record.step, f"Version {record.version} cannot be folded ({_error_name(error)}).")
            return
        if made != record.digest:
            yield Fault(record.step, f"The digest of version {record.version} does not fit what is recorded.")
        before = record.digest


def _rule_faults(records: Sequence[AnyRecord]) -> Iterator[Fault]:
    game: Game | None = None
    for step in records_by_step(records):
        try:
            if what := _opening_fault(step) if game is None else _step_fault(game, step):
                yield Fault(step[0].step, what)
            for record in step:
                game = evolve(game, record)
        except Exception as error:  # noqa: BLE001
            yield Fault(step[0].step, f"The step cannot be decided again ({_error_name(error)}).")
            return


def _opening_fault(step: StepRecords) -> str | None:
    """A sentence if options, rating, invitations or deal are not what the opening and its secrets make."""
    game = evolve(evolve(None, step[0]), step[1])
    opened: ev.Opened = step[0].event
    if game.type.get(OptionRules).settle(game.options, opened.seats) != game.options:
        return "The options are not those that the game type settles on."
    if opened.rated and not is_shuffled(game):
        return "A game that was not shuffled is rated."
    if opened.hints and (opened.rated or opened.contest is not None):
        return "A game with hints counts."
    guests = [record.event for record in takewhile(lambda record: isinstance(record.event, ev.Invited), step[2:])]
    made = [*checked_invitations(guests, opened.players), *deal_events(game)]
    if [record.event for record in step[2:]] != made:
        return "The deal is not what the seeds and the options make."
    return None


def is_shuffled(game: Game) -> bool:
    """Whether the deal is a shuffle of the committed seed, and was not chosen."""
    chosen = game.sealed is not None and (game.sealed.given is not None or game.sealed.client_seeds is not None)
    return game.opening.origin == "shuffled" and not chosen


def _step_fault(game: Game, step: StepRecords) -> str | None:
    first = step[0]
    if first.command is None:
        return _unasked_fault(game, step)
    if isinstance(first.command, _UNSEATED):
        act = Act(first.actor, None, first.time)
    elif first.actor is None or first.seat not in game.seats_of(first.actor):
        return "Whoever gives the command does not hold the seat."
    else:
        act = Act(first.actor, first.seat, first.time)
    try:
        again = (_do_again if type(first.command) in ev.TABLE_COMMANDS else play)(game, first.command, act)
    except Illegal as illegal:
        return f"The command is against the rules ({illegal.rule})."
    return _difference(step, again, "The events are not what the command makes.")


def _do_again(game: Game, command: ev.TableCommand, act: Act) -> Step:
    match command:
        case ev.Join():
            return join(game, command, act)
        case ev.Leave():
            return leave(game, command, act)
        case ev.Seed():
            return give_seed(game, command, act)
        case ev.Invite():
            return invite(game, command, act)
        case ev.Uninvite():
            return uninvite(game, command, act)
        case ev.Abandon():
            return abandon(game, command, act)
        case _:
            assert_never(command)


def _unasked_fault(game: Game, step: StepRecords) -> str | None:
    """A step without a command: time is up, the game is ended, or the secrets of one that is over are revealed.

    Whether the end of a contest was due is not checked: only the contest knows that.
    """
    if isinstance(step[0].event, ev.TimedOut):
        try:
            again = time_out(game, step[0].time)
        except Illegal:
            return "A seat has run out of time before its time was up."
        return _difference(step, again, "The events are not what running out makes.")
    if step[0].event == ev.Abandoned(CONTEST_OVER):
        try:
            again = end_with_contest(game, Act(None, None, step[0].time))
        except Illegal:
            return "A contest has ended a game that is over, or that is not its own."
        return _difference(step, again, "The ending is not what the contest's end makes.")
    if isinstance(step[0].event, ev.Finished):
        return "The game ends without a cause."
    for record in step:
        if not isinstance(record.event, _UNASKED):
            return f"{type(record.event).__name__} is recorded without a command."
        if _is_misplaced(record.event, game.status):
            return f"{type(record.event).__name__} is recorded at the wrong end of the game."
        if isinstance(record.event, ev.Finished) and record.event != finished_event(game, record.event.result):
            return "The ending does not tell the game as it was played."
        game = evolve(game, record)
    return None


def _is_misplaced(event: Struct, status: Status) -> bool:
    """Whether the event is out of place: secrets come after the end, a void comes once, all else before the end."""
    if isinstance(event, ev.Voided):
        return status == "voided"
    return isinstance(event, ev.Revealed) != (status in ("finished", "voided"))


def _difference(step: StepRecords, again: Step, what: str) -> str | None:
    """None if the step decided again has the events that are recorded."""
    return None if [record.event for record in step] == [record.event for record in again.records] else what


def _error_name(error: Exception) -> str:
    return type(error).__name__


class DealShuffle(NamedTuple):
    """One shuffle: its number, the cards as they lay before, and as they lay after."""

    number: int
    before: tuple[Card, ...]
    after: tuple[Card, ...]


class _RecordingChance(Chance, frozen=True, omit_defaults=True):
    """A chance that notes every shuffle; the chance that remains adds to the same list."""

    notes: list[DealShuffle] = []

    def shuffle(self, cards: Sequence[Card]) -> Shuffle:
        made = Chance.shuffle(self, cards)
        self.notes.append(DealShuffle(self.number, tuple(cards), made.cards))
        return Shuffle(
            made.cards, _RecordingChance(made.chance.seed, made.chance.number, made.chance.given, self.notes)
        )


def deal_shuffles(game: Game) -> tuple[DealShuffle, ...]:
    """The shuffles of this game's deal, in order, made again from its seeds; raises ValueError without secrets."""
    if game.sealed is None:
        raise ValueError("a game without secrets")
    drawn, notes = deal_chance(game.sealed, game.seeds), list[DealShuffle]()
    watched = _RecordingChance(drawn.seed, drawn.number, drawn.given, notes)
    game.type.deal(game.options, watched, len(game.players))
    return tuple(notes)
