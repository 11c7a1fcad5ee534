"""How hard a deal is, by the work of the solver: not of a person, and comparable within one game type only."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.analysis.sentences import count
from service.solving import Finding

Level = Literal["easy", "medium", "hard", "expert"]
_LEVELS: tuple[tuple[Level, int], ...] = (("easy", 1_000), ("medium", 10_000), ("hard", 100_000))
"""A level and the number of positions below which a deal is of it."""


class Difficulty(Struct, frozen=True):
    """How many positions the solver saw before it had won the deal, and a word for it."""

    level: Annotated[Level, Meta(description="Below 1,000, 10,000 and 100,000 positions, and above.")]
    positions: int

    def tell(self) -> str:
        """In a sentence."""
        return f"The deal is {self.level}: the solver won it after {count(self.positions, 'position')}."


def rate_deal(found: Finding | None) -> Difficulty | None:
    """The difficulty by what was found of the deal; None: it is not known to be winnable."""
    if found is None or found.verdict != "won":
        return None
    return Difficulty(next((level for level, most in _LEVELS if found.positions < most), "expert"), found.positions)
