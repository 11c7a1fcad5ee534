"""A game type's page: its rules, its options; the form made from the schema, and the game that it opens; the same
form of a deal, to ask whether it can be won."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from domain.capabilities import Presets
from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from service.api.games.game_types import FULL
from service.api.replays.analysis import ask_about
from service.house.players import levels_of
from service.live.openings import OPENING_BODIES
from service.problems import Refused
from service.solving import SOLVERS
from service.web import form
from service.web.form import resolve_names
from service.web.page import Visit, page, redirect
from service.web.passkeys import open_for_guest
from service.web.rule_sets import asked_level, house_field, open_table

_MARKDOWN = MarkdownIt("commonmark", {"html": False})


@page("/game-types/{game_type:str}")
async def game_type(visit: Visit) -> Response[Any]:
    """Show the rules and the options."""
    found = require_game_type(visit)
    options = [field for field in form.fields(found.key, {}) if field.name.startswith("options.")]
    return await visit.show(
        "game_type.html", game_type=FULL[found.key], rules=_rules(found), options=options,
        presets=found.get(Presets).presets, solved=found.key in SOLVERS,
    )  # fmt: skip


def _rules(found: AnyGameType) -> Markup:
    """The rules as HTML, headings below the page's own; HTML in the rules is escaped."""
    tokens = _MARKDOWN.parse(found.rules)
    if tokens and tokens[0].type == "heading_open" and tokens[1].content == found.name:
        tokens = tokens[3:]
    return Markup(_MARKDOWN.renderer.render([_lower(token) for token in tokens], _MARKDOWN.options, {}))


def _lower(token: Token) -> Token:
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
    return token


@page("/games/new/{game_type:str}")
async def show_form(visit: Visit) -> Response[Any]:
    """Show the form; `?preset=` fills it with options under a name that players know."""
    found = require_game_type(visit)
    options = preset_options(found, visit.request.query_params.get("preset"))
    return await _form(visit, found, {f"options.{option}": value for option, value in options.items()})


@page("/games/new/{game_type:str}", "POST")
async def open_game(visit: Visit) -> Response[Any]:
    """Open the game, and go there; a refusal is shown beside the form."""
    found, player = require_game_type(visit), visit.may_play()
    said = await visit.form()
    try:
        level = asked_level(said["house"]) if said.get("house") else None
        address = await open_table(visit, form.body(found.key, await resolve_names(visit, said)), level, player)
    except (Illegal, ValueError, Refused) as error:
        return await _form(visit, found, said, error)
    return redirect(address)


@page("/deals")
async def choose_deal(visit: Visit) -> Response[Any]:
    """Show the form for the first of the game types that have a solver."""
    return await _form(visit, GAME_TYPES[min(SOLVERS)], {}, template="ask_deal.html")


@page("/deals/{game_type:str}")
async def show_question(visit: Visit) -> Response[Any]:
    """Show the form that asks whether a deal can be won."""
    return await _form(visit, _require_solver(visit), {}, template="ask_deal.html")


@page("/deals/{game_type:str}", "POST")
async def ask_deal(visit: Visit) -> Response[Any]:
    """Ask, and go to the game that is kept of the deal, where its analysis is followed; a refusal is shown beside the
    form."""
    found, player = _require_solver(visit), visit.may_play("records:write")
    said = await visit.form()
    try:
        asked = await ask_about(visit.services, player, form.body(found.key, said))
    except (Illegal, ValueError, Refused) as error:
        return await _form(visit, found, said, error, "ask_deal.html")
    return redirect(f"/games/{asked.game_id}")


def _require_solver(visit: Visit) -> AnyGameType:
    if (found := require_game_type(visit)).key not in SOLVERS:
        raise Refused("no_such_thing", f"There is no solver of {found.name}.")
    return found


async def _form(
    visit: Visit, found: AnyGameType, given: Mapping[str, Any], error: Exception | None = None,
    template: str = "new_game.html",
) -> Response[Any]:  # fmt: skip
    if isinstance(error, Refused) and error.kind != "busy":
        raise error
    fields = form.fields(found.key, form.posted_values(found.key, given) if error else given)
    if error is not None:
        fields = form.mark_refused(fields, error)
    return await visit.show(
        template,
        game_type=found, presets=found.get(Presets).presets, refusal=str(error or ""), types=sorted(SOLVERS),
        placed=any(field.refusal for field in fields), solved=found.key in SOLVERS,
        options=[field for field in fields if field.name.startswith("options.")],
        table=[
            *house_field(found, given.get("house", "")),
            *(field for field in fields if not field.name.startswith("options.") and field.name not in _DEAL),
        ],
        deal=[field for field in fields if field.name in _DEAL],
    )  # fmt: skip


_DEAL = ("wish", "seed", "deal", "deal_number", "await_seeds")


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


HANDLERS = (game_type, show_form, open_game, choose_deal, show_question, ask_deal, deal, deal_to_guest)
