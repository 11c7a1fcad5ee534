"""One click from a picture to the cards: a game with the usual options, or those of a preset; to a guest, too."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response

from domain.capabilities import Presets
from domain.games import GAME_TYPES, AnyGameType
from service.house.players import levels_of
from service.live.openings import OPENING_BODIES
from service.problems import Refused
from service.web.house import asked_level, open_table
from service.web.page import Visit, page
from service.web.rendering import redirect
from service.web.sign_in import open_for_guest


@page("/games/new/{game_type:str}/deal", "POST")
async def deal(visit: Visit) -> Response[Any]:
    """Open the game and go there; whoever is not signed in any more is asked on the form's page."""
    found = require_game_type(visit)
    if visit.caller is None:
        return redirect(f"/games/new/{found.key}")
    return redirect(await _open(visit, found, visit.may_play()))


@page("/games/new/{game_type:str}/as-guest", "POST")
async def deal_to_guest(visit: Visit) -> Response[Any]:
    """Make a guest of whoever is not signed in, begin their session, open the game and go there."""
    found = require_game_type(visit)
    return await open_for_guest(visit, lambda player: _open(visit, found, player))


async def _open(visit: Visit, found: AnyGameType, player: UUID) -> str:
    """Open the game for this player, where the house is asked for with its bots at the other seats; its address."""
    said = await visit.form_if_any()
    level = asked_level(said["house"]) if said.get("house") in levels_of(found) else None
    wanted = {"game_type": found.key, "options": preset_options(found, said.get("preset"))}
    return await open_table(visit, msgspec.convert(wanted, OPENING_BODIES[found.key]), level, player)


def preset_options(found: AnyGameType, name: str | None) -> dict[str, Any]:
    """The options under this name that players know; none, which is the usual ones, under any other."""
    chosen = next((preset for preset in found.get(Presets).presets if preset.name == name), None)
    return {} if chosen is None else dict(msgspec.to_builtins(chosen.options))


def require_game_type(visit: Visit) -> AnyGameType:
    """The game type of the path; raises Refused where there is none."""
    found = GAME_TYPES.get(visit.key)
    if found is None:
        raise Refused("no_such_thing", "There is no such game type.")
    return found


HANDLERS = (deal, deal_to_guest)
