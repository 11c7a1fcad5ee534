"""Founding a league: which game, then with which options and rules."""

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Response

from domain.capabilities import DailyOptions, PureLuck
from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from domain.league import decide
from domain.league.rules import IN_WORDS, LEAGUE_RULES, BoxRules
from service.api.leagues.leagues import FoundBody
from service.event_store.ids import uuid7
from service.leagues.commands import LeagueParts
from service.problems import Refused
from service.web import form
from service.web.form import decode_form
from service.web.page import Visit, page, redirect


@page("/leagues/new")
async def choose(visit: Visit) -> Response[Any]:
    """Show the game types that a league can be of."""
    fit = [kind for kind in GAME_TYPES.values() if not kind.has(PureLuck)]
    return await visit.show("new_league_of.html", game_types=fit)


@page("/leagues/new/{game_type:str}")
async def show_form(visit: Visit) -> Response[Any]:
    """Show the form."""
    return await _show_form(visit, _require_game_type(visit), {})


@page("/leagues/new/{game_type:str}", "POST")
async def found_league(visit: Visit) -> Response[Any]:
    """Found the league, and go there; a refusal is shown with the form."""
    kind, player = _require_game_type(visit), visit.may_play()
    fields = await visit.form()
    try:
        options = {name: text for name, text in fields.items() if name.startswith("options.")}
        read_options = msgspec.to_builtins(form.body(kind.key, options).options)
        body = decode_form(FoundBody, fields, game_type=kind.key, options=read_options)
        founding = decide.Founding(**{name: getattr(body, name) for name in body.__struct_fields__})
        league = await visit.area(LeagueParts).leagues.open(uuid7(), decide.found_league(founding, player), player)
    except (Illegal, ValueError) as error:
        return await _show_form(visit, kind, fields, str(error))
    return redirect(f"/leagues/{league.id}")


async def _show_form(visit: Visit, kind: AnyGameType, fields: Mapping[str, str], refusal: str = "") -> Response[Any]:
    values: Mapping[str, Any] = form.posted_values(kind.key, fields) if refusal else {}
    options = [field for field in form.fields(kind.key, values) if field.name.startswith("options.")]
    return await visit.show(
        "new_league.html",
        game_type=kind, options=options, fields=_list_fields(kind, fields), refusal=refusal,
    )  # fmt: skip


def _list_fields(kind: AnyGameType, posted: Mapping[str, str]) -> list[form.Field]:
    """The form's fields apart from the game's options; box leagues' fields only if several can play the game."""
    rules = [rule for rule in LEAGUE_RULES.values() if _fits(rule, kind)]
    fields = [
        form.Field(name="name", label="Name", help="1 to 40 characters.", kind="text", longest=40),
        form.Field(name="rules", label="Rules", help=_RULES, kind="choice",
                   choices=tuple((rule.id, IN_WORDS[rule.id]) for rule in rules), value=rules[0].id),
        form.Field(name="membership", label="Who may join", help="", kind="choice", value="open",
                   choices=(("open", "Everybody"), ("invite", "Who is invited"))),
        *(_OF_BOXES if isinstance(rules[0], BoxRules) else ()),
    ]  # fmt: skip
    return [msgspec.structs.replace(field, value=posted.get(field.name, field.value)) for field in fields]


_RULES = "They are fixed with the league: what is played under them keeps them."
_OF_BOXES = (
    form.Field(name="table", label="Table", help="Seats of a game. Left empty: as few as play it. Only with divisions.",
               kind="number", least=2, most=5),
    form.Field(name="rounds", label="Rounds", help="How often the same players meet.", kind="number", least=1, most=10,
               value="1"),
    form.Field(name="division_size", label="Division size", help="How many players.", kind="number", least=2, most=50,
               value="6"),
    form.Field(name="move_seconds", label="Seconds for a move", help="Left empty: no limit.", kind="number", least=5,
               most=30 * 86_400),
)  # fmt: skip


def _fits(rule: Any, kind: AnyGameType) -> bool:
    seats = kind.seat_counts
    if isinstance(rule, BoxRules):
        return 2 in seats if rule.points == "two_one_zero" else max(seats) > 1
    return 1 in seats and (kind.has(DailyOptions) or not rule.boards)


def _require_game_type(visit: Visit) -> AnyGameType:
    kind = GAME_TYPES.get(visit.key)
    if kind is None or kind.has(PureLuck):
        raise Refused("no_such_thing", "There are no leagues of such a game type.")
    return kind
