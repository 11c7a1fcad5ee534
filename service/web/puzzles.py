"""Puzzles: a position on its board, played on with the script; without it the table is there in words."""

from typing import Any

import msgspec
from litestar import Response

from domain.capabilities import CardFaces, Chips, Taps
from service.api.puzzles import Found, PuzzleQuery, find_puzzle, next_for, show_puzzle, standing_of
from service.http.query import reader
from service.pictures.spoken import naming, speak_zone
from service.problems import Refused
from service.web.page import Visit, page
from service.web.static_files import sprite_name

_THEMES = {
    "dig_for_ace": "dig for the ace", "empty_column": "empty column", "full_cells": "full cells",
    "last_pass": "last pass", "two_of_a_rank": "two of a rank", "end_play": "end play",
}  # fmt: skip
_query = reader(PuzzleQuery)


@page("/puzzles")
async def next_puzzle(visit: Visit) -> Response[Any]:
    """Show a puzzle that the visitor has not tried, a guest that of the day; or that there is none."""
    query = _query(list(visit.request.query_params.items()))
    try:
        found = await next_for(visit.services, visit.caller, query)
    except Refused as refusal:
        if refusal.kind != "no_such_thing":
            raise
        return await _show(visit, None, query.theme)
    return await _show(visit, found, query.theme)


@page("/puzzles/{puzzle_id:uuid}")
async def puzzle(visit: Visit) -> Response[Any]:
    """Show this puzzle."""
    return await _show(visit, await find_puzzle(visit.services, visit.id("puzzle_id")), None)


async def _show(visit: Visit, found: Found | None, theme: str | None) -> Response[Any]:
    player = visit.visitor
    standing = None if player is None else await standing_of(visit.services, player)
    named: dict[str, Any] = {"themes": _THEMES, "theme": theme, "standing": standing}
    if found is None:
        return await visit.show("puzzle.html", puzzle=None, **named)
    kind, shown = found.game.type, await show_puzzle(visit.services, found, visit.caller)
    faces, zones = kind.get(CardFaces).by_card, shown.position.view.zones
    return await visit.show(
        "puzzle.html",
        puzzle=shown,
        position=msgspec.to_builtins(shown.position),
        words=[speak_zone(zone, naming(faces)) for zone in zones],
        stock=[naming(faces)(card) for zone in zones if zone.id == "stock" for card in reversed(zone.cards)],
        cards=sprite_name(kind),
        faces=msgspec.to_builtins(dict(faces)),
        taps=dict(kind.get(Taps).zones),
        boards=msgspec.to_builtins(kind.boards(found.game.options, 1)),
        chips=msgspec.to_builtins(kind.get(Chips).chips),
        **named,
    )


HANDLERS = (next_puzzle, puzzle)
