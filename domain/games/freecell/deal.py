"""Before the first move: the empty table, the deal, and the numbered deals of Microsoft's FreeCell."""

from collections.abc import Iterator, Sequence
from operator import eq

from domain.chance import Chance
from domain.games.freecell.events import Dealt
from domain.games.freecell.state import CELLS, TABLEAU, Options, State
from domain.kit.cards import PACK, RANKS
from domain.view import Card

_PACK = tuple(rank + suit for rank in RANKS for suit in "CDHS")

LAST_NUMBER = 2**31 - 1
"""The last deal that Microsoft's generator tells from the others: it keeps 31 bits."""

_LAST_OF_WINDOWS = 1_000_000
"""The last deal that Windows has: the numbers that a deal is looked for under."""


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options, ((),) * len(TABLEAU), (None,) * len(CELLS), (0,) * 4)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffled(PACK).cards),)


def numbered(number: int, options: Options) -> tuple[Card, ...]:
    """The cards, in dealing order, of a deal of Microsoft's FreeCell: 1 to 32,000, from Windows XP on to 1,000,000, and
    as far as other programs have gone on with the same generator, 2,147,483,647.

    Jim Horne's algorithm, as he published it: the pack lies ace of clubs, diamonds, hearts, spades, then the twos and
    so on; each card is drawn by lot, and the last card of the pack takes its place.
    """
    return tuple(_cards(number))


def number_of(cards: Sequence[Card]) -> int | None:
    """The number of the deal of these cards in dealing order, None if it is none of the million; a tenth of a second.

    The first lot of every number tells all but one in 52 of them apart.
    """
    first = _PACK.index(cards[0])
    likely = (n for n in range(1, _LAST_OF_WINDOWS + 1) if ((n * 214013 + 2531011) % 2**31 >> 16) % 52 == first)
    return next((number for number in likely if all(map(eq, _cards(number), cards))), None)


def _cards(number: int) -> Iterator[Card]:
    pack, lots = list(_PACK), _lots(number)
    return (_drawn(pack, next(lots)) for _ in PACK)


def _drawn(pack: list[Card], lot: int) -> Card:
    place = lot % len(pack)
    pack[place], pack[-1] = pack[-1], pack[place]
    return pack.pop()


def _lots(seed: int) -> Iterator[int]:
    """The numbers of Microsoft C's `rand()`: the upper bits of a linear congruential generator."""
    while True:
        seed = (seed * 214013 + 2531011) % 2**31
        yield seed >> 16
