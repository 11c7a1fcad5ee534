"""Decs Building, a game of Jake Staines (2021) for two to four: deck building, worker placement and a drawn grid.

What is good play: the decoration of most points that can be powered, cables where the power runs short, else cards.
"""

from collections.abc import Callable
from typing import Any

from domain.capabilities import Counting, Layout, Reconstructed, Resample, Resignation, Spelling
from domain.game_type import GameType
from domain.games.decs_building import rounds, rules, view
from domain.games.decs_building.events import COMMANDS, EVENTS, Command, Event
from domain.games.decs_building.state import KINDS, ROWS, Facts, Options, State
from domain.kit.evaluation import GreedyChoice, Move, Position
from domain.kit.solo import read_rules
from domain.view import Cell

_DRAWN: dict[str, tuple[int, int]] = {key: (kind.points, kind.shape.count("X")) for key, kind in KINDS.items()}
_DRAWN |= {"candle": (3, 1), "santa": (4, 4)}
"""Points and spaces of a drawn feature; a Santa's points are the worth of the further card that it brings."""

_UNPOWERED = tuple(key for key, kind in KINDS.items() if not kind.needs_power)
_OTHER = {"gain_king": 22.0, "gain_jack_queen": 7.0, "gain_wild": 3.0, "everyone_pitch_in": 1.0, "gain_card": 1.5,
          "stop_messing_around": -3.0}  # fmt: skip
_SPENT = {"K": 12.0, "Q": 4.0, "J": 4.0, "A": 0.5, "*": 0.5}
"""The worth of a card that goes back to its stack, or could have paid anything."""


def judge(position: Position) -> Callable[[Move], float]:
    """The worth of an action in points, of a place by its power and how little room it wastes; passing is worth 0."""
    grid = _Grid(position.facts["seats"][position.seat])

    def judge_move(move: Move) -> float:
        match move["type"].partition("/")[2]:
            case "take_action":
                return _gain(grid, move["space"]) - sum(_SPENT.get(card[0], 0.0) for card in move["payment"])
            case "place":
                return grid.judge_place(position.facts["to_place"], [tuple(cell) for cell in move["cells"]])
            case "take_start_card":
                return {"stack_kings": 3, "stack_wilds": 2}.get(move["source"], 1)
            case "discard":
                return -2.0 if move["card"][0] in "KQJA*" else -1.0
            case _:
                return 0

    return judge_move


def _gain(grid: "_Grid", space: str) -> float:
    """Each space that is filled saves two points."""
    if space in ("add_power_cable", "extra_power_source"):
        return 2 + (8 if len(grid.frontier) < 4 else 0)
    if space not in _DRAWN:
        return _OTHER.get(space, 0.0)
    points, spaces = _DRAWN[space]
    return 2 * spaces + (points if grid.frontier or space in _UNPOWERED else 0)


class _Grid:
    """One seat's grid: the empty cells, the candles, and the empty cells next to those that give power."""

    def __init__(self, seat: dict[str, Any]) -> None:
        first = ROWS + 1 - len(seat["grid"])
        cells = {(first + row, 1 + at): mark for row, line in enumerate(seat["grid"]) for at, mark in enumerate(line)}
        self.empty = {cell for cell, mark in cells.items() if mark == "."}
        self.candles = {cell for cell, mark in cells.items() if mark == "i"}
        banners = [part for part in seat["features"] if part["feature"] == "banner_angels" and part["works"]]
        live = {cell for cell, mark in cells.items() if mark in "o+"}
        live |= {tuple(cell) for banner in banners for cell in banner["cells"]}
        self.frontier = {neighbour for cell in live for neighbour in _cells_at(cell, 1)} & self.empty

    def judge_place(self, feature: str, cells: list[Cell]) -> float:
        """The worth of drawing this feature in these cells: powered, touching filled cells or the edge."""
        if feature in ("power_cable", "power_source"):
            return float(len(set(_cells_at(cells[0], 1)) & self.empty - self.frontier))
        used = len(self.frontier.intersection(cells))
        powered = 1000 if used or feature in _UNPOWERED else 0
        snug = sum(neighbour not in self.empty for cell in cells for neighbour in _cells_at(cell, 1))
        lit = len(self.candles.intersection(_cells_at(cells[0], 2))) if feature == "candle" else 0
        return powered + snug - 3 * used + 10 * lit


def _cells_at(cell: Cell, distance: int) -> tuple[Cell, ...]:
    """The four cells at this distance in a straight line, some of which may lie outside."""
    row, column = cell
    return (row - distance, column), (row + distance, column), (row, column - distance), (row, column + distance)


DECS_BUILDING: GameType[Options, State, Command, Event, Facts] = GameType(
    key="decs_building", name="Decs Building", revision=1, seats=range(2, 5), rules=read_rules(__file__),
    options=Options, state=State, commands=COMMANDS, events=EVENTS, facts=Facts, deal=rounds.deal,
    initial=rounds.initial, decide=rules.decide, evolve=rounds.evolve, legal_commands=rules.legal_commands,
    look=view.look, tell=view.tell, result=rules.result, redact=view.redact, material=view.MATERIAL,
    capabilities=(
        Spelling(rules.canonical), Resignation(rules.resign), Reconstructed(), Counting(moves=6),
        Resample(view.resample), Layout(view.boards), view.CHIPS, view.OFFERS, GreedyChoice(judge),
    ),
)  # fmt: skip
