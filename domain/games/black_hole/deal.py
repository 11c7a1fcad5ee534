"""Before the first move: the empty table and the deal."""

from domain.chance import Chance
from domain.games.black_hole.events import Dealt
from domain.games.black_hole.state import TABLEAU, Options, State
from domain.kit.cards import PACK
from domain.view import Card

DEPTH = 3
"""Cards in a pile."""


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, piles=((),) * len(TABLEAU))


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """The start card is laid down before the other 51 are shuffled; a given deal names all 52, it anywhere among them.

    Taking the first ace out of a shuffled pack would leave an unfair deal (J. Wolter, Experimental Analysis of Black
    Hole). That a given deal may name the start card in any place is our ruling.
    """
    start = options.start_card
    pack = _without(start, PACK) if chance.given is None else PACK
    return (Dealt(start, _without(start, chance.shuffled(pack).cards)),)


def _without(start: Card, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card != start)


def pile_dealt(cards: tuple[Card, ...], place: int) -> tuple[Card, ...]:
    """The cards of a pile, bottom to top."""
    return cards[DEPTH * place : DEPTH * (place + 1)]
