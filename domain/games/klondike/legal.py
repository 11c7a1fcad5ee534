"""Every command that would be accepted, quickly and always in the same order."""

from collections.abc import Iterator

from domain.games.klondike.events import Command, Draw, Move, Recycle, Source
from domain.games.klondike.passes import closed, recycles_left
from domain.games.klondike.state import ACCEPTS, TABLEAU, WASTE, State
from domain.kit.cards import PACK, RANK
from domain.kit.patience import FOUNDATIONS, HOME, NO_CARD, top_of
from domain.view import Card, Seat

_LOWER: dict[Card, int] = {card: rank - 1 for card, rank in RANK.items()} | {NO_CARD: 13}
"""The rank that a column takes, by its top card."""


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The moves, then drawing or recycling; nothing for another seat or once the game is over."""
    if seat != 0 or closed(state):
        return ()
    return (*moves(state), *_stock_commands(state))


def moves(state: State) -> list[Move]:
    """The legal moves: from the waste, from each column, from the foundations; home first, then columns 0 to 6."""
    return [move for found in moves_by_source(state) for move in found]


def moves_by_source(state: State) -> Iterator[list[Move]]:
    """The same, one source after another, for who may stop at the first."""
    tops = tuple([top_of(column) for column in state.columns])
    yield _from_waste(state, tops)
    for place in range(len(tops)):
        yield _from_column(state, tops, place)
    if state.options.foundation_return:
        yield _from_foundations(state, tops)


def _stock_commands(state: State) -> Iterator[Command]:
    if state.stock:
        yield Draw()
    elif state.waste and recycles_left(state) != 0:
        yield Recycle()


def _from_waste(state: State, tops: tuple[Card, ...]) -> list[Move]:
    if not state.waste:
        return []
    card = state.waste[-1]
    return _home(state, WASTE, card) + _to_columns(WASTE, card, tops)


def _from_foundations(state: State, tops: tuple[Card, ...]) -> list[Move]:
    listed: list[Move] = []
    for suit, home in enumerate(state.foundations):
        if home:
            listed += _to_columns(FOUNDATIONS[suit], PACK[13 * suit + home - 1], tops)
    return listed


def _from_column(state: State, tops: tuple[Card, ...], place: int) -> list[Move]:
    if tops[place] == NO_CARD:
        return []
    run, source = state.columns[place][state.face_down[place] :], TABLEAU[place]
    fitting = _fitting(run, tops, state.options.whole_run_only)
    return _home(state, source, run[-1]) + [Move(source, TABLEAU[target], count) for target, count in fitting]


def _fitting(run: tuple[Card, ...], tops: tuple[Card, ...], whole: bool) -> Iterator[tuple[int, int]]:
    """The columns that take a part of this run, and how many cards: ranks fall by one, so that one part fits at most.

    No part fits the run's own top card, so the run's own column needs no exception.
    """
    head, length = RANK[run[0]], 1 if whole else len(run)
    for place, top in enumerate(tops):
        deep = head - _LOWER[top]
        if 0 <= deep < length and run[deep] in ACCEPTS[top]:
            yield place, len(run) - deep


def _home(state: State, source: Source, card: Card) -> list[Move]:
    suit, needed = HOME[card]
    return [Move(source, FOUNDATIONS[suit])] if state.foundations[suit] == needed else []


def _to_columns(source: Source, card: Card, tops: tuple[Card, ...]) -> list[Move]:
    return [Move(source, TABLEAU[place]) for place, top in enumerate(tops) if card in ACCEPTS[top]]
