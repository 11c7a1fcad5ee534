"""Replay: a game's records as frames, one per step, each as one viewer saw it then; its events as sentences; moments.

The spectators' delay: until the game is over, a viewer without a seat sees it as it stood so many steps ago. It is
counted in steps, so that it needs no clock, and from the deal on: the deal and everything before it are shown at once
(house rule, ours).

The moments of a game are the few steps worth jumping to, found in one viewer's frames: the deal, the entry into a
phase, an undo, a resignation, an event that is rare in this game, or the ending. House rules, ours: a kind of event is
rare that makes up less than a twelfth of the game type's events, and with all rarer kinds less than a sixth; a phase
counts that less than a twelfth of the steps enter, not one of every turn.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import groupby
from typing import Any, Literal, NamedTuple, assert_never
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.game_type import Result
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, Status, evolve
from domain.record import Micros
from domain.view import ALL_SEEING, Seat, View, Viewer, player_name


def tell(game: Game, event: ev.GameEvent) -> str:
    """The event as a sentence; these events are public."""
    match event:
        case ev.Opened():
            opened = f"A game of {game.type.name} is opened."
            return opened if event.source is None else f"{opened} {source_sentence(event.source)}"
        case ev.Joined():
            return f"{_place_name(game, event.seat)} is taken."
        case ev.Left():
            return f"{_place_name(game, event.seat)} is empty again."
        case ev.Invited():
            place = "" if event.seat is None else f": {_place_name(game, event.seat).lower()} is kept"
            return f"A player is invited{place}."
        case ev.Uninvited():
            return "An invitation is withdrawn."
        case ev.Seeded():
            return f"{seat_name(game, event.seat)} gives a seed for the deal."
        case ev.Undone():
            return f"Taken back: step {event.live_step} stands again."
        case ev.Resigned():
            return f"{seat_name(game, event.seat)} resigns."
        case ev.AbandonAgreed():
            return f"{seat_name(game, event.seat)} would leave the game unfinished."
        case ev.TimedOut():
            return f"{seat_name(game, event.seat)} has run out of time."
        case ev.Abandoned():
            return f"The game is abandoned: {event.reason}."
        case ev.Voided():
            return f"The game is void: {event.reason}."
        case ev.Finished():
            if len(event.players) == 1 or not event.winners:
                return f"The game is {event.ending}: {ending_cause(event.reason)}."
            cause, losers = ending_cause(event.reason), set(range(len(event.players))).difference(event.winners)
            if len(losers) == 1 and event.reason in LOSSES:
                cause = f"{seat_name(game, *losers)} {LOSSES[event.reason]}"
            return f"{' and '.join(seat_name(game, seat) for seat in event.winners)} won: {cause}."
        case ev.Revealed():
            return "The seed of the deal is revealed."
        case ev.Sealed():
            raise TypeError("Nobody is told what is sealed.")
        case _:
            assert_never(event)


CAUSES = {
    "resigned": "given up", "timed_out": "time ran out", "no_moves": "no move is left", "agreed": "by agreement",
    "closed": "the table was closed", "not_begun": "it never began",
}  # fmt: skip
LOSSES = {"resigned": "gave up", "timed_out": "ran out of time"}


def ending_cause(reason: str) -> str:
    """Why a game ended, as a person says it."""
    return CAUSES.get(reason) or reason.replace("_", " ")


def seat_name(game: Game, seat: int) -> str:
    """`The player` of a solo game, `Player 1` of others."""
    return "The player" if len(game.players) == 1 else player_name(seat)


def _place_name(game: Game, seat: int) -> str:
    """A seat by itself: another player may have it later, so no reader puts a name there."""
    return "The place" if len(game.players) == 1 else f"Place {seat + 1}"


def source_sentence(source: ev.Source) -> str:
    """Where an imported game is from, and who vouches for it."""
    if not source.game.int:
        return "Dealt to see whether it can be won."
    vouched = "nobody vouches" if source.vouched_for_by is None else f"{source.vouched_for_by} vouches"
    return f"Imported: a record of game {source.game} was brought here; {vouched} for it."


class Frame(Struct, frozen=True, kw_only=True, gc=False):
    """What one viewer sees after one step. `live_step` is the step whose state is shown: after an undo an earlier one.

    `version` is the number of events so far; `sentences` say the events as that viewer may hear them; `command` is
    told to the seat that gave it and to a viewer who sees all (ALL_SEEING); `view` is None before the deal.
    `source`: where an imported game is from.
    """

    game_id: UUID
    game_type: str
    step: int
    live_step: int
    version: int
    time: Micros
    seat: Seat | None
    command: Any
    events: tuple[Any, ...]
    sentences: tuple[str, ...]
    status: Status
    view: View[Any] | None
    result: Result | None
    source: ev.Source | None = None


def frames(records: Iterable[AnyRecord], viewer: Viewer) -> Iterator[Frame]:
    """One frame per step, in order, from the game's first record on."""
    game: Game | None = None
    for _, step in groupby(records, key=lambda record: record.step):
        frame, game = frame_after(game, tuple(step), viewer)
        yield frame


def frame_after(
    game: Game | None, step: tuple[AnyRecord, ...], viewer: Viewer, games: tuple[Game, ...] = ()
) -> tuple[Frame, Game]:
    """The frame of one step's records and the game after them; `games` after each of them are folded if not given."""
    events, sentences = list[Any](), list[str]()
    for number, record in enumerate(step):
        after = games[number] if games else evolve(game, record)
        if not isinstance(record.event, ev.Sealed):
            at, event = game or after, record.event
            if type(event) in at.type.events:
                state = at.type.initial(at.options, at.opening.seats) if at.state is None else at.state
                events.append(at.type.redact(state, event, viewer))
                sentences.append(at.type.tell(state, event, viewer))
            else:
                events.append(event)
                sentences.append(tell(at, event))
        game = after
    if game is None:
        raise ValueError("a step without records")
    first = step[0]
    frame = Frame(
        game_id=game.id, game_type=game.type.key, step=game.step, live_step=game.live_step, version=game.version,
        time=game.updated_at, seat=first.seat,
        command=first.command if viewer in (ALL_SEEING, first.seat) and viewer is not None else None,
        events=tuple(events), sentences=tuple(sentences), status=game.status, view=view_of(game, viewer),
        result=game.result, source=game.opening.source,
    )  # fmt: skip
    return frame, game


def view_of(game: Game, viewer: Viewer) -> View[Any] | None:
    """The table as this viewer sees it: None before the deal, no seat to act once it is over."""
    if game.state is None:
        return None
    view = game.type.look(game.state, viewer)
    return view if game.status == "playing" else replace(view, to_act=())


def holds_deal(step: Iterable[AnyRecord]) -> bool:
    """Whether these records hold an event of the game type: the first step that does is the deal."""
    return any(not isinstance(record.event, ev.GAME_EVENTS) for record in step)


def shown_step(game: Game, dealt: int, viewer: Viewer) -> int:
    """The last step that this viewer may know of; `dealt` is the step of the deal, 0 while there is none."""
    delay = game.opening.spectator_delay
    if delay == 0 or viewer is not None or game.status != "playing":
        return game.step
    return max(dealt, game.step - delay)


class LiveLine(NamedTuple):
    """The game type's own events: those of the deal, and those of the steps that stand."""

    deal: tuple[Any, ...]
    events: tuple[Any, ...]


def live_line(frames: Iterable[Frame]) -> LiveLine:
    """The live line of these frames, from the game's first one on; of a game that waits it is empty."""
    steps: list[tuple[int, tuple[Any, ...]]] = []
    for frame in frames:
        if any(isinstance(event, ev.Undone) for event in frame.events):
            steps = [step for step in steps if step[0] <= frame.live_step]
        if own := tuple(event for event in frame.events if not isinstance(event, ev.GAME_EVENTS)):
            steps.append((frame.step, own))
    deal = steps[0][1] if steps else ()
    return LiveLine(deal, tuple(event for _, own in steps[1:] for event in own))


Kind = Literal["deal", "phase", "undo", "resignation", "event", "ending"]
_RARE, _FEW = 12, 6


class Moment(Struct, frozen=True):
    """A step worth jumping to, why, and the sentence of what happened there."""

    step: int
    kind: Kind
    sentence: str


class _StepEvents(Struct, frozen=True):
    """A frame without its picture: the events with their sentences, and the phase (None before the deal)."""

    step: int
    events: tuple[tuple[Any, str], ...]
    before: str | None
    phase: str | None

    @property
    def own(self) -> list[tuple[Any, str]]:
        """The game type's events."""
        return [pair for pair in self.events if not isinstance(pair[0], ev.GAME_EVENTS)]


def moments(frames: Iterable[Frame]) -> tuple[Moment, ...]:
    """The moments of one viewer's frames from the first step on, in order; undos in a row are one."""
    phase, listed = None, list[_StepEvents]()
    for frame in frames:
        before, phase = phase, None if frame.view is None else frame.view.phase
        listed.append(_StepEvents(frame.step, tuple(zip(frame.events, frame.sentences, strict=True)), before, phase))
    kinds = Counter(type(event) for step in listed for event, _ in step.own)
    entries, total = Counter(step.phase for step in listed if step.phase != step.before), sum(kinds.values())
    rarer = {count: sum(other for other in kinds.values() if other <= count) for count in kinds.values()}
    rare = {kind for kind, count in kinds.items() if count * _RARE < total and rarer[count] * _FEW < total}
    phases = {phase for phase, count in entries.items() if count * _RARE < len(listed)}
    chosen, undoing = list[Moment](), False
    for step in listed:
        moment = _find_moment(step, rare, phases)
        if moment is not None and not (undoing and moment.kind == "undo"):
            chosen.append(moment)
        undoing = moment is not None and moment.kind == "undo"
    return tuple(chosen)


_CERTAIN: tuple[tuple[Kind, tuple[type[Struct], ...]], ...] = (
    ("ending", (ev.Voided, ev.Finished)),
    ("resignation", (ev.Resigned, ev.TimedOut)),
    ("undo", (ev.Undone,)),
)
"""Events that are always a moment, however frequent; the first kind that fits is used."""


def _find_moment(step: _StepEvents, events: Container[type], phases: Container[str | None]) -> Moment | None:
    """What is a moment in every game; else an entry into a rare phase, or a rare event."""
    for kind, causes in _CERTAIN:
        for event, sentence in step.events:
            if isinstance(event, causes):
                return Moment(step.step, kind, sentence)
    if step.own and step.before is None:
        return Moment(step.step, "deal", step.own[0][1])
    sentences = [sentence for event, sentence in step.own if type(event) in events]
    if step.own and step.phase != step.before and step.phase in phases:
        return Moment(step.step, "phase", sentences[0] if sentences else step.own[-1][1])
    return Moment(step.step, "event", sentences[0]) if sentences else None
