"""What a position is about, in the words of card players: told by the position, never by its solution."""

from collections import Counter
from typing import Any, Literal

from domain.games import AnyGameType
from domain.view import ALL_SEEING, Zone

Theme = Literal["dig_for_ace", "empty_column", "full_cells", "last_pass", "two_of_a_rank", "end_play"]
"""`dig_for_ace`: an ace lies under other cards; `empty_column`: there is one to be filled; `full_cells`: every cell
is taken; `last_pass`: the stock is out and does not come again; `two_of_a_rank`: two cards of one rank can be played
to the same place; `end_play`: at most a quarter of a pack is left."""
_FROM_ACE = ("freecell", "klondike", "seahaven_towers")
_FILLED = (*_FROM_ACE, "canfield", "spider")
_AWAY = ("foundation", "discard")
_QUARTER = 13


def themes_of(kind: AnyGameType, state: Any) -> tuple[Theme, ...]:
    """The themes of this position, in the order of their names above."""
    view = kind.look(state, ALL_SEEING)
    columns = [zone for zone in view.zones if zone.layout == "column"]
    cells = [zone for zone in view.zones if zone.id.startswith(("cell_", "tower_"))]
    told: dict[Theme, bool] = {
        "dig_for_ace": kind.key in _FROM_ACE and any(card[0] == "A" for zone in columns for card in zone.cards[:-1]),
        "empty_column": kind.key in _FILLED and not all(zone.cards for zone in columns),
        "full_cells": bool(cells) and all(zone.cards for zone in cells),
        "last_pass": _is_stock_out(view.zones) and getattr(view.facts, "recycles_left", 0) == 0,
        "two_of_a_rank": _have_twins(kind, state, {zone.id: zone for zone in view.zones}),
        "end_play": sum(len(zone.cards) for zone in view.zones if not zone.id.startswith(_AWAY)) <= _QUARTER,
    }
    return tuple(theme for theme, holds in told.items() if holds)


def _is_stock_out(zones: tuple[Zone, ...]) -> bool:
    stocks = [zone for zone in zones if zone.id == "stock"]
    return bool(stocks) and not any(zone.cards or zone.face_down for zone in stocks)


def _have_twins(kind: AnyGameType, state: Any, zones: dict[str, Zone]) -> bool:
    """Whether two cards of one rank can each be played to the same foundation, or to the discards."""
    moves = {
        (zones[command.source].cards[-1], command.target)
        for command in kind.legal_commands(state, 0)
        if getattr(command, "target", "").startswith(_AWAY)
    }
    return any(many > 1 for many in Counter((card[0], target) for card, target in moves).values())
