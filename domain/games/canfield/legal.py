"""Every command that would be accepted, quickly and always in the same order."""

from collections.abc import Iterator

from domain.games.canfield.events import Command, Draw, Move, Recycle, Source
from domain.games.canfield.passes import all_home, recycles_left
from domain.games.canfield.state import ACCEPTS, RESERVE, TABLEAU, WASTE, State, home_cards, lower, reserve_top, tops
from domain.kit.cards import PACK, RANK, SUITS
from domain.kit.patience import FOUNDATIONS, NO_CARD
from domain.view import Card, Seat

_LOWER: dict[Card, int] = {card: lower(rank) for card, rank in RANK.items()}
"""The rank that a column takes, by its top card."""

_SUIT: dict[Card, int] = {card: SUITS.index(card[1]) for card in PACK}


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The moves, then drawing or recycling; nothing for another seat or once the game is over."""
    if seat != 0 or all_home(state):
        return ()
    return (*moves(state), *_stock_commands(state))


def moves(state: State) -> list[Move]:
    """The legal moves: from the reserve, the waste, each column, the foundations; home first, then columns 0 to 3."""
    heads = tops(state)
    listed = _from_top(state, RESERVE, reserve_top(state), heads)
    listed += _from_top(state, WASTE, state.waste[-1] if state.waste else None, heads)
    for place, column in enumerate(state.columns):
        if column:
            listed += _from_column(state, place, column, heads)
    if state.options.foundation_return:
        listed += _from_foundations(state, heads)
    return listed


def _stock_commands(state: State) -> Iterator[Command]:
    if state.stock:
        yield Draw()
    elif state.waste and recycles_left(state) != 0:
        yield Recycle()


def _from_top(state: State, source: Source, card: Card | None, heads: tuple[Card, ...]) -> list[Move]:
    if card is None:
        return []
    return _home(state, source, card) + _to_columns(source, card, heads)


def _from_foundations(state: State, heads: tuple[Card, ...]) -> list[Move]:
    listed: list[Move] = []
    for suit, zone in enumerate(FOUNDATIONS):
        if home := home_cards(state, suit):
            listed += _to_columns(zone, home[-1], heads)
    return listed


def _from_column(state: State, place: int, column: tuple[Card, ...], heads: tuple[Card, ...]) -> list[Move]:
    source, length = TABLEAU[place], 1 if state.options.whole_column_only else len(column)
    listed = _home(state, source, column[-1])
    for target, top in enumerate(heads):
        if target != place:
            listed += [Move(source, TABLEAU[target], len(column) - deep) for deep in _fitting(column[:length], top)]
    return listed


def _fitting(run: tuple[Card, ...], top: Card) -> list[int]:
    """The cards of this run, by number from its lower end, that may go onto this top card.

    Ranks fall by one and go on from ace to king, so that a card that fits may come again 26 cards above.
    """
    if top == NO_CARD:
        return list(range(len(run)))
    first = (RANK[run[0]] - _LOWER.get(top, 0)) % 13
    return [deep for deep in range(first, len(run), 13) if run[deep] in ACCEPTS[top]]


def _home(state: State, source: Source, card: Card) -> list[Move]:
    suit = _SUIT[card]
    fits = state.foundations[suit] == (RANK[card] - state.base) % 13
    return [Move(source, FOUNDATIONS[suit])] if fits else []


def _to_columns(source: Source, card: Card, heads: tuple[Card, ...]) -> list[Move]:
    return [Move(source, TABLEAU[place]) for place, top in enumerate(heads) if card in ACCEPTS[top]]
