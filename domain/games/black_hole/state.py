"""What a game of Black Hole is made of: its options, its zones, its state, and which card may lie on which."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cards import PACK, RANK
from domain.view import Card

Foundation = Literal["foundation"]
Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6", "tableau_7", "tableau_8",
    "tableau_9", "tableau_10", "tableau_11", "tableau_12", "tableau_13", "tableau_14", "tableau_15", "tableau_16",
]  # fmt: skip
StartCard = Literal[
    "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS",
    "AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH",
    "AD", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD",
    "AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC",
]  # fmt: skip

FOUNDATION: Final = "foundation"
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)

PILE: dict[str, int] = {zone: place for place, zone in enumerate(TABLEAU)}
"""The number of a pile, by zone."""

DEPTH = 3
"""Cards in a pile."""

BESIDE: dict[Card, frozenset[Card]] = {
    top: frozenset(card for card in PACK if abs(RANK[card] - RANK[top]) in (1, 12)) for top in PACK
}
"""The cards that go on a card: one rank above or below it, the ace next to the king and the two (Denexa Games)."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Black Hole is played."""

    start_card: Annotated[
        StartCard, Meta(description="The card that lies in the middle before the others are shuffled.")
    ] = "AS"
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position: the 17 piles and the foundation, bottom to top. Nothing is hidden."""

    options: Options
    piles: tuple[tuple[Card, ...], ...]
    foundation: tuple[Card, ...] = ()


class Facts(Struct, frozen=True, tag="black_hole/facts"):
    """The score: how many cards lie on the foundation."""

    score: int
