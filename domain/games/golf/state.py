"""What a game of Golf is made of: its options, its zones, its deal, its state, and which card may lie on which."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cards import PACK, RANK
from domain.view import Card

Tableau = Literal["tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6"]
Discard = Literal["discard"]

TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)
DISCARD: Final = "discard"
STOCK: Final = "stock"

COLUMN: dict[str, int] = {zone: place for place, zone in enumerate(TABLEAU)}
"""The number of a column, by zone."""

COLUMNS = len(TABLEAU)
IN_COLUMNS = 35

FACE_UP_IN_DEAL = range(IN_COLUMNS + 1)
"""The places in the dealing order whose cards lie face up: the columns and the first discard."""

KING = 13


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Golf is played."""

    queens_on_kings: Annotated[bool, Meta(description="A queen may be played on a king; without, nothing may.")] = False
    wrap: Annotated[
        bool,
        Meta(description="Ace and king are next to each other, and queens go on kings too (sets `queens_on_kings`)."),
    ] = False
    draw_only_when_stuck: Annotated[
        bool, Meta(description="The stock may be drawn from only while no card of the columns can be played.")
    ] = False
    negative_score: Annotated[
        bool, Meta(description="A won game scores one point below zero for every card left in the stock.")
    ] = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is drawn next."""

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    resigned: bool = False


class Facts(Struct, frozen=True, tag="golf/facts"):
    """The score if the game ended now: the fewer the better."""

    score: int


def takers(options: Options) -> dict[Card, frozenset[Card]]:
    """The cards that may be played on each card. Nothing goes on a king, and only twos on an ace (Denexa Games)."""
    return _TAKES[options.queens_on_kings, options.wrap]


def _takes(top: Card, queens_on_kings: bool, wrap: bool) -> frozenset[Card]:
    """The cards one rank away; whether a king takes any, and whether the ace is next to it, the options say."""
    beside = (1, 12) if wrap else (1,)
    cards = frozenset(card for card in PACK if abs(RANK[card] - RANK[top]) in beside)
    return cards if RANK[top] != KING or queens_on_kings or wrap else frozenset()


_TAKES: dict[tuple[bool, bool], dict[Card, frozenset[Card]]] = {
    (queens, wrap): {top: _takes(top, queens, wrap) for top in PACK}
    for queens in (False, True)
    for wrap in (False, True)
}
