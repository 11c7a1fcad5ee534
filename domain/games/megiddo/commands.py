"""Megiddo: what a player says."""

from typing import Annotated

from msgspec import Meta, Struct

PointId = Annotated[
    str,
    Meta(
        description="A point of the board: `point_3_0` is on ring 3 (1 is the innermost) and spoke 0",
        pattern=r"^point_[1-9]_[0-8]$",
        max_length=9,
        examples=["point_3_0"],
    ),
]


class Place(Struct, frozen=True, tag="megiddo/place", forbid_unknown_fields=True):
    """Place a stone of one's own on a vacant point."""

    target: PointId


class Move(Struct, frozen=True, tag="megiddo/move", forbid_unknown_fields=True):
    """Move a stone of one's own to a vacant point instead of placing one, where the game was opened so."""

    source: PointId
    target: PointId


Command = Place | Move
COMMANDS: tuple[type[Command], ...] = (Place, Move)
