"""Megiddo's board: rings and spokes with their lines, and the stones of both seats in the corners."""

from collections.abc import Iterator
from math import cos, sin, tau

from domain.board import HEIGHT, WIDTH, Board, Boards, Circle, Place, Point, Seating, frame_board
from domain.capabilities import Chip, Chips
from domain.games.megiddo.state import BOARDS, Options
from domain.games.megiddo.state import Board as Rings

_STONE = 0.98
"""The breadth of a stone with what is left free round it, in card widths."""

CHIPS = Chips((
    Chip(fact="captured.@", label="Captured", shown="of", of="arbatta", seat=True),
    Chip(fact="scores.@", label="Points", seat=True), Chip(fact="idle_moves", label="Moves without a capture"),
    Chip(fact="game", label="Game"),
    *(Chip(fact=fact, shown="elsewhere") for fact in ("arbatta", "marks", "match_points", "variant")),
))  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """The board of this variant; the stones beside it in a wide window, above and below it on a phone."""
    rings = BOARDS[options.variant]
    edge = _radius(rings.size - 1, rings.size) + _STONE / 2
    flat = edge * WIDTH / HEIGHT
    width, height, long, high = 0.8 * edge, 0.06 * edge, 2 * edge - 1.2, 0.11 * edge
    return Boards(
        _board(rings, (
            ((-edge - 1.3, flat - height - 1.1), Seating("@0", -edge - 0.3 - width, flat - height, width, height)),
            ((edge + 0.3, height + 0.1 - flat), Seating("@1", edge + 0.3, -flat, width, height)),
        )),
        _board(rings, (
            ((-edge, flat + 0.1), Seating("@0", 1.2 - edge, flat + 0.6 - high / 2, long, high)),
            ((edge - 1, -flat - 1.1), Seating("@1", -edge, -flat - 0.6 - high / 2, long, high)),
        )),
    )  # fmt: skip


def _board(rings: Rings, corners: tuple[tuple[Point, Seating], ...]) -> Board:
    """`corners`: by seat, where the stones lie, and the plate."""
    bowls = [Place(f"stones_@{seat}", *at, label=False) for seat, (at, _) in enumerate(corners)]
    plates = [plate for _, plate in corners]
    return frame_board([*_points(rings), *bowls], plates, lines=[*_spokes(rings.size)], circles=_circles(rings.size))


def _points(rings: Rings) -> Iterator[Place]:
    for at, zone in enumerate(rings.zones):
        x, y = _point(*divmod(at, rings.size), rings.size)
        yield Place(zone, x - 0.5, y - 0.5, label=False)


def _point(ring: int, spoke: float, size: int) -> Point:
    """Spoke 0 points to the right, the others follow clockwise."""
    radius, angle = _radius(ring, size), tau * spoke / size
    return radius * cos(angle), radius * sin(angle) * WIDTH / HEIGHT


def _radius(ring: int, size: int) -> float:
    """The innermost stones of two spokes just do not touch."""
    return _STONE / (2 * sin(tau / 2 / size)) + ring * _STONE


def _circles(size: int) -> list[Circle]:
    return [(0.0, 0.0, _radius(ring, size)) for ring in range(size)]


def _spokes(size: int) -> Iterator[list[Point]]:
    for spoke in range(size):
        yield [_point(0, spoke, size), _point(size - 1, spoke, size)]
