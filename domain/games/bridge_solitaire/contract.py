"""The words of a bridge auction: sides, strains, calls and contracts."""

from typing import Literal

from msgspec import Struct

Side = Literal["me", "it"]
"""The two columns of the sheet: ME is the player, IT is the house."""

Strain = Literal["C", "D", "H", "S", "NT"]
Doubling = Literal["undoubled", "doubled", "redoubled"]

STRAINS: tuple[Strain, ...] = ("C", "D", "H", "S", "NT")
"""The strains from the lowest to the highest (Law 18 of contract bridge)."""

LEVELS = range(1, 8)
TRICKS = 13
BOOK = 6
"""The tricks that do not count: a contract of level n needs 6 + n."""

BY_JOKERS: tuple[Doubling, ...] = ("undoubled", "doubled", "redoubled")
"""The doubling by the number of jokers in the player's thirteen cards, whoever declares."""


class Call(Struct, frozen=True, omit_defaults=True):
    """One call of the auction; level 0 without a strain is a pass."""

    level: int = 0
    strain: Strain | None = None

    @property
    def is_pass(self) -> bool:
        return self.strain is None


class Contract(Struct, frozen=True):
    """What was bid, by whom, and how it is doubled."""

    declarer: Side
    level: int
    strain: Strain
    doubling: Doubling = "undoubled"

    @property
    def needs(self) -> int:
        """The tricks that make it."""
        return BOOK + self.level


def other(side: Side) -> Side:
    return "it" if side == "me" else "me"
