"""Spite & Malice: whose stock is smaller, how near the other seat's top is to being played, and what is held back.

The weights are those of a logit model, fitted to who won 500 games of two greedy bots, at positions in which a turn has
ended. Of the other seat's hand nothing is used, not even of a drawn world: chance would only blur what is compared.
"""

from math import exp

from domain.games.spite_and_malice.state import VALUE, State
from domain.view import Seat
from service.house.search import Outlook

_STOCK = 0.24
"""A card more or less in the stock."""
_NEXT = 0.37
"""The other seat's top, if it can be played for certain."""
_DRAWN = 0.45
"""How likely a value is in a hand that is not seen, or a wild for it."""
_WILD, _ROOM = 0.24, 0.05
"""A wild in hand, and a place there that is filled again."""


def worth(state: State, seat: Seat) -> float:
    """The share of a seat whose turn has ended."""
    hand, settings = state.hands[seat], state.settings
    logit = _STOCK * (len(state.stocks[1 - seat]) - len(state.stocks[seat])) - _NEXT * _likely(state, 1 - seat)
    logit += _WILD * sum(map(settings.is_wild, hand)) + _ROOM * (settings.hand - len(hand))
    return 1 / (1 + exp(-logit))


def _likely(state: State, seat: Seat) -> float:
    """How likely the top of this seat's stock is played in its next turn."""
    top = VALUE[state.stocks[seat][-1]]
    if top > state.settings.finish:
        return 1.0
    likely: float = _DRAWN ** min(_lacking(state, seat, len(deck) + 1, top) for deck in state.play_decks)
    return likely


def _lacking(state: State, seat: Seat, following: int, top: int) -> int:
    """How many values from what a deck takes next to the top are not reached in the discard piles."""
    finish = state.settings.finish
    way = range(following, top) if following <= top else (*range(following, finish + 1), *range(1, top))
    piles, lacking = [[VALUE[card] for card in pile] for pile in state.discards[seat]], 0
    for value in way:
        if (pile := next((pile for pile in piles if pile and pile[-1] == value), None)) is None:
            lacking += 1
        else:
            pile.pop()
    return lacking


OUTLOOK = Outlook(worth, turns=1, width=6, trust=0.3, stronger=True)
