"""Puzzles: a position on its board, played on with the script; without it the table is there in words."""

from typing import Any

import msgspec
from litestar import Response

from domain.capabilities import CardFaces, Chips, Taps
from service.api.puzzles import Found, PuzzleQuery, find_puzzle, next_for, show_puzzle, standing_of
from service.http.query import reader
from service.pictures.placing import pack_boards
from service.pictures.words import naming, speak_zone
from service.problems import Refused
from service.solving import SOLVERS
from service.web.page import Visit, page
from service.web.static_files import sprite_name

_THEMES = {
    "dig_for_ace": "dig for the ace", "empty_column": "empty column", "full_cells": "full cells",
    "last_pass": "last pass", "two_of_a_rank": "two of a rank", "end_play": "end play",
}  # fmt: skip
_RATINGS = {"easier": "easier than I am rated", "harder": "harder"}
_query = reader(PuzzleQuery)


@page("/puzzles")
async def next_puzzle(visit: Visit) -> Response[Any]:
    """Show a puzzle that the visitor has not tried, a guest that of the day; or that there is none."""
    query = _query([pair for pair in visit.request.query_params.items() if pair[1]])  # a form says what it leaves open
    try:
        found = await next_for(visit.services, visit.caller, query)
    except Refused as refusal:
        if refusal.kind != "no_such_thing":
            raise
        return await _show(visit, None, query)
    return await _show(visit, found, query)


@page("/puzzles/{puzzle_id:uuid}")
async def puzzle(visit: Visit) -> Response[Any]:
    """Show this puzzle."""
    return await _show(visit, await find_puzzle(visit.services, visit.id("puzzle_id")), PuzzleQuery())


async def _show(visit: Visit, found: Found | None, query: PuzzleQuery) -> Response[Any]:
    player = visit.visitor
    standing = None if player is None else await standing_of(visit.services, player)
    named: dict[str, Any] = {
        "themes": _THEMES, "ratings": _RATINGS, "types": sorted(SOLVERS), "query": query, "standing": standing,
    }  # fmt: skip
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
        boards=pack_boards(kind.boards(found.game.options, 1)),
        chips=msgspec.to_builtins(kind.get(Chips).chips),
        **named,
    )


HANDLERS = (next_puzzle, puzzle)
