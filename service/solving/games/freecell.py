"""FreeCell, and all games with cells: the cells, the foundations, the columns, each in the order of their cards.

One free cell and one empty column stand for all, and what no card can need goes home at once.
"""

from typing import Any

import numpy

from domain.games import AnyGameType
from domain.games.freecell import FREECELL
from service.solving.engine import Bytes, Game, Numbers, Solver, compiled
from service.solving.games import columns as cards

_CELLS, _LYING, _WIDTH = 4, 8, 64
_IN_SUIT, _KINGS, _SINGLE, _RETURN, _COLUMNS = range(5)


def _rules(state: Any) -> Numbers:
    options, towers = state.options, hasattr(state, "towers")
    kings, returns = towers and not options.any_card, not towers and options.foundation_return
    return numpy.array([towers, kings, options.strict_single, returns, len(state.columns)], numpy.int64)


def _pack(state: Any, rules: Numbers) -> bytes:
    cells = sorted((cards.NUMBER[card] for card in state.cells if card), reverse=True)
    columns = sorted([cards.NUMBER[card] for card in column] for column in state.columns)
    lying = [card + cards.BOTTOM * (place == 0) for column in columns for place, card in enumerate(column)]
    return bytes([*cells, *[0] * (_CELLS - len(cells)), *state.foundations, *lying]).ljust(_WIDTH, b"\0")


@compiled
def _write(position: Bytes, columns: Numbers, heights: Numbers, cells: Numbers, home: Numbers) -> None:
    for cell in range(_CELLS):
        place = cell
        while place and position[place - 1] < cells[cell]:
            position[place] = position[place - 1]
            place -= 1
        position[place] = cells[cell]
    position[_CELLS:_LYING] = home
    downs = numpy.zeros(heights.size, numpy.int64)
    cards.write_columns(position, _LYING, columns, heights, downs, cards.order_by_cards(columns, heights))


@compiled
def _lies_on(card: int, below: int, rules: Numbers) -> bool:
    if cards.rank_of(card) + 1 != cards.rank_of(below):
        return False
    return card + 1 == below if rules[_IN_SUIT] else cards.is_red(card) != cards.is_red(below)


@compiled
def _expand(position: Bytes, rules: Numbers, children: Bytes) -> int:
    number = rules[_COLUMNS]
    columns, heights = numpy.empty((number, 64), numpy.int64), numpy.empty(number, numpy.int64)
    cells, home = position[:_CELLS].astype(numpy.int64), position[_CELLS:_LYING].astype(numpy.int64)
    cards.read_columns(position, _LYING, columns, heights, numpy.empty(number, numpy.int64))
    free, spaces, space, count = 0, 0, -1, 0
    for cell in range(_CELLS):
        free += cells[cell] == 0
    for column in range(number - 1, -1, -1):
        if heights[column] == 0:
            spaces, space = spaces + 1, column
    # Home, the only way if none needs the card.
    for place in range(_CELLS + number):
        card = cells[place] if place < _CELLS else 0
        if place >= _CELLS and heights[place - _CELLS]:
            card = columns[place - _CELLS, heights[place - _CELLS] - 1]
        if card and home[(card - 1) // 13] == cards.rank_of(card) - 1:
            suit = (card - 1) // 13
            safe = rules[_IN_SUIT] != 0 or cards.no_card_needs(home, suit)
            if place < _CELLS:
                cells[place] = 0
            else:
                heights[place - _CELLS] -= 1
            home[suit] += 1
            _write(children[0 if safe else count], columns, heights, cells, home)
            home[suit] -= 1
            if place < _CELLS:
                cells[place] = card
            else:
                heights[place - _CELLS] += 1
            if safe:
                return 1
            count += 1
    # From cells, and back from the foundations.
    for place in range(_CELLS + 4):
        if place < _CELLS:
            card = cells[place]
        else:
            suit = place - _CELLS
            card = 13 * suit + home[suit] if rules[_RETURN] and home[suit] else 0
        if card == 0 or (place and place < _CELLS and cells[place] == cells[place - 1]):
            continue
        for target in range(number):
            if heights[target] == 0:
                if target != space or (rules[_KINGS] and cards.rank_of(card) != 13):
                    continue
            elif not _lies_on(card, columns[target, heights[target] - 1], rules):
                continue
            columns[target, heights[target]] = card
            heights[target] += 1
            if place < _CELLS:
                cells[place] = 0
            else:
                home[place - _CELLS] -= 1
            _write(children[count], columns, heights, cells, home)
            if place < _CELLS:
                cells[place] = card
            else:
                home[place - _CELLS] += 1
            heights[target] -= 1
            count += 1
    # From columns.
    limit, limit_into_space = 1, 1
    if not rules[_SINGLE]:
        doubling = 0 if rules[_KINGS] else spaces
        limit = (free + 1) << doubling
        limit_into_space = (free + 1) << max(doubling - 1, 0)
    for source in range(number):
        height = heights[source]
        if height == 0:
            continue
        run = 1
        while run < height and _lies_on(columns[source, height - run], columns[source, height - run - 1], rules):
            run += 1
        if free:
            cell = 0
            while cells[cell]:
                cell += 1
            cells[cell] = columns[source, height - 1]
            heights[source] -= 1
            _write(children[count], columns, heights, cells, home)
            heights[source] += 1
            cells[cell] = 0
            count += 1
        for target in range(number):
            if target == source or (heights[target] == 0 and target != space):
                continue
            into_space = heights[target] == 0
            for size in range(1, min(run, limit_into_space if into_space else limit) + 1):
                card = columns[source, height - size]
                if into_space:
                    if size == height or (rules[_KINGS] and cards.rank_of(card) != 13):
                        continue
                elif not _lies_on(card, columns[target, heights[target] - 1], rules):
                    continue
                cards.move_cards(columns, heights, source, target, size)
                _write(children[count], columns, heights, cells, home)
                cards.move_cards(columns, heights, target, source, size)
                count += 1
    return count


@compiled
def _weigh(position: Bytes, rules: Numbers) -> int:
    """Cards not home, cards that lie over lower ones or over the next to go home, cells in use; spaces help."""
    home = position[_CELLS:_LYING]
    left = 52 - (home[0] + home[1] + home[2] + home[3])
    if left == 0:
        return -1
    used, columns, buried, lowest, waited = 0, 0, 0, 14, 0
    for cell in range(_CELLS):
        used += position[cell] != 0
    for card in position[_LYING:]:
        if card == 0:
            break
        if card >= cards.BOTTOM:
            card -= cards.BOTTOM
            columns, lowest, waited = columns + 1, 14, 0
        rank = cards.rank_of(card)
        buried += (rank > lowest) + waited
        waited += home[(card - 1) // 13] == rank - 1
        lowest = min(lowest, rank)
    cost = 4 * left + 2 * buried + 3 * used - 3 * (rules[_COLUMNS] - columns) + 30
    return int(min(cost, 1023))


def cell_solver(game_type: AnyGameType) -> Solver:
    """The solver of a game type with cells."""
    return Solver(game_type, Game("cells", _WIDTH, _expand, _weigh, costs=1024), 4_000_000, _pack, _rules)


SOLVER = cell_solver(FREECELL)
