"""The empty table and the deal."""

from domain.chance import Chance
from domain.games.the_clock.events import Dealt
from domain.games.the_clock.state import PILES, Options, State
from domain.kit.cards import PACK
from domain.view import Card

_EMPTY: tuple[tuple[Card, ...], ...] = ((),) * len(PILES)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, piles=_EMPTY, shown=_EMPTY)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffled(PACK).cards),)


def piles_dealt(cards: tuple[Card, ...], pile_by_pile: bool) -> tuple[tuple[Card, ...], ...]:
    """The thirteen piles, each with the card dealt last on top; one at a time, from 1 o'clock, the middle last."""
    if pile_by_pile:
        return tuple(cards[4 * place : 4 * place + 4] for place in range(len(PILES)))
    return tuple(cards[place :: len(PILES)] for place in range(len(PILES)))
