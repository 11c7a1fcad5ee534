"""Before the first move: the empty table and the deal."""

from domain.chance import Chance
from domain.games.seahaven_towers.events import Dealt
from domain.games.seahaven_towers.state import TABLEAU, TOWERS, Options, State
from domain.kit.cards import PACK

IN_COLUMNS = 50


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options, ((),) * len(TABLEAU), (None,) * len(TOWERS), (0,) * 4)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack. Our ruling: the columns are dealt row by row, the towers last."""
    return (Dealt(chance.shuffled(PACK).cards),)
