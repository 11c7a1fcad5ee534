"""Megiddo: what a player says, and what happens."""

from typing import Annotated, get_args

from msgspec import Meta, Struct

from domain.games.megiddo.state import Over, Shape
from domain.view import Seat

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
COMMANDS: tuple[type[Command], ...] = get_args(Command)


class GameStarted(Struct, frozen=True, tag="megiddo/game_started", omit_defaults=True):
    """The board is empty and this seat is on turn; `number` counts the games of a match from 1."""

    seat: Seat
    number: int = 1


class StonePlaced(Struct, frozen=True, tag="megiddo/stone_placed", omit_defaults=True):
    seat: Seat
    target: str


class StoneMoved(Struct, frozen=True, tag="megiddo/stone_moved", omit_defaults=True):
    seat: Seat
    source: str
    target: str


class StonesCaptured(Struct, frozen=True, tag="megiddo/stones_captured", omit_defaults=True):
    """One wave of captures: this seat's stones replace the other's on these points, all at once."""

    seat: Seat
    points: tuple[str, ...]


class LineCompleted(Struct, frozen=True, tag="megiddo/line_completed", omit_defaults=True):
    """A whole ring, spoke or spiral is this seat's."""

    seat: Seat
    shape: Shape
    points: tuple[str, ...]


class GameScored(Struct, frozen=True, tag="megiddo/game_scored", omit_defaults=True):
    """One game is over; `points` by seat."""

    reason: Over
    winner: Seat | None
    points: tuple[int, int]


Event = GameStarted | StonePlaced | StoneMoved | StonesCaptured | LineCompleted | GameScored
EVENTS: tuple[type[Event], ...] = get_args(Event)
