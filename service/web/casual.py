"""A game in one click, as this visitor chose it last; and what else there is to choose, one tap away.

A patience is casual: unrated, with hints where a solver knows it. What was chosen last is a cookie of this browser, for
guests too; nothing of it is stored here. That a game was rated is not remembered: it is asked for each time.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
from litestar import Response
from litestar.datastructures import Cookie
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import Preset, Presets, Varieties
from domain.games import GAME_TYPES, AnyGameType
from domain.play.events import DealLevel
from service.api.contests.contests import ContestShown, ContestsQuery, contests_of
from service.house.players import levels_of as house_levels
from service.solving import SOLVERS
from service.solving.levels import levels_of
from service.web.page import Visit
from service.winnable_deals import pool_of, ready_levels

_COOKIE, _SECONDS = "kibitz_choices", 365 * 86_400


class Choice(Struct, frozen=True):
    """What was chosen for a game type: options by name, how hard a deal that can be won ("": any deal), the house."""

    preset: str = ""
    level: str = ""
    house: str = ""


class Choices(Struct, frozen=True):
    """What a page offers of a game type, what of it was chosen last, and the contest of its deal of today."""

    presets: tuple[Preset, ...]
    levels: tuple[DealLevel, ...]
    last: Choice
    words: str
    contest: ContestShown | None


def named_options(kind: AnyGameType) -> tuple[Preset, ...]:
    """Options under names that players know, or the varieties of a patience."""
    return kind.get(Varieties).presets or kind.get(Presets).presets


def preset_options(kind: AnyGameType, name: str | None) -> dict[str, Any]:
    """The options under this name that players know; none, which is the usual ones, under any other."""
    chosen = next((preset for preset in named_options(kind) if preset.name == name), None)
    return {} if chosen is None else dict(msgspec.to_builtins(chosen.options))


def last_choices(visit: Visit) -> dict[str, Choice]:
    """What this browser chose last, by game type; a name that is not known is none."""
    stored = dict(parse_qsl(visit.request.cookies.get(_COOKIE, "")[:4_000]))
    return {key: _read_choice(kind, stored.get(key, "")) for key, kind in GAME_TYPES.items()}


def _read_choice(kind: AnyGameType, text: str) -> Choice:
    preset, _, rest = text.partition("~")
    level, _, house = rest.partition("~")
    names = [preset.name for preset in named_options(kind)]
    usual = names[0] if kind.has(Varieties) else ""
    return Choice(
        preset if preset in names else usual,
        level if level in levels_of(kind.key) else "",
        house if house in house_levels(kind) else "",
    )


def choose(visit: Visit, kind: AnyGameType, fields: Mapping[str, str]) -> Choice:
    """The last choice with what this form chooses; with other options any deal, for few lie ready."""
    last = last_choices(visit)[kind.key]
    posted = {name: fields[name] for name in Choice.__struct_fields__ if name in fields}
    if "preset" in posted or not visit.settings.certified_deals:
        last = replace(last, level="")
    return _read_choice(kind, "~".join(msgspec.structs.astuple(replace(last, **posted))))


def remember(visit: Visit, answer: Response[Any], key: str, choice: Choice) -> Response[Any]:
    """The answer with the cookie that has this choice."""
    choices = last_choices(visit) | {key: choice}
    text = urlencode({key: "~".join(msgspec.structs.astuple(choice)) for key, choice in choices.items()})
    secure = visit.request.scope["scheme"] == "https"
    answer.set_cookie(
        Cookie(_COOKIE, value=text, max_age=_SECONDS, path="/", httponly=True, samesite="strict", secure=secure)
    )
    return answer


def opening_values(kind: AnyGameType, choice: Choice, fields: Mapping[str, str]) -> dict[str, Any]:
    """The values of the body that opens a game of this choice; `rated` and `friend` are asked for by the form."""
    values: dict[str, Any] = {"game_type": kind.key, "options": preset_options(kind, choice.preset)}
    if "friend" in fields:
        return values | {"visibility": "unlisted", "rated": False}
    if kind.seats[-1] > 1 or "rated" in fields:
        return values
    values |= {"rated": False} | ({"hints": True} if kind.key in SOLVERS else {})
    return values | ({"deal": {"winnable": True, "level": choice.level}} if choice.level else {})


async def list_choices(visit: Visit) -> Callable[[AnyGameType], Choices]:
    """What may be chosen for a game type, by one look at the stock of deals and at today's contests."""
    last, ready = last_choices(visit), await ready_levels(visit.store)
    today = {contest.game_type: contest for contest in await list_deals_of_today(visit)}

    def choices_of(kind: AnyGameType) -> Choices:
        choice, key, levels = last[kind.key], kind.key, tuple[DealLevel, ...]()
        if key in SOLVERS and len(levels_of(key)) > 1:
            options = msgspec.convert(preset_options(kind, choice.preset), kind.options)
            lying = ready.get(pool_of(kind, options), ())
            levels = tuple(level for level in levels_of(key) if level in lying)
        presets = named_options(kind)
        label = next((preset.label for preset in presets if preset.name == choice.preset), "")
        words = [label, choice.level, choice.house and f"against the house, {choice.house}"]
        return Choices(presets, levels, choice, ", ".join(filter(None, words)), today.get(key))

    return choices_of


async def list_deals_of_today(visit: Visit) -> list[ContestShown]:
    """The day's deals that can still be entered, by the names of their games."""
    moment = datetime.now(UTC)
    listed = await contests_of(visit.asking(ContestsQuery(day=moment.date(), limit=200)))
    return sorted(
        (contest for contest in listed.contests if moment < contest.closes), key=lambda contest: contest.game_type
    )
