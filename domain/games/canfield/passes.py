"""What has a place on the table, how often the stock may be gone through, and when all cards are home."""

from domain.games.canfield.state import ACCEPTS, State, next_home, tops
from domain.kit.cards import PACK
from domain.view import Card


def recycles_left(state: State) -> int | None:
    """How often the waste may still be turned over; None: any number of times."""
    passes = state.options.passes
    return None if passes is None else passes - 1 - state.recycles


def wanted(state: State) -> set[Card]:
    """The cards that would have a place if they lay on top of the waste now."""
    homes = (next_home(state, suit) for suit in range(4))
    cards = {card for card in homes if card is not None}
    return cards.union(*(ACCEPTS[top] for top in tops(state)))


def all_home(state: State) -> bool:
    """Whether the 52 cards are on the foundations."""
    return sum(state.foundations) == len(PACK)
