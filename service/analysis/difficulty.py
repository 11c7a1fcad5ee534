"""How hard a deal is, by the work of the solver: not of a person, and comparable within one game type only."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.play.events import DealLevel
from service.solving import Finding
from service.solving.levels import level_of


class Difficulty(Struct, frozen=True):
    """How many positions the solver saw before it had won the deal, and a word for it."""

    level: Annotated[DealLevel, Meta(description="As of wished deals: a quarter of the game type's deals each.")]
    positions: int

    def tell(self) -> str:
        """In a sentence."""
        return f"The deal is {self.level}: the solver won it after {count(self.positions, 'position')}."


def count(number: int, word: str) -> str:
    """`1 trick`, `2 tricks`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def rate_deal(key: str, found: Finding | None) -> Difficulty | None:
    """The difficulty by what was found of this game type's deal; None: it is not known to be winnable."""
    if found is None or found.verdict != "won":
        return None
    return Difficulty(level_of(key, found.positions), found.positions)
