"""Boards as pages hold them: places that are alike but for where they lie stand in one group."""

from itertools import groupby
from typing import Any

import msgspec

from domain.board import Board, Boards

_OWN = ("zone", "x", "y")


def pack_boards(boards: Boards) -> dict[str, Any]:
    """Both boards, ready for JSON; `boardsOnPage` of the client unpacks them."""
    return {"wide": _pack(boards.wide), "tall": _pack(boards.tall)}


def _pack(board: Board) -> dict[str, Any]:
    places = [msgspec.to_builtins(place) for place in board.places]
    groups = groupby(places, lambda place: {name: value for name, value in place.items() if name not in _OWN})
    packed = [alike | {"at": [[place[name] for name in _OWN] for place in group]} for alike, group in groups]
    return {**msgspec.to_builtins(board), "places": packed}
