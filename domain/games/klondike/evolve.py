"""The fold: what each event makes of a position."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.games.klondike.deal import COLUMNS, IN_COLUMNS, column_dealt
from domain.games.klondike.events import Dealt, Drawn, Event, Moved, Recycled, Turned
from domain.games.klondike.state import COLUMN, WASTE, State
from domain.kit.patience import SUIT_PLACE, changed
from domain.view import Card


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    return _HANDLERS[type(event)](state, event)


def _dealt(state: State, event: Dealt) -> State:
    return replace(
        state,
        columns=tuple(column_dealt(event.cards, column) for column in range(COLUMNS)),
        face_down=tuple(range(COLUMNS)),
        stock=event.cards[: IN_COLUMNS - 1 : -1],
    )


def _drawn(state: State, event: Drawn) -> State:
    return replace(state, stock=state.stock[: -len(event.cards)], waste=state.waste + event.cards)


def _recycled(state: State, event: Recycled) -> State:
    return replace(state, stock=state.waste[::-1], waste=(), recycles=state.recycles + 1)


def _moved(state: State, event: Moved) -> State:
    return _put(_taken(state, event.source, len(event.cards)), event.target, event.cards)


def _taken(state: State, source: str, count: int) -> State:
    if source == WASTE:
        return replace(state, waste=state.waste[:-count])
    if source in SUIT_PLACE:
        return _home(state, SUIT_PLACE[source], -count)
    place = COLUMN[source]
    return _column(state, place, state.columns[place][:-count])


def _put(state: State, target: str, cards: tuple[Card, ...]) -> State:
    if target in SUIT_PLACE:
        return _home(state, SUIT_PLACE[target], len(cards))
    place = COLUMN[target]
    return _column(state, place, state.columns[place] + cards)


def _home(state: State, place: int, more: int) -> State:
    return replace(state, foundations=changed(state.foundations, place, state.foundations[place] + more))


def _column(state: State, place: int, cards: tuple[Card, ...]) -> State:
    return replace(state, columns=changed(state.columns, place, cards))


def _turned(state: State, event: Turned) -> State:
    place = COLUMN[event.source]
    return replace(state, face_down=changed(state.face_down, place, state.face_down[place] - 1))


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    Dealt: _dealt,
    Drawn: _drawn,
    Recycled: _recycled,
    Moved: _moved,
    Turned: _turned,
}
