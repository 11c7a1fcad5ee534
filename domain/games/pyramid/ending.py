"""How far the game is: passes, score, when it is over, and when nothing more can come of it."""

from domain.game_type import Result
from domain.games.pyramid.available import available, pyramid_removals
from domain.games.pyramid.legal import legal_commands
from domain.games.pyramid.passes import dealt, recycles_left, score, won
from domain.games.pyramid.state import PARTNERS, State
from domain.kit.patience import KINGS
from domain.view import Card


def result(state: State) -> Result | None:
    """Won with the pyramid gone (`clear_all`: every card); lost where nothing is legal. The score is what was left.

    Our ruling: with undo a lost game stays open and is told as stuck.
    """
    if won(state):
        return Result("won", "all_cleared" if state.options.clear_all else "pyramid_cleared", (0,), (score(state),))
    over = dealt(state) and not state.options.undo and not legal_commands(state, 0)
    return Result("lost", "no_moves", (), (score(state),)) if over else None


def stuck(state: State) -> bool:
    """Whether nothing is legal, or nothing but drawing and removals that free no card of the pyramid. Our ruling.

    The player can tell which cards the stock holds from those in view; their order does not matter. With `waste_pairs`
    and when drawing three it is told only where nothing is legal.
    """
    if not dealt(state) or won(state):
        return False
    if not legal_commands(state, 0):
        return True
    if state.options.waste_pairs or state.options.draw > 1 or pyramid_removals(state):
        return False
    return not _hope(state)


def _hope(state: State) -> bool:
    """Whether a card that can still come up pairs with the pyramid, or, where all must go, can go at all."""
    cards = _within_reach(state)
    tops = [state.pyramid[place] for place in available(state.pyramid)]
    if any(not PARTNERS[top].isdisjoint(cards) for top in tops):
        return True
    return state.options.clear_all and (_pair_among(state, cards) or not KINGS.isdisjoint(cards))


def _within_reach(state: State) -> set[Card]:
    """The cards of stock and waste that can still come to the top, as long as the pyramid stays as it is."""
    cards = {*state.stock, *state.waste}
    if recycles_left(state) != 0 or _pair_among(state, cards):
        return cards
    return {*state.stock, *_upper_waste(state.waste)}


def _pair_among(state: State, cards: set[Card]) -> bool:
    """Whether stock and waste might give a pair with each other, which takes a stock whose top can be played."""
    return state.options.stock_top and bool(state.stock) and any(not PARTNERS[card].isdisjoint(cards) for card in cards)


def _upper_waste(waste: tuple[Card, ...]) -> set[Card]:
    """The top of the waste, and what lies under it as far as only kings lie above."""
    depth = 1
    while depth < len(waste) and waste[-depth] in KINGS:
        depth += 1
    return set(waste[-depth:])
