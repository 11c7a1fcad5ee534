"""The fold: what each event makes of a position."""

from domain.games.freecell.events import Dealt, Event
from domain.games.freecell.state import CELL, COLUMN, TABLEAU, State
from domain.kit.patience import SUIT_PLACE, changed
from domain.view import Card


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    if isinstance(event, Dealt):
        columns = tuple(event.cards[place :: len(TABLEAU)] for place in range(len(TABLEAU)))
        return State(state.options, columns, state.cells, state.foundations)
    return _put(_taken(state, event.source, len(event.cards)), event.target, event.cards)


def _taken(state: State, source: str, count: int) -> State:
    if source in COLUMN:
        place = COLUMN[source]
        return _column(state, place, state.columns[place][:-count])
    if source in CELL:
        return _cell(state, CELL[source], None)
    return _home(state, SUIT_PLACE[source], -count)


def _put(state: State, target: str, cards: tuple[Card, ...]) -> State:
    if target in COLUMN:
        place = COLUMN[target]
        return _column(state, place, state.columns[place] + cards)
    if target in CELL:
        return _cell(state, CELL[target], cards[0])
    return _home(state, SUIT_PLACE[target], len(cards))


def _column(state: State, place: int, cards: tuple[Card, ...]) -> State:
    return State(state.options, changed(state.columns, place, cards), state.cells, state.foundations)


def _cell(state: State, place: int, card: Card | None) -> State:
    return State(state.options, state.columns, changed(state.cells, place, card), state.foundations)


def _home(state: State, place: int, more: int) -> State:
    foundations = changed(state.foundations, place, state.foundations[place] + more)
    return State(state.options, state.columns, state.cells, foundations)
