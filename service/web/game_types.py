"""A game type's page: its rules, its options; the form made from the schema that opens a game; the same form
to analyse whether a deal can be won."""

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from service.api.games.game_types import FULL
from service.api.replays.analysis import ask_about
from service.live.openings import OPENING_BODIES
from service.problems import Refused
from service.solving import SOLVERS
from service.solving.levels import LEVELS
from service.web import casual, form
from service.web.form import resolve_names
from service.web.lessons import lesson_of
from service.web.page import Visit, page, redirect, words
from service.web.passkeys import open_for_guest
from service.web.rule_sets import asked_level, house_field, open_or_say_none, open_table

_MARKDOWN = MarkdownIt("commonmark", {"html": False})
_OPTION_LIST = re.compile(r"^\*\*Options\*\*\n\n(?:\* .*\n(?:  .*\n)*)+", re.MULTILINE)
_KEY = re.compile(r"`([a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z]{3,})`")


@page("/game-types/{game_type:str}")
async def game_type(visit: Visit) -> Response[Any]:
    """Show the rules and the options."""
    kind = require_game_type(visit)
    lesson = lesson_of(kind.key)
    options = [
        (field, lesson.options.get(field.name.removeprefix("options."), field.help))
        for field in form.fields(kind.key, {})
        if field.name.startswith("options.")
    ]
    return await visit.show(
        "game_type.html", game_type=FULL[kind.key], rules=_render_rules(kind), options=options,
        choice=(await casual.list_choices(visit))(kind), solved=kind.key in SOLVERS, taught=len(lesson.steps),
    )  # fmt: skip


def _render_rules(kind: AnyGameType) -> Markup:
    """The rules as HTML, headings below the page's own, options in words and not listed; HTML in them is escaped."""
    text = _OPTION_LIST.sub("", kind.rules)
    tokens = _MARKDOWN.parse(_KEY.sub(lambda match: f"*{words(match[1])}*", text))
    if tokens and tokens[0].type == "heading_open" and tokens[1].content == kind.name:
        tokens = tokens[3:]
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
    return Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


@page("/games/new/{game_type:str}")
async def show_form(visit: Visit) -> Response[Any]:
    """Show the form; `?preset=` fills it with options under a name that players know."""
    kind = require_game_type(visit)
    query = visit.request.query_params
    options = casual.preset_options(kind, query.get("preset"))
    values = {f"options.{option}": value for option, value in options.items()}
    return await _show_form(visit, kind, values, lacks=query.get("lacks", "") in LEVELS)


@page("/games/new/{game_type:str}", "POST")
async def open_game(visit: Visit) -> Response[Any]:
    """Open the game, and go there; a refusal is shown with the form."""
    kind, player = require_game_type(visit), visit.may_play()
    fields = await visit.form()
    try:
        level = asked_level(fields["house"]) if fields.get("house") else None
        address = await open_table(visit, form.body(kind.key, await resolve_names(visit, fields)), level, player)
    except (Illegal, ValueError, Refused) as error:
        return await _show_form(visit, kind, fields, error)
    return redirect(address)


@page("/deals")
async def choose_deal(visit: Visit) -> Response[Any]:
    """Show the form for the first of the game types that have a solver."""
    return await _show_form(visit, GAME_TYPES[min(SOLVERS)], {}, template="ask_deal.html")


@page("/deals/{game_type:str}")
async def show_question(visit: Visit) -> Response[Any]:
    """Show the form to analyse whether a deal can be won."""
    return await _show_form(visit, _require_solver(visit), {}, template="ask_deal.html")


@page("/deals/{game_type:str}", "POST")
async def ask_deal(visit: Visit) -> Response[Any]:
    """Begin the analysis, and go to the deal's game, which shows its progress; a refusal is shown with the form."""
    kind = _require_solver(visit)
    visit.may_play("records:write")
    fields = await visit.form()
    try:
        analysis = await ask_about(visit, form.body(kind.key, fields))
    except (Illegal, ValueError, Refused) as error:
        return await _show_form(visit, kind, fields, error, "ask_deal.html")
    return redirect(f"/games/{analysis.game_id}")


def _require_solver(visit: Visit) -> AnyGameType:
    if (kind := require_game_type(visit)).key not in SOLVERS:
        raise Refused("no_such_thing", f"There is no solver of {kind.name}.")
    return kind


async def _show_form(
    visit: Visit, kind: AnyGameType, values: Mapping[str, Any], error: Exception | None = None,
    template: str = "new_game.html", lacks: bool = False,
) -> Response[Any]:  # fmt: skip
    if isinstance(error, Refused) and error.kind != "busy":
        raise error
    fields = form.fields(kind.key, form.posted_values(kind.key, values) if error else values)
    if error is not None:
        fields = form.mark_refused(fields, error)
    return await visit.show(
        template,
        game_type=kind, presets=casual.named_options(kind), lacks=lacks, refusal=str(error or ""),
        types=sorted(SOLVERS), placed=any(field.refusal for field in fields), solved=kind.key in SOLVERS,
        options=[field for field in fields if field.name.startswith("options.")],
        table=[
            *house_field(kind, values.get("house", "")),
            *(field for field in fields if not field.name.startswith("options.") and field.name not in _DEAL),
        ],
        deal=[field for field in fields if field.name in _DEAL],
    )  # fmt: skip


_DEAL = ("wish", "seed", "deal", "deal_number", "await_seeds")


@page("/games/new/{game_type:str}/deal", "POST")
async def deal(visit: Visit) -> Response[Any]:
    """Open the game and go there; a visitor who is no longer signed in goes to the form."""
    kind = require_game_type(visit)
    if visit.caller is None:
        return redirect(f"/games/new/{kind.key}")
    return await _open_chosen(visit, kind)


@page("/games/new/{game_type:str}/as-guest", "POST")
async def deal_to_guest(visit: Visit) -> Response[Any]:
    """Make a guest of a visitor who is not signed in, begin their session, open the game and go there."""
    return await _open_chosen(visit, require_game_type(visit))


async def _open_chosen(visit: Visit, kind: AnyGameType) -> Response[Any]:
    """Open the game as it was chosen by the form or else the last time, and remember that."""
    fields = await visit.form_if_any()
    choice = casual.choose(visit, kind, fields)
    answer = await open_for_guest(visit, lambda player: _open(visit, kind, choice, fields, player))
    return casual.remember(visit, answer, kind.key, choice)


async def _open(visit: Visit, kind: AnyGameType, choice: casual.Choice, fields: Mapping[str, str], player: UUID) -> str:
    """Open the game for this player, with the house's bots at the other seats if the form says so; its address."""
    level = asked_level(choice.house) if choice.house and "house" in fields else None
    body = msgspec.convert(casual.opening_values(kind, choice, fields), OPENING_BODIES[kind.key])
    return await open_or_say_none(visit, body, level, player)


def require_game_type(visit: Visit) -> AnyGameType:
    """The game type of the path; raises Refused where there is none."""
    kind = GAME_TYPES.get(visit.key)
    if kind is None:
        raise Refused("no_such_thing", "There is no such game type.")
    return kind
