"""The fold: what each event makes of a position."""

from domain.games.seahaven_towers.deal import IN_COLUMNS
from domain.games.seahaven_towers.events import Dealt, Event
from domain.games.seahaven_towers.state import COLUMN, TOWER, State
from domain.kit.patience import SUIT_PLACE, changed
from domain.view import Card


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    if isinstance(event, Dealt):
        columns = tuple(event.cards[place:IN_COLUMNS:10] for place in range(10))
        return State(state.options, columns, (None, *event.cards[IN_COLUMNS:], None), state.foundations)
    return _put(_taken(state, event.source, len(event.cards)), event.target, event.cards)


def _taken(state: State, source: str, count: int) -> State:
    if source in COLUMN:
        place = COLUMN[source]
        return _column(state, place, state.columns[place][:-count])
    return _tower(state, TOWER[source], None)


def _put(state: State, target: str, cards: tuple[Card, ...]) -> State:
    if target in COLUMN:
        place = COLUMN[target]
        return _column(state, place, state.columns[place] + cards)
    if target in TOWER:
        return _tower(state, TOWER[target], cards[0])
    return _home(state, SUIT_PLACE[target])


def _column(state: State, place: int, cards: tuple[Card, ...]) -> State:
    return State(state.options, changed(state.columns, place, cards), state.towers, state.foundations)


def _tower(state: State, place: int, card: Card | None) -> State:
    return State(state.options, state.columns, changed(state.towers, place, card), state.foundations)


def _home(state: State, place: int) -> State:
    foundations = changed(state.foundations, place, state.foundations[place] + 1)
    return State(state.options, state.columns, state.towers, foundations)
