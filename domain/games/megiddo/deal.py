"""Megiddo: who begins."""

from collections.abc import Sequence

from domain.chance import Chance
from domain.games.megiddo.board import BOARDS
from domain.games.megiddo.events import Event, GameStarted
from domain.games.megiddo.options import FirstSeat, Options
from domain.games.megiddo.stones import STONES, bag
from domain.view import Seat

_CHOSEN: dict[FirstSeat, Seat] = {"seat_0": 0, "seat_1": 1}


def deal(options: Options, chance: Chance, seats: int) -> Sequence[Event]:
    """The start of the first game; raises Illegal for a given deal that is not the bag of stones.

    All stones are shuffled; the first one drawn tells who begins, unless a seat was chosen (our ruling).
    """
    drawn = chance.shuffled(bag(BOARDS[options.variant])).cards
    return (GameStarted(_CHOSEN.get(options.first_seat, STONES.index(drawn[0]))),)
