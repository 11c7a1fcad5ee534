"""The fold: what each event makes of a position."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.games.the_clock.deal import piles_dealt
from domain.games.the_clock.events import Dealt, Event, Exchanged, Placed, Turned
from domain.games.the_clock.state import PLACE, State

T = TypeVar("T")


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    return _HANDLERS[type(event)](state, event)


def _dealt(state: State, event: Dealt) -> State:
    return replace(state, piles=piles_dealt(event.cards, state.options.pile_by_pile))


def _turned(state: State, event: Turned) -> State:
    place = PLACE[event.source]
    pile = state.piles[place]
    left = pile[:-1] if state.options.take_from == "top" else pile[1:]
    return replace(state, piles=_at(state.piles, place, left), active=event.card)


def _placed(state: State, event: Placed) -> State:
    place = PLACE[event.target]
    shown = _at(state.shown, place, (*state.shown[place], event.card))
    return replace(state, shown=shown, following=place, active=None)


def _exchanged(state: State, event: Exchanged) -> State:
    place = PLACE[event.target]
    pile = (*state.piles[place][:-1], event.king)
    return replace(state, piles=_at(state.piles, place, pile), active=event.card, king_at=place)


def _at(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    Dealt: _dealt,
    Turned: _turned,
    Placed: _placed,
    Exchanged: _exchanged,
}
