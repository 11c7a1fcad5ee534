"""Megiddo: the boards: points, brackets that capture, lines that win.

A point is a place number: ring by ring from the innermost, in each ring spoke by spoke. Rings are cyclic; spokes and
spirals end at the innermost and the outermost ring, for the star in the middle is no point (our ruling).
"""

from itertools import product
from typing import Literal, NamedTuple

from domain.games.megiddo import megi_9

Variant = Literal["megiddo", "megi_9"]
Shape = Literal["ring", "spoke", "spiral"]
Places = tuple[int, ...]


class Bracket(NamedTuple):
    """Two stones next to one another that fall if both are the opponent's and the stone at `end` is one's own."""

    near: int
    far: int
    end: int


class Line(NamedTuple):
    """A whole ring, spoke or spiral, from its first spoke or from the innermost ring on."""

    shape: Shape
    places: Places


class Board(NamedTuple):
    """One board. Brackets and sandwiches are listed by the place of the stone that closes them.

    `arbatta` is the number of captured stones that wins; `sandwiches` are the captures of the Cleopatra variation.
    """

    size: int
    arbatta: int
    zones: tuple[str, ...]
    place: dict[str, int]
    brackets: tuple[tuple[Bracket, ...], ...]
    sandwiches: tuple[tuple[Bracket, ...], ...]
    lines: tuple[Line, ...]


_DIRECTIONS = tuple((ring, spoke) for ring, spoke in product((0, 1, -1), repeat=2) if (ring, spoke) != (0, 0))
"""Along the ring, along the spoke and along both spirals, each both ways."""


def _board(size: int, arbatta: int) -> Board:
    zones = tuple(f"point_{ring}_{spoke}" for ring in range(1, size + 1) for spoke in range(size))
    return Board(
        size=size,
        arbatta=arbatta,
        zones=zones,
        place={zone: place for place, zone in enumerate(zones)},
        brackets=tuple(_closed_by(place, size, (1, 2, 3)) for place in range(size * size)),
        sandwiches=tuple(_closed_by(place, size, (-1, 2, 1)) for place in range(size * size)),
        lines=_lines(size),
    )


def _closed_by(place: int, size: int, steps: tuple[int, int, int]) -> tuple[Bracket, ...]:
    """The brackets that a stone here closes: one for each direction in which the other points are on the board."""
    ring, spoke = divmod(place, size)
    reached = [[(ring + far * out, spoke + far * on) for far in steps] for out, on in _DIRECTIONS]
    whole = [points for points in reached if all(0 <= ring < size for ring, _ in points)]
    return tuple(Bracket(*(ring * size + spoke % size for ring, spoke in points)) for points in whole)


def _lines(size: int) -> tuple[Line, ...]:
    """Every ring, every spoke, and the spirals that start on every spoke, one each way."""
    steps = range(size)
    rings = [Line("ring", tuple(ring * size + spoke for spoke in steps)) for ring in steps]
    spokes = [Line("spoke", tuple(ring * size + spoke for ring in steps)) for spoke in steps]
    spirals = [
        Line("spiral", tuple(ring * size + (spoke + turn * ring) % size for ring in steps))
        for turn, spoke in product((1, -1), steps)
    ]
    return (*rings, *spokes, *spirals)


BOARDS: dict[Variant, Board] = {"megiddo": _board(6, 6), "megi_9": _board(megi_9.SIZE, megi_9.ARBATTA)}
"""Six rings, six spokes and an arbatta of six stones are those of the board of 1985."""
