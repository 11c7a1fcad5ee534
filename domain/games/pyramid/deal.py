"""Before the first move: the empty table and the deal."""

from domain.chance import Chance
from domain.games.pyramid.events import Dealt, Event, Turned
from domain.games.pyramid.state import PLACES, Options, Options2, State, State2
from domain.kit.cards import PACK
from domain.kit.patience import NO_CARD

IN_PYRAMID = len(PLACES)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, pyramid=(NO_CARD,) * IN_PYRAMID)


def initial_2(options: Options2, seats: int) -> State2:
    """The same for revision 2."""
    return State2(options=options, pyramid=(NO_CARD,) * IN_PYRAMID)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Event, ...]:
    """One shuffled pack; with `stock_top` the first card of the stock is turned up."""
    dealt = Dealt(chance.shuffled(PACK).cards)
    return (dealt, Turned(dealt.cards[IN_PYRAMID])) if options.stock_top else (dealt,)
