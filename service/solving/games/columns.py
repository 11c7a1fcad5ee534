"""Cards as numbers, 1 to 52 in the order of PACK, and columns of them as they are packed.

Columns stand one after the other from the bottom, the lowest card marked, face down negative.
"""

from collections.abc import Sequence

import numpy

from domain.kit.cards import PACK
from domain.view import Card
from service.solving.engine import Bytes, Numbers, compiled

BOTTOM = 64
"""Added to the lowest card of a column; alone it is an empty column, where one is written."""
NUMBER = {card: place + 1 for place, card in enumerate(PACK)}


def list_columns(columns: Sequence[Sequence[Card]], room: int) -> tuple[Numbers, Numbers]:
    """The cards of columns as numbers, with room for so many in each, and the heights."""
    numbers = numpy.zeros((len(columns), room), numpy.int64)
    for place, column in enumerate(columns):
        numbers[place, : len(column)] = [NUMBER[card] for card in column]
    return numbers, numpy.array([len(column) for column in columns], numpy.int64)


@compiled
def move_cards(columns: Numbers, heights: Numbers, source: int, target: int, count: int) -> None:
    """Moves the upper cards of one column onto another; their numbers stay where they were too, out of its height."""
    for card in range(count):
        columns[target, heights[target] + card] = columns[source, heights[source] - count + card]
    heights[source] -= count
    heights[target] += count


@compiled
def rank_of(card: int) -> int:
    """Ace 1 to king 13."""
    return (card - 1) % 13 + 1


@compiled
def is_red(card: int) -> bool:
    """Hearts and diamonds are the suits 1 and 2."""
    return 14 <= card <= 39


@compiled
def no_card_needs(home: Numbers, suit: int) -> bool:
    """Whether no card needs the next one of this suit, where columns are built in alternating colours.

    The two cards that could lie on it are home or next to go home, and so is the one of its colour that could lie on
    those (the rule is known from FreeCell programs, after K. Horne).
    """
    count = home[suit]
    other = 1 if suit == 0 or suit == 3 else 0
    return bool(home[other] >= count - 1 and home[3 - other] >= count - 1 and home[3 - suit] >= count - 2)


@compiled
def _comes_before(columns: Numbers, heights: Numbers, first: int, second: int) -> bool:
    for depth in range(min(heights[first], heights[second])):
        if columns[first, depth] != columns[second, depth]:
            return bool(columns[first, depth] < columns[second, depth])
    return bool(heights[first] < heights[second])


@compiled
def order_by_cards(columns: Numbers, heights: Numbers) -> Numbers:
    """The columns that are not empty, in the order of their cards, the lowest first."""
    order, number = numpy.empty(heights.size, numpy.int64), 0
    for column in range(heights.size):
        if heights[column]:
            place = number
            while place and _comes_before(columns, heights, column, order[place - 1]):
                order[place] = order[place - 1]
                place -= 1
            order[place] = column
            number += 1
    return order[:number]


@compiled
def write_columns(
    position: Bytes, size: int, columns: Numbers, heights: Numbers, downs: Numbers, order: Numbers
) -> None:
    """Writes the columns of `order` from the place `size` on, and nothing behind them; the lowest `downs` face down."""
    for column in order:
        if heights[column] == 0:
            position[size] = BOTTOM
            size += 1
        for depth in range(heights[column]):
            card = columns[column, depth] + (BOTTOM if depth == 0 else 0)
            position[size] = -card if depth < downs[column] else card
            size += 1
    position[size:] = 0


@compiled
def read_columns(position: Bytes, start: int, columns: Numbers, heights: Numbers, downs: Numbers) -> None:
    """Reads what `write_columns` has written from `start` on; columns that were not written are empty."""
    heights[:] = 0
    downs[:] = 0
    column = -1
    for place in range(start, position.size):
        card = abs(position[place])
        if card == 0:
            break
        if card >= BOTTOM:
            column += 1
            card -= BOTTOM
        if card:
            columns[column, heights[column]] = card
            heights[column] += 1
            downs[column] += position[place] < 0
