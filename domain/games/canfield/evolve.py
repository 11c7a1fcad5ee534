"""The fold: what each event makes of a position."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.games.canfield.deal import BASE_CARD, FIRST_COLUMN, FIRST_OF_STOCK, IN_RESERVE
from domain.games.canfield.events import Dealt, Drawn, Event, Filled, Moved, Recycled, Uncovered
from domain.games.canfield.state import COLUMN, RESERVE, WASTE, State
from domain.kit.cards import RANK, SUITS
from domain.kit.patience import SUIT_PLACE, changed
from domain.view import Card


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    return _HANDLERS[type(event)](state, event)


def _dealt(state: State, event: Dealt) -> State:
    """The packet of the reserve is turned over: its first card comes to lie on top."""
    base = event.cards[BASE_CARD]
    return replace(
        state,
        columns=tuple((card,) for card in event.cards[FIRST_COLUMN:FIRST_OF_STOCK]),
        foundations=changed(state.foundations, SUITS.index(base[1]), 1),
        base=RANK[base],
        reserve=event.cards[IN_RESERVE - 1 :: -1],
        covered=IN_RESERVE - 1,
        stock=event.cards[: FIRST_OF_STOCK - 1 : -1],
    )


def _drawn(state: State, event: Drawn) -> State:
    return replace(state, stock=state.stock[: -len(event.cards)], waste=state.waste + event.cards)


def _recycled(state: State, event: Recycled) -> State:
    return replace(state, stock=state.waste[::-1], waste=(), recycles=state.recycles + 1)


def _moved(state: State, event: Moved) -> State:
    return _put(_taken(state, event.source, len(event.cards)), event.target, event.cards)


def _taken(state: State, source: str, count: int) -> State:
    if source == RESERVE:
        return replace(state, reserve=state.reserve[:-count])
    if source == WASTE:
        return replace(state, waste=state.waste[:-count])
    if source in SUIT_PLACE:
        return _home(state, SUIT_PLACE[source], -count)
    place = COLUMN[source]
    return replace(state, columns=changed(state.columns, place, state.columns[place][:-count]))


def _put(state: State, target: str, cards: tuple[Card, ...]) -> State:
    if target in SUIT_PLACE:
        return _home(state, SUIT_PLACE[target], len(cards))
    place = COLUMN[target]
    return replace(state, columns=changed(state.columns, place, state.columns[place] + cards))


def _home(state: State, suit: int, more: int) -> State:
    return replace(state, foundations=changed(state.foundations, suit, state.foundations[suit] + more))


def _filled(state: State, event: Filled) -> State:
    return _put(_taken(state, RESERVE, 1), event.target, (event.card,))


def _uncovered(state: State, event: Uncovered) -> State:
    return replace(state, covered=state.covered - 1)


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    Dealt: _dealt,
    Drawn: _drawn,
    Recycled: _recycled,
    Moved: _moved,
    Filled: _filled,
    Uncovered: _uncovered,
}
