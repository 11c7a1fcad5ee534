"""Megiddo: lines that one side alone has stones in, captured stones, and what is threatened; boards as bit masks."""

from functools import cache
from math import exp
from typing import NamedTuple

from domain.games.megiddo.state import BOARDS, State, Variant
from domain.view import Seat
from service.house.search import Outlook

_LINE = (0.0, 0.02, 0.08, 0.25, 0.6, 1.6, 4.0, 6.0, 8.0)
"""A line's worth by the number of stones in it, counted from the whole line down: the last but one stands last."""


class _Masks(NamedTuple):
    """Lines as masks, and brackets: the two stones that fall, the stone beyond, the place that closes."""

    lines: tuple[int, ...]
    brackets: tuple[tuple[int, int, int], ...]


@cache
def _masks(variant: Variant) -> _Masks:
    board = BOARDS[variant]
    brackets = (
        (1 << one.near | 1 << one.far, 1 << one.end, 1 << place)
        for place, closed in enumerate(board.brackets)
        for one in closed
    )
    return _Masks(tuple(sum(1 << place for place in line.places) for line in board.lines), tuple(brackets))


def worth(state: State, seat: Seat) -> float:
    """By the difference of both sides, the side on turn ahead."""
    own, other = (_mask(state.stones, one) for one in (seat, 1 - seat))
    masks = _masks(state.options.variant)
    ahead = _lines(masks, own, other) - _lines(masks, other, own)
    ahead += 0.5 * (state.captured[seat] - state.captured[1 - seat])
    ours, theirs = _count_threats(masks, own, other), _count_threats(masks, other, own)
    ahead += 0.5 * ours - 0.2 * theirs if state.turn == seat else 0.2 * ours - 0.5 * theirs
    return 1 / (1 + exp(-0.6 * ahead))


def _mask(stones: str, seat: Seat) -> int:
    return int("".join("1" if stone == str(seat) else "0" for stone in reversed(stones)), 2)


def _lines(masks: _Masks, own: int, other: int) -> float:
    return sum(_LINE[(own & line).bit_count()] for line in masks.lines if own & line and not other & line)


def _count_threats(masks: _Masks, own: int, other: int) -> int:
    """How many brackets the next stone can close."""
    free = ~(own | other)
    return sum(pair & other == pair and bool(end & own) and bool(close & free) for pair, end, close in masks.brackets)


OUTLOOK = Outlook(worth, turns=None, width=10, trust=0.6, stronger=True)
