"""How hard a deal is, by the work of the solver: not of a person, and comparable within one game type only.

And what all reports say alike.
"""

from typing import Annotated

from msgspec import Meta, Struct

from domain.play.events import DealLevel
from service.solving import Finding
from service.solving.levels import level_of

_ENDED = "The search was ended before it was done; asked for again, it goes on."
Complete = Annotated[bool, Meta(description="Whether the search came to its end; else it may be asked for again.")]


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


def tell_end(sentences: tuple[str, ...], complete: bool) -> tuple[str, ...]:
    """These sentences; of a search that was ended the last one says so."""
    return sentences if complete else (*sentences[:-1], f"{sentences[-1]} {_ENDED}")


def rate_deal(key: str, found: Finding | None) -> Difficulty | None:
    """The difficulty by what was found of this game type's deal; None: it is not known to be winnable."""
    if found is None or found.verdict != "won":
        return None
    return Difficulty(level_of(key, found.positions), found.positions)
