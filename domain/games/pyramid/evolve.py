"""The fold: what each event makes of a position."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.games.pyramid.deal import IN_PYRAMID
from domain.games.pyramid.events import Dealt, Drawn, Event, Recycled, Removed, Turned
from domain.games.pyramid.state import PLACE, STOCK, WASTE, State
from domain.kit.patience import NO_CARD


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    return _HANDLERS[type(event)](state, event)


def _dealt(state: State, event: Dealt) -> State:
    return replace(state, pyramid=event.cards[:IN_PYRAMID], stock=event.cards[: IN_PYRAMID - 1 : -1])


def _drawn(state: State, event: Drawn) -> State:
    stock, waste = state.stock[: -len(event.cards)], state.waste + event.cards
    return replace(state, stock=stock, waste=waste, stock_up=False, just_drawn=True)


def _recycled(state: State, event: Recycled) -> State:
    return replace(
        state, stock=state.waste[::-1], waste=(), recycles=state.recycles + 1, stock_up=False, just_drawn=False
    )


def _removed(state: State, event: Removed) -> State:
    pyramid = list(state.pyramid)
    for source in event.sources:
        if source in PLACE:
            pyramid[PLACE[source]] = NO_CARD
    return replace(
        state,
        pyramid=tuple(pyramid),
        stock=state.stock[: len(state.stock) - event.sources.count(STOCK)],
        waste=state.waste[: len(state.waste) - event.sources.count(WASTE)],
        discard=state.discard + event.cards,
        stock_up=state.stock_up and STOCK not in event.sources,
        just_drawn=False,
    )


def _turned(state: State, event: Turned) -> State:
    return replace(state, stock_up=True)


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    Dealt: _dealt,
    Drawn: _drawn,
    Recycled: _recycled,
    Removed: _removed,
    Turned: _turned,
}
