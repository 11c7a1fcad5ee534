"""Opening a game on a page: a form made from the schema, and the game that it opens."""

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Response

from domain.capabilities import Presets
from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from service.api.games.games import new_game
from service.problems import Refused
from service.web import form
from service.web.page import Visit, page, redirect


@page("/games/new/{key:str}")
async def show_form(visit: Visit) -> Response[Any]:
    """Show the form; `?preset=` fills it with options under a name that players know."""
    found = _require_game_type(visit)
    return await _form(visit, found, _preset(found, visit.request.query_params.get("preset")))


@page("/games/new/{key:str}", "POST")
async def open_game(visit: Visit) -> Response[Any]:
    """Open the game, and go there; a refusal is shown beside the form."""
    found, player = _require_game_type(visit), visit.may_play()
    said = await visit.form()
    try:
        step = await new_game(visit.services, player, form.body(found.key, said))
    except (Illegal, ValueError) as error:
        return await _form(visit, found, said, str(error))
    await visit.services.room.open(step)
    return redirect(f"/games/{step.game.id}")


async def _form(visit: Visit, found: AnyGameType, given: Mapping[str, Any], refusal: str = "") -> Response[Any]:
    fields = form.fields(found.key, form.posted_values(found.key, given) if refusal else given)
    return await visit.show(
        "new_game.html", 409 if refusal else 200,
        game_type=found, presets=found.get(Presets).presets, refusal=refusal,
        options=[field for field in fields if field.name.startswith("options.")],
        table=[field for field in fields if not field.name.startswith("options.") and field.name not in _DEAL],
        deal=[field for field in fields if field.name in _DEAL],
    )  # fmt: skip


_DEAL = ("seed", "deal", "deal_number", "await_seeds")


def _require_game_type(visit: Visit) -> AnyGameType:
    found = GAME_TYPES.get(visit.request.path_params["key"])
    if found is None:
        raise Refused("no_such_thing", "There is no such game type.")
    return found


def _preset(found: AnyGameType, name: str | None) -> dict[str, Any]:
    chosen = next((preset for preset in found.get(Presets).presets if preset.name == name), None)
    options = {} if chosen is None else msgspec.to_builtins(chosen.options)
    return {f"options.{option}": value for option, value in options.items()}


HANDLERS = (show_form, open_game)
