"""A game type's page: its rules, its options; the form made from the schema, and the game that it opens."""

from collections.abc import Mapping
from typing import Any

from litestar import Response
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from domain.capabilities import Presets
from domain.game_type import Illegal
from domain.games import AnyGameType
from service.api.games.game_types import FULL
from service.problems import Refused
from service.web import form
from service.web.dealing import preset_options, require_game_type
from service.web.house import asked_level, house_field, open_table
from service.web.page import Visit, page
from service.web.rendering import redirect

_MARKDOWN = MarkdownIt("commonmark", {"html": False})


@page("/game-types/{game_type:str}")
async def game_type(visit: Visit) -> Response[Any]:
    """Show the rules and the options."""
    found = require_game_type(visit)
    options = [field for field in form.fields(found.key, {}) if field.name.startswith("options.")]
    return await visit.show(
        "game_type.html", game_type=FULL[found.key], rules=_rules(found), options=options,
        presets=found.get(Presets).presets,
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
        address = await open_table(visit, form.body(found.key, said), level, player)
    except (Illegal, ValueError) as error:
        return await _form(visit, found, said, str(error))
    except Refused as error:
        if error.kind != "busy":
            raise
        return await _form(visit, found, said, str(error))
    return redirect(address)


async def _form(visit: Visit, found: AnyGameType, given: Mapping[str, Any], refusal: str = "") -> Response[Any]:
    fields = form.fields(found.key, form.posted_values(found.key, given) if refusal else given)
    return await visit.show(
        "new_game.html",
        game_type=found, presets=found.get(Presets).presets, refusal=refusal,
        options=[field for field in fields if field.name.startswith("options.")],
        table=[
            *house_field(found, given.get("house", "")),
            *(field for field in fields if not field.name.startswith("options.") and field.name not in _DEAL),
        ],
        deal=[field for field in fields if field.name in _DEAL],
    )  # fmt: skip


_DEAL = ("wish", "seed", "deal", "deal_number", "await_seeds")


HANDLERS = (game_type, show_form, open_game)
