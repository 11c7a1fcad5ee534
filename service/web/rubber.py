"""A rubber's scoresheet, laid out like the printed pad; every entry leads to its hand in the game."""

from typing import Any
from uuid import UUID

from litestar import Response

from domain.games.bridge_solitaire.contract import Contract
from domain.games.bridge_solitaire.events import HandScored
from service.api.boards.rubber_shapes import rubber as as_told
from service.api.boards.rubbers import sheet_of
from service.live import shapes
from service.web.pad import pad
from service.web.page import Visit, page


@page("/rubbers/{game_id:uuid}")
async def rubber(visit: Visit) -> Response[Any]:
    """Show the scoresheet of a game that the visitor may see."""
    found, position = await sheet_of(visit.services, visit.caller, visit.id("game_id"))
    return await visit.show(
        "rubber.html",
        rubber=as_told(found, found.sheet, position),
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
