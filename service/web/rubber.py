"""A rubber's scoresheet, laid out like the printed pad; every entry leads to its hand in the game.

Above the line entries are written upwards, the first next to it; below they run downwards, as in
`projections.rubbers.sheets`.
"""

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct

from domain.games.bridge_solitaire.events import HandScored
from domain.games.bridge_solitaire.state import SIDES, Contract, Entry, Sheet
from projections.rubbers.sheets import games
from service.api.boards.rubbers import sheet_of, shown_rubber
from service.live import shapes
from service.web.page import Visit, page

Line = tuple[Entry | None, ...]


class Pad(Struct, frozen=True):
    """Lines of writing, each with an entry or none for ME and for IT; `below` by game, the open one last.

    `drawn`: how many of the games have a line under them. A sheet that is closed has no open game.
    """

    above: tuple[Line, ...]
    below: tuple[tuple[Line, ...], ...]
    drawn: int


@page("/rubbers/{game_id:uuid}")
async def rubber(visit: Visit) -> Response[Any]:
    """Show the scoresheet of a game that the visitor may see."""
    found, position = await sheet_of(visit.services, visit.caller, visit.id("game_id"))
    return await visit.show(
        "rubber.html",
        rubber=shown_rubber(found, position, await visit.services.accounts.shown_names([found.player])),
        player=None if found.player is None else await visit.people.one(found.player),
        pad=pad(found.sheet),
        steps=await _steps(visit, found.game),
        spoken=contract,
        moment=shapes.moment,
    )


async def _steps(visit: Visit, game: UUID) -> dict[int, int]:
    """The step at which each hand was scored; of a hand that was scored again, the last one."""
    records = await visit.services.store.records(game)
    return {record.event.hand: record.step for record in records if isinstance(record.event, HandScored)}


_STRAINS = {"C": "club", "D": "diamond", "H": "heart", "S": "spade", "NT": "no trump"}


def contract(bid: Contract) -> str:
    """`4 spades by ME, doubled`, `1 club by IT`."""
    strain = _STRAINS[bid.strain] + ("s" if bid.level > 1 and bid.strain != "NT" else "")
    doubling = "" if bid.doubling == "undoubled" else f", {bid.doubling}"
    return f"{bid.level} {strain} by {bid.declarer.upper()}{doubling}"


HANDLERS = (rubber,)


def pad(sheet: Sheet) -> Pad:
    """The pad of this sheet."""
    above = _lines(entry for entry in sheet.entries if entry.place == "above")
    below = tuple(_lines(game) for game in games(sheet))
    ruled = sheet.closed and len(below) > 1 and not below[-1]
    return Pad(above[::-1], below[:-1] if ruled else below, len(sheet.lines))


def _lines(entries: Iterable[Entry]) -> tuple[Line, ...]:
    """The entries in lines, each column filled without gaps, from the thick line outwards."""
    written = list(entries)
    columns = [[entry for entry in written if entry.side == side] for side in SIDES]
    return tuple(zip_longest(*columns))
