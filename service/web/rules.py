"""A game type's page: its rules, its options, and where to play it."""

from typing import Any

from litestar import Response
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from domain.games import GAME_TYPES, AnyGameType
from service.api.games.game_types import FULL
from service.problems import Refused
from service.web import form
from service.web.page import Visit, page

_MARKDOWN = MarkdownIt("commonmark", {"html": False})


@page("/game-types/{key:str}")
async def game_type(visit: Visit) -> Response[Any]:
    """Show the rules and the options."""
    found = GAME_TYPES.get(visit.request.path_params["key"])
    if found is None:
        raise Refused("no_such_thing", "There is no such game type.")
    options = [field for field in form.fields(found.key, {}) if field.name.startswith("options.")]
    return await visit.show("game_type.html", game_type=FULL[found.key], rules=rules(found), options=options)


def rules(found: AnyGameType) -> Markup:
    """The rules as HTML, headings below the page's own; HTML in the rules is escaped."""
    tokens = _MARKDOWN.parse(found.rules)
    if tokens and tokens[0].type == "heading_open" and tokens[1].content == found.name:
        tokens = tokens[3:]
    return Markup(_MARKDOWN.renderer.render([_lower(token) for token in tokens], _MARKDOWN.options, {}))


def _lower(token: Token) -> Token:
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
    return token


HANDLERS = (game_type,)
