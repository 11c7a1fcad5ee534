"""One line of writing on the score sheet."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.games.bridge_solitaire.contract import Side

Place = Literal["below", "above"]
Kind = Literal[
    "trick_score",
    "overtricks",
    "insult",
    "small_slam",
    "grand_slam",
    "undertricks",
    "honours",
    "part_score_bonus",
    "game_bonus",
    "rubber_premium",
    "unfinished_game",
    "unfinished_part_score",
]


class Entry(Struct, frozen=True):
    """Points of one kind for one side, above or below the line; never zero.

    `hand` is the hand that earned it; a premium at the end carries the number of the last scored hand. A board of
    duplicate bridge has no line: all of it stands above.
    """

    hand: Annotated[int, Meta(ge=0)]
    side: Side
    place: Place
    kind: Kind
    points: Annotated[int, Meta(ge=1)]
