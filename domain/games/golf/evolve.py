"""The fold: what each event makes of a position."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.games.golf.deal import COLUMNS, IN_COLUMNS, column_dealt
from domain.games.golf.events import Counted, Dealt, Drawn, Event, Moved
from domain.games.golf.state import COLUMN, State
from domain.kit.patience import changed


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    return _HANDLERS[type(event)](state, event)


def _dealt(state: State, event: Dealt) -> State:
    columns = tuple(column_dealt(event.cards, column) for column in range(COLUMNS))
    return replace(state, columns=columns, discard=(event.cards[IN_COLUMNS],), stock=event.cards[:IN_COLUMNS:-1])


def _drawn(state: State, event: Drawn) -> State:
    return State(state.options, state.columns, state.stock[:-1], (*state.discard, event.card))


def _moved(state: State, event: Moved) -> State:
    place = COLUMN[event.source]
    columns = changed(state.columns, place, state.columns[place][:-1])
    return State(state.options, columns, state.stock, (*state.discard, event.card))


def _counted(state: State, event: Counted) -> State:
    return replace(state, resigned=True)


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    Dealt: _dealt,
    Drawn: _drawn,
    Moved: _moved,
    Counted: _counted,
}
