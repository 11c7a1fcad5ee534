"""What a puzzle is about, in the words of card players: told by what its solution does."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from domain.capabilities import Autoplay
from domain.games import AnyGameType
from domain.view import ALL_SEEING, Zone
from service.solving import state_after

Theme = Literal["dig_for_ace", "empty_column", "full_cells", "last_pass", "two_of_a_rank", "end_play"]
"""`dig_for_ace`: cards come off a column with an ace under them; `empty_column`: one is emptied, or one filled;
`full_cells`: a move while every cell is taken; `last_pass`: one while the stock is out and does not come again;
`two_of_a_rank`: one of two cards of a rank that could both go there; `end_play`: at most a quarter of a pack is left at
the beginning."""
_AWAY = ("foundation", "discard")
_QUARTER = 13


def themes_of(kind: AnyGameType, state: Any, line: Sequence[Any]) -> tuple[Theme, ...]:
    """The themes of these commands from this position on, in the order of their names above."""
    zones = kind.look(state, ALL_SEEING).zones
    told = set[Theme]()
    if sum(len(zone.cards) for zone in zones if not zone.id.startswith(_AWAY)) <= _QUARTER:
        told.add("end_play")
    for command in line:
        before, state = state, state_after(kind, state, command)
        told |= {*_themes_of_move(kind, before, command, state)}
    return tuple(theme for theme in get_args(Theme) if theme in told)


def _themes_of_move(kind: AnyGameType, state: Any, command: Any, after: Any) -> Iterator[Theme]:
    view, left = kind.look(state, ALL_SEEING), {zone.id: zone.cards for zone in kind.look(after, ALL_SEEING).zones}
    columns = [(zone.cards, left[zone.id]) for zone in view.zones if zone.layout == "column"]
    cells = [zone for zone in view.zones if zone.id.startswith(("cell_", "tower_"))]
    if kind.get(Autoplay).built and any(_digs(cards, rest) for cards, rest in columns):
        yield "dig_for_ace"
    if _fills_columns(kind.commands) and any(bool(cards) != bool(rest) for cards, rest in columns):
        yield "empty_column"
    if cells and all(zone.cards for zone in cells):
        yield "full_cells"
    if _is_stock_out(view.zones) and getattr(view.facts, "recycles_left", 0) == 0:
        yield "last_pass"
    if _has_twin(kind, state, command, {zone.id: zone for zone in view.zones}):
        yield "two_of_a_rank"


@cache
def _fills_columns(commands: tuple[type[Struct], ...]) -> bool:
    """Whether cards can be put on columns: whether a command names one as its target."""
    shapes = msgspec.json.schema_components(commands)[1].values()
    targets = (shape["properties"].get("target") for shape in shapes)
    return any(b'"tableau_0"' in msgspec.json.encode(target) for target in targets)


def _digs(cards: Sequence[str], rest: Sequence[str]) -> bool:
    return len(rest) < len(cards) and any(card[0] == "A" for card in rest)


def _is_stock_out(zones: tuple[Zone, ...]) -> bool:
    stocks = [zone for zone in zones if zone.id == "stock"]
    return bool(stocks) and not any(zone.cards or zone.face_down for zone in stocks)


def _has_twin(kind: AnyGameType, state: Any, command: Any, zones: dict[str, Zone]) -> bool:
    """Whether another card of the rank that is played could go to the same foundation, or to the discards."""
    if not (target := getattr(command, "target", "")).startswith(_AWAY):
        return False
    ways = [one for one in kind.legal_commands(state, 0) if getattr(one, "target", None) == target]
    cards = {zones[one.source].cards[-1] for one in ways}
    return sum(card[0] == zones[command.source].cards[-1][0] for card in cards) > 1
