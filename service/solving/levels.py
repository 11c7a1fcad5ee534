"""How hard a deal that can be won is: by the different positions that the solver saw until it had won."""

from bisect import bisect_left
from typing import get_args

from domain.play.events import DealLevel

LEVELS: tuple[DealLevel, ...] = get_args(DealLevel)
QUARTERS: dict[str, tuple[int, int, int]] = {
    "black_hole": (4_621, 35_836, 231_048),
    "canfield": (529, 1_004, 1_708),
    "forty_thieves": (11_147, 36_240, 230_990),
    "freecell": (715, 968, 1_780),
    "golf": (24_198, 99_384, 376_024),
    "klondike": (648, 965, 1_321),
    "pyramid": (62, 65, 72),
    "seahaven_towers": (296, 472, 2_140),
    "spider": (115_800, 371_271, 662_968),
    "yukon": (4_630, 5_656, 16_522),
}
"""Positions that a quarter, half and three quarters of the deals with usual options took that could be won."""


def levels_of(key: str) -> tuple[DealLevel, ...]:
    """The levels that deals of this game type have: one alone where nobody has a choice."""
    return LEVELS if key in QUARTERS else LEVELS[:1]


def level_of(key: str, positions: int) -> DealLevel:
    """The level of a deal that was won after so many positions."""
    return LEVELS[bisect_left(QUARTERS[key], positions)] if key in QUARTERS else LEVELS[0]
