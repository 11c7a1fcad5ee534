"""Decs Building: what can be set, and the cards of a game."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.kit.cards import JOKERS, SUITS
from domain.view import Card

TieBreak = Literal["shared", "fewest_empty_spaces"]


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """What can be chosen when a game is opened."""

    short: Annotated[
        bool, Meta(description="The shorter game: no eights and nines, and the top two rows of the grid are not drawn")
    ] = False
    two_player_tens: Annotated[
        bool, Meta(description="Whether two players use the tens of their pack; three and four have none")
    ] = True
    tie_break: Annotated[
        TieBreak,
        Meta(description="Who wins with equal points: all of them, or of these who left the fewest empty spaces"),
    ] = "shared"


RUNS = {2: "23456789T", 3: "2234456789", 4: "223344556789"}
"""The ranks of every suit stack from the top, by number of players."""

PICTURES = {2: 4, 3: 6, 4: 8}
"""How many aces, jacks, queens and kings there are of each, by number of players; the suits of six are S H D C S H."""

WILD_JOKERS = {2: 2, 3: 2, 4: 4}
PAWNS = {2: 4, 3: 3, 4: 2}
"""Pawns of each player, by number of players."""


def piles(options: Options, seats: int) -> tuple[tuple[Card, ...], ...]:
    """The eight stacks before anybody takes a card, each from the top: spades to clubs, wilds, jacks, queens, kings.

    House rule, ours: pictures and aces lie S H D C and again, the jokers under the aces.
    """
    left_out = ("89" if options.short else "") + ("" if options.two_player_tens else "T")
    suits = [tuple(rank + suit for rank in RUNS[seats] if rank not in left_out) for suit in SUITS]
    aces, jacks, queens, kings = (_pictures(rank, PICTURES[seats]) for rank in "AJQK")
    return (*suits, aces + JOKERS[: WILD_JOKERS[seats]], jacks, queens, kings)


def _pictures(rank: str, count: int) -> tuple[Card, ...]:
    return tuple(rank + suit for suit in (SUITS * 2)[:count])


def pack(options: Options, seats: int) -> tuple[Card, ...]:
    """Every card of the game."""
    return tuple(card for pile in piles(options, seats) for card in pile)
