"""What the house sees in the player's hand: sure winners, the shortest suit, and the call that follows from them."""

from collections.abc import Iterable
from typing import Literal

from domain.games.bridge_solitaire.contract import STRAINS, Call, Strain
from domain.games.bridge_solitaire.options import Options
from domain.view import Card

HIGH_TO_LOW = "AKQJT98765432"
SUITS: tuple[Strain, ...] = STRAINS[:4]


def suit_winners(held: Iterable[str], out: Iterable[str] = ()) -> int:
    """The sure tricks of one suit's ranks, counted as Denexa's text does it.

    From the ace down: a rank that the player holds wins; any other is the house's and takes the player's lowest
    card. Ranks in `out` are nobody's.
    """
    left, wins = sorted(held, key=HIGH_TO_LOW.index), 0
    for rank in HIGH_TO_LOW:
        if left and left[0] == rank:
            left, wins = left[1:], wins + 1
        elif rank not in out:
            left = left[:-1]
    return wins


def winners(hand: tuple[Card, ...], out: tuple[Card, ...] = ()) -> int:
    """The sure tricks of a hand, suit by suit; jokers count nothing."""
    return sum(suit_winners(_ranks(hand, suit), _ranks(out, suit)) for suit in SUITS)


def _ranks(cards: tuple[Card, ...], suit: Strain) -> str:
    return "".join(card[0] for card in cards if card[1] == suit)


def lengths(hand: tuple[Card, ...]) -> dict[Strain, int]:
    """How many cards of each suit; a void counts 0."""
    return {suit: len(_ranks(hand, suit)) for suit in SUITS}


def shortest_suit(hand: tuple[Card, ...], tie: Literal["highest", "lowest"] = "highest") -> Strain:
    """The suit with the fewest cards; of equals the highest ranking unless told otherwise (house rule, ours)."""
    held = lengths(hand)
    tied = [suit for suit in SUITS if held[suit] == min(held.values())]
    return tied[-1] if tie == "highest" else tied[0]


def house_call(hand: tuple[Card, ...], discards: tuple[Card, ...], options: Options) -> Call:
    """Six less the player's winners in the player's shortest suit; a pass when nothing is left."""
    level = 6 - winners(hand, discards if options.exclude_discards else ())
    return Call(level, shortest_suit(hand, options.house_tie)) if level > 0 else Call()
