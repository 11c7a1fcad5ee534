"""Decs Building: the decoration of most points that can be powered, cables where the power runs short, else cards."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from service.bots.choosing import Command, Position

Cell = tuple[int, int]

_DRAWN = {
    "small_star": (2, 1), "big_star": (14, 5), "large_angel": (14, 6), "candy_cane": (10, 4), "banner_angels": (14, 6),
    "candle": (3, 1), "santas_sleigh": (30, 8), "comet": (30, 7), "herald_angel": (30, 8), "reindeer": (70, 11),
    "snowflake": (1, 1), "santa": (4, 4),
}  # fmt: skip
"""Points and spaces of what is drawn, as the rules tell them; a Santa's worth is the card more that it brings."""

_UNPOWERED = ("snowflake",)
_OTHER = {"gain_king": 22.0, "gain_jack_queen": 7.0, "gain_wild": 3.0, "everyone_pitch_in": 1.0, "gain_card": 1.5,
          "stop_messing_around": -3.0}  # fmt: skip
_SPENT = {"K": 12.0, "Q": 4.0, "J": 4.0, "A": 0.5, "*": 0.5}
"""What a card is worth that goes back to its stack, or could have paid anything."""


def judge(position: Position) -> Callable[[Command], float]:
    """The worth of an action in points, of a place by its power and how little room it wastes; passing is worth 0."""
    grid = Grid(position.facts["seats"][position.seat])

    def worth(command: Command) -> float:
        kind = command["type"].partition("/")[2]
        if kind == "take_action":
            return _action(grid, command)
        if kind == "place":
            return grid.place(position.facts["to_place"], [tuple(cell) for cell in command["cells"]])
        return _OTHERWISE[kind](command)

    return worth


def _action(grid: "Grid", command: Command) -> float:
    spent = sum(_SPENT.get(card[0], 0.0) for card in command["payment"])
    return _gain(grid, command["space"]) - spent


def _gain(grid: "Grid", space: str) -> float:
    """Each space that is filled saves two points."""
    if space in ("add_power_cable", "extra_power_source"):
        return 2 + (8 if len(grid.frontier) < 4 else 0)
    if space not in _DRAWN:
        return _OTHER.get(space, 0.0)
    points, spaces = _DRAWN[space]
    return 2 * spaces + (points if grid.frontier or space in _UNPOWERED else 0)


_OTHERWISE: dict[str, Callable[[Command], float]] = {
    "take_start_card": lambda command: {"stack_kings": 3, "stack_wilds": 2}.get(command["source"], 1),
    "discard": lambda command: -2.0 if command["card"][0] in "KQJA*" else -1.0,
    "decline_extra": lambda command: 0,
    "pass": lambda command: 0,
}


class Grid:
    """One seat's grid: the empty cells, the cells that give power, and the empty ones beside these."""

    def __init__(self, seat: dict[str, Any]) -> None:
        first = 9 - len(seat["grid"])
        cells = {(first + row, 1 + at): mark for row, line in enumerate(seat["grid"]) for at, mark in enumerate(line)}
        self.empty = {cell for cell, mark in cells.items() if mark == "."}
        self.candles = {cell for cell, mark in cells.items() if mark == "i"}
        banners = [one for one in seat["features"] if one["feature"] == "banner_angels" and one["works"]]
        live = {cell for cell, mark in cells.items() if mark in "o+"}
        live |= {tuple(cell) for one in banners for cell in one["cells"]}
        self.frontier = {beside for cell in live for beside in neighbours(cell)} & self.empty

    def place(self, feature: str, cells: list[Cell]) -> float:
        """The worth of drawing this there."""
        if feature in ("power_cable", "power_source"):
            return float(len(set(neighbours(cells[0])) & self.empty - self.frontier))
        used = len(self.frontier.intersection(cells))
        powered = 1000 if used or feature in _UNPOWERED else 0
        return powered + self._snug(cells) - 3 * used + (10 * self._lit_count(cells[0]) if feature == "candle" else 0)

    def _snug(self, cells: Iterable[Cell]) -> int:
        """How many sides touch what is filled or the edge."""
        return sum(beside not in self.empty for cell in cells for beside in neighbours(cell))

    def _lit_count(self, cell: Cell) -> int:
        row, column = cell
        return len(self.candles & {(row - 2, column), (row + 2, column), (row, column - 2), (row, column + 2)})


def neighbours(cell: Cell) -> Iterator[Cell]:
    """The four cells beside this one, some of which may lie outside."""
    row, column = cell
    yield from ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
