"""The moments of a game: the few steps worth jumping to, found in one viewer's frames and in nothing else.

A moment is the deal, the entry into a phase, an undo, a resignation, an event that is rare in this game, or the ending.
House rules, ours: a kind of event is rare that makes up less than a twelfth of the game type's events, and with all
rarer kinds less than a sixth; a phase counts that less than a twelfth of the steps enter, not one of every turn.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct

from domain.play import events as ev
from domain.play.frames import Frame

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
    said: tuple[tuple[Any, str], ...]
    before: str | None
    phase: str | None

    @property
    def own(self) -> list[tuple[Any, str]]:
        """The game type's events."""
        return [told for told in self.said if not isinstance(told[0], ev.GAME_EVENTS)]


def moments(frames: Iterable[Frame]) -> tuple[Moment, ...]:
    """The moments of one viewer's frames from the first step on, in order; undos in a row are one."""
    told = tuple(_step_events(frames))
    return tuple(_find_moments(told, _rare_events(told), _rare_phases(told)))


def _step_events(frames: Iterable[Frame]) -> Iterator[_StepEvents]:
    phase: str | None = None
    for frame in frames:
        before, phase = phase, None if frame.view is None else frame.view.phase
        yield _StepEvents(frame.step, tuple(zip(frame.events, frame.sentences, strict=True)), before, phase)


def _rare_events(told: Iterable[_StepEvents]) -> frozenset[type]:
    kinds = Counter(type(event) for step in told for event, _ in step.own)
    counts = sorted(kinds.values())
    return frozenset(kind for kind, count in kinds.items() if _is_rare(count, counts))


def _is_rare(count: int, counts: list[int]) -> bool:
    total, rarer = sum(counts), sum(other for other in counts if other <= count)
    return count * _RARE < total and rarer * _FEW < total


def _rare_phases(told: tuple[_StepEvents, ...]) -> frozenset[str | None]:
    entries = Counter(step.phase for step in told if step.phase != step.before)
    return frozenset(phase for phase, count in entries.items() if count * _RARE < len(told))


def _find_moments(
    told: Iterable[_StepEvents], events: frozenset[type], phases: frozenset[str | None]
) -> Iterator[Moment]:
    undoing = False
    for step in told:
        moment = _certain_moment(step) or _rare_moment(step, events, phases)
        if moment is not None and not (undoing and moment.kind == "undo"):
            yield moment
        undoing = moment is not None and moment.kind == "undo"


_CERTAIN: tuple[tuple[Kind, tuple[type[Struct], ...]], ...] = (
    ("ending", (ev.Voided, ev.Finished)),
    ("resignation", (ev.Resigned, ev.TimedOut)),
    ("undo", (ev.Undone,)),
)
"""Events that are always a moment, however frequent; the first kind that fits is used."""


def _certain_moment(step: _StepEvents) -> Moment | None:
    for kind, causes in _CERTAIN:
        for event, sentence in step.said:
            if isinstance(event, causes):
                return Moment(step.step, kind, sentence)
    return Moment(step.step, "deal", step.own[0][1]) if step.own and step.before is None else None


def _rare_moment(step: _StepEvents, events: frozenset[type], phases: frozenset[str | None]) -> Moment | None:
    sentences = [sentence for event, sentence in step.own if type(event) in events]
    if step.own and step.phase != step.before and step.phase in phases:
        return Moment(step.step, "phase", sentences[0] if sentences else step.own[-1][1])
    return Moment(step.step, "event", sentences[0]) if sentences else None
