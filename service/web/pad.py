"""A scoresheet as the printed pad has it: ME and IT, a thick line, games under one another with a thin line each.

Above the line entries are written upwards, the first next to it; below they run downwards, as in `projections.paper`.
"""

from collections.abc import Iterable
from itertools import zip_longest

from msgspec import Struct

from domain.games.bridge_solitaire.entries import Entry
from domain.games.bridge_solitaire.sheet import SIDES, Sheet
from projections.rubbers.paper import games

Line = tuple[Entry | None, ...]


class Pad(Struct, frozen=True):
    """Lines of writing, each with an entry or none for ME and for IT; `below` by game, the open one last.

    `drawn`: how many of the games have a line under them. A sheet that is closed has no open game.
    """

    above: tuple[Line, ...]
    below: tuple[tuple[Line, ...], ...]
    drawn: int


def pad(sheet: Sheet) -> Pad:
    """The pad of this sheet."""
    above = _lines(entry for entry in sheet.entries if entry.place == "above")
    below = tuple(_lines(game) for game in games(sheet))
    ruled = sheet.closed and len(below) > 1 and not below[-1]
    return Pad(above[::-1], below[:-1] if ruled else below, len(sheet.lines))


def _lines(entries: Iterable[Entry]) -> tuple[Line, ...]:
    """Each column by itself without gaps, from the thick line outwards."""
    written = list(entries)
    columns = [[entry for entry in written if entry.side == side] for side in SIDES]
    return tuple(zip_longest(*columns))
