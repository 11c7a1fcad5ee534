"""Columns as they are packed: one after the other from the bottom, the lowest card marked, face down negative."""

import numpy

from service.solving.compiled import compiled
from service.solving.engine import Bytes, Numbers

BOTTOM = 64
"""Added to the lowest card of a column; alone it is an empty column, where one is written."""


@compiled
def order_by_lowest(columns: Numbers, heights: Numbers) -> Numbers:
    """The columns that are not empty, in the order of their lowest cards."""
    order, number = numpy.empty(heights.size, numpy.int64), 0
    for column in range(heights.size):
        if heights[column]:
            place = number
            while place and columns[order[place - 1], 0] > columns[column, 0]:
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
