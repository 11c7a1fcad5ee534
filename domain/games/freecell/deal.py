"""Before the first move: the empty table, the deal, and the numbered deals of Microsoft's FreeCell."""

from collections.abc import Iterator

from domain.chance import Chance
from domain.game_type import Card
from domain.games.freecell.events import Dealt
from domain.games.freecell.state import CELLS, TABLEAU, Options, State
from domain.kit.cards import PACK, RANKS


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options, ((),) * len(TABLEAU), (None,) * len(CELLS), (0,) * 4)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffled(PACK).cards),)


def numbered(number: int, options: Options) -> tuple[Card, ...]:
    """The cards, in dealing order, of a deal of Microsoft's FreeCell: 1 to 32,000, from Windows XP on to 1,000,000.

    Jim Horne's algorithm, as he published it: the pack lies ace of clubs, diamonds, hearts, spades, then the twos and
    so on; each card is drawn by lot, and the last card of the pack takes its place.
    """
    pack, lots = [rank + suit for rank in RANKS for suit in "CDHS"], _lots(number)
    return tuple(_drawn(pack, next(lots)) for _ in PACK)


def _drawn(pack: list[Card], lot: int) -> Card:
    place = lot % len(pack)
    pack[place], pack[-1] = pack[-1], pack[place]
    return pack.pop()


def _lots(seed: int) -> Iterator[int]:
    """The numbers of Microsoft C's `rand()`: the upper bits of a linear congruential generator."""
    while True:
        seed = (seed * 214013 + 2531011) % 2**31
        yield seed >> 16
