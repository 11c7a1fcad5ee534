"""What a game of Forty Thieves is made of: options, zones, state, facts; which card may lie on which."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cards import PACK
from domain.kit.patience import ALTERNATING, IN_SUIT, ON_ALTERNATING, ON_IN_SUIT, Passes
from domain.view import Card

Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4",
    "tableau_5", "tableau_6", "tableau_7", "tableau_8", "tableau_9",
]  # fmt: skip
Foundation = Literal[
    "foundation_spades_0", "foundation_spades_1", "foundation_hearts_0", "foundation_hearts_1",
    "foundation_diamonds_0", "foundation_diamonds_1", "foundation_clubs_0", "foundation_clubs_1",
]  # fmt: skip
Build = Literal["suit", "alternating"]

TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)
FOUNDATIONS: Final[tuple[Foundation, ...]] = get_args(Foundation)

HOME_PLACE: dict[str, int] = {zone: place for place, zone in enumerate(FOUNDATIONS)}
"""The number of a foundation, by zone: twice the place of its suit in SUITS, and one more for the second of a suit."""

CARDS: tuple[Card, ...] = PACK * 2
"""The 104 cards. Copies of a card read the same."""

COLUMNS: Final = 10
IN_COLUMNS: Final = 40

ALL_HOME = (13,) * 8
"""The numbers of cards at home in a game that is won."""

ACCEPTS: dict[Build, Mapping[Card, frozenset[Card]]] = {"suit": IN_SUIT, "alternating": ALTERNATING}
"""The cards that may be put on a card."""

LIES_ON: dict[Build, Mapping[Card, tuple[Card, ...]]] = {"suit": ON_IN_SUIT, "alternating": ON_ALTERNATING}
"""The cards that a card may be put on."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Forty Thieves is played."""

    build: Annotated[
        Build, Meta(description="Columns are built down in suit, or in alternating colours (known as Streets).")
    ] = "suit"
    runs: Annotated[
        bool, Meta(description="Cards that lie in order on top of a column move together (known as Josephine).")
    ] = False
    passes: Passes = 1
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True

    @property
    def draw(self) -> int:
        """Cards turned from the stock at a time."""
        return 1


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is drawn next.

    `foundations` are the numbers of cards at home, in the order of FOUNDATIONS. `recycles` is how often the waste has
    been turned over.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    foundations: tuple[int, ...]
    stock: tuple[Card, ...] = ()
    waste: tuple[Card, ...] = ()
    recycles: int = 0


class Facts(Struct, frozen=True, tag="forty_thieves/facts"):
    """What the piles do not show: which pass this is, from 1, and how many recycles are left (null: any number)."""

    pass_number: int
    recycles_left: int | None
