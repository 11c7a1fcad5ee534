"""When the player can be told that nothing more will come of the game."""

from domain.games.canfield.events import Move
from domain.games.canfield.legal import moves
from domain.games.canfield.passes import all_home, recycles_left, wanted
from domain.games.canfield.state import COLUMN, State
from domain.view import Card


def stuck(state: State) -> bool:
    """Whether no move is legal and no card that the stock can still bring has a place. Our ruling.

    A whole column that only changes its place does not count as a move. Cards that have never been shown count as any
    that they could be, so the answer rests on what the player has seen and does not give them away.
    """
    if all_home(state) or not state.base:
        return False
    return not any(_matters(state, move) for move in moves(state)) and wanted(state).isdisjoint(_awaited(state))


def _matters(state: State, move: Move) -> bool:
    """False for a whole column that goes to an empty one."""
    if move.source not in COLUMN or move.target not in COLUMN or state.columns[COLUMN[move.target]]:
        return True
    return move.count < len(state.columns[COLUMN[move.source]])


def _awaited(state: State) -> set[Card]:
    """The cards that drawing and recycling alone can bring to the top of the waste, as far as the player knows.

    In the first pass any covered card of the reserve may be any card of the stock.
    """
    to_come = state.stock[::-1]
    cards = _tops(to_come, state.options.draw)
    if recycles_left(state) != 0:
        cards |= _tops(state.waste + to_come, state.options.draw)
    return cards.union(state.stock, state.reserve[: state.covered]) if state.stock and not state.recycles else cards


def _tops(cards: tuple[Card, ...], draw: int) -> set[Card]:
    """The last card of every packet of `draw` cards, in drawing order, and of what is left."""
    return {*cards[draw - 1 :: draw], *cards[-1:]}
