"""Replay: a game's records as frames, one per step, each as one viewer saw it then.

The spectators' delay: until the game is over, a viewer without a seat sees it as it stood so many steps ago. It is
counted in steps, so that it needs no clock, and from the deal on: the deal and everything before it are shown at once
(house rule, ours).
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.game_type import Result
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, Status, evolve
from domain.play.sentences import tell
from domain.record import Micros
from domain.view import ALL_SEEING, Seat, View, Viewer


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
    for record, after in zip(step, games or _fold_each(game, step), strict=True):
        if not isinstance(record.event, ev.Sealed):
            event, sentence = _shown_event(game or after, record.event, viewer)
            events.append(event)
            sentences.append(sentence)
        game = after
    if game is None:
        raise ValueError("a step without records")
    first = step[0]
    frame = Frame(
        game_id=game.id,
        game_type=game.type.key,
        step=game.step,
        live_step=game.live_step,
        version=game.version,
        time=game.updated_at,
        seat=first.seat,
        command=first.command if viewer in (ALL_SEEING, first.seat) and viewer is not None else None,
        events=tuple(events),
        sentences=tuple(sentences),
        status=game.status,
        view=view_of(game, viewer),
        result=game.result,
        source=game.opening.source,
    )
    return frame, game


def _fold_each(game: Game | None, records: Iterable[AnyRecord]) -> Iterator[Game]:
    for record in records:
        game = evolve(game, record)
        yield game


def view_of(game: Game, viewer: Viewer) -> View[Any] | None:
    """The table as this viewer sees it: None before the deal, nobody to act once it is over."""
    if game.state is None:
        return None
    view = game.type.look(game.state, viewer)
    return view if game.status == "playing" else replace(view, to_act=())


def _shown_event(game: Game, event: Any, viewer: Viewer) -> tuple[Any, str]:
    """The event as this viewer may see it, with its sentence."""
    if type(event) not in game.type.events:
        return event, tell(game, event)
    state = game.type.initial(game.options, game.opening.seats) if game.state is None else game.state
    return game.type.redact(state, event, viewer), game.type.tell(state, event, viewer)


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
