"""Megiddo: what can be chosen when a game is opened."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.games.megiddo.board import Variant

FirstSeat = Literal["drawn", "seat_0", "seat_1"]

_VARIANT = "The board: `megiddo` has six rings and six spokes, `megi_9` (reconstructed) nine of each and lines of nine"
_FIRST = "Who places the first stone: a seat, or the one whose stone is drawn from the bag"
_MOVE = "Whether a player may move an own stone to any vacant point instead of placing one"
_CLEOPATRA = "Whether a stone also captures the two that enclose it and the own stone beside it"
_MATCH = "Points that win a match of several games (36 in the original); 0 plays a single game"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """The board, who begins, and the variations."""

    variant: Annotated[Variant, Meta(description=_VARIANT)] = "megiddo"
    first_seat: Annotated[FirstSeat, Meta(description=_FIRST)] = "drawn"
    move_instead_of_place: Annotated[bool, Meta(description=_MOVE)] = False
    cleopatra: Annotated[bool, Meta(description=_CLEOPATRA)] = False
    match_points: Annotated[int, Meta(description=_MATCH, ge=0, le=360)] = 0
