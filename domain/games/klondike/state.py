"""What a game of Klondike is made of: options, zones, state, facts; which card may lie on which, and what is dealt."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.patience import ALTERNATING, KINGS, NO_CARD, Passes
from domain.view import Card

Tableau = Literal["tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6"]

TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)
COLUMNS: Final = 7
IN_COLUMNS: Final = 28

ACCEPTS: dict[Card, frozenset[Card]] = ALTERNATING | {NO_CARD: KINGS}
"""The cards that may be put on a column, by its top card: one lower in the other colour; a king on an empty one."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Klondike is played."""

    draw: Annotated[Literal[1, 3], Meta(description="Cards turned from the stock at a time.")] = 1
    passes: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        Meta(description="Times that the stock may be gone through; null: any number."),
    ] = None
    end_on_last_pass: Annotated[
        bool,
        Meta(description="Lost once the last pass is through and the waste is empty or its top has no place."),
    ] = False
    whole_run_only: Annotated[
        bool, Meta(description="From column to column only all face-up cards of a column move, never a part of them.")
    ] = False
    foundation_return: Annotated[
        bool, Meta(description="The top card of a foundation may be moved back to a column.")
    ] = True
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is drawn next.

    `face_down[c]` is how many cards of column c, from the bottom, lie face down. `foundations` are the numbers of cards
    at home, by suit as in domain.kit.cards.SUITS. `recycles` is how often the waste has been turned over.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    face_down: tuple[int, ...]
    foundations: tuple[int, ...]
    stock: tuple[Card, ...] = ()
    waste: tuple[Card, ...] = ()
    recycles: int = 0


class Options2(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Revision 2: up to a hundred passes, and the last one ends a game later."""

    passes: Passes = None
    end_on_last_pass: Annotated[
        bool,
        Meta(description="Lost once the last pass is through and nothing can be played, or the waste's top nowhere."),
    ] = False


class State2(State, frozen=True, omit_defaults=True):
    """A position of revision 2."""

    options: Options2


class Facts(Struct, frozen=True, tag="klondike/facts"):
    """What the piles do not show: which pass this is, from 1, and how many recycles are left (null: any number)."""

    draw: int
    pass_number: int
    recycles_left: int | None


def _place_in_deal(column: int, row: int) -> int:
    """Where in the dealing order the card of this column and row is: row k covers columns k to 6."""
    return COLUMNS * row - row * (row - 1) // 2 + column - row


def columns_dealt(cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    """The columns of a deal, bottom to top; the last card of each lies face up."""
    return tuple(tuple(cards[_place_in_deal(column, row)] for row in range(column + 1)) for column in range(COLUMNS))


FACE_UP_IN_DEAL = frozenset(_place_in_deal(column, column) for column in range(COLUMNS))
"""The places in the dealing order whose cards lie face up."""
