"""The fold: what each event makes of a position."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.games.spider.deal import IN_COLUMNS, column_dealt
from domain.games.spider.events import Dealt, Event, Moved, RowDealt, SuitRemoved, Turned
from domain.games.spider.state import COLUMN, COLUMNS, State
from domain.kit.patience import changed


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    return _HANDLERS[type(event)](state, event)


def _dealt(state: State, event: Dealt) -> State:
    columns = tuple(column_dealt(event.cards, column, state.options) for column in range(COLUMNS))
    return replace(
        state,
        columns=columns,
        face_down=tuple(len(column) - 1 for column in columns),
        stock=event.cards[: IN_COLUMNS - 1 : -1],
    )


def _moved(state: State, event: Moved) -> State:
    source, target = COLUMN[event.source], COLUMN[event.target]
    columns = list(state.columns)
    columns[source] = columns[source][: -len(event.cards)]
    columns[target] += event.cards
    return replace(state, columns=tuple(columns))


def _turned(state: State, event: Turned) -> State:
    place = COLUMN[event.source]
    return replace(state, face_down=changed(state.face_down, place, state.face_down[place] - 1))


def _row_dealt(state: State, event: RowDealt) -> State:
    columns = tuple((*column, card) for column, card in zip(state.columns, event.cards, strict=True))
    return replace(state, columns=columns, stock=state.stock[: -len(event.cards)])


def _suit_removed(state: State, event: SuitRemoved) -> State:
    place = COLUMN[event.source]
    left = state.columns[place][: -len(event.cards)]
    finished = (*state.finished, event.cards[0][1])
    return replace(state, columns=changed(state.columns, place, left), finished=finished)


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    Dealt: _dealt,
    Moved: _moved,
    Turned: _turned,
    RowDealt: _row_dealt,
    SuitRemoved: _suit_removed,
}
