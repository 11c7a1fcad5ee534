"""Megiddo: what happens."""

from typing import Literal

from msgspec import Struct

from domain.games.megiddo.board import Shape
from domain.view import Seat

Over = Literal["megiddo", "arbatta", "patara", "no_progress"]


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
EVENTS: tuple[type[Event], ...] = (
    GameStarted, StonePlaced, StoneMoved, StonesCaptured, LineCompleted, GameScored,
)  # fmt: skip
