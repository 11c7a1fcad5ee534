"""Megiddo: win, do not let the other seat win, capture, build lines."""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from typing import NamedTuple

from service.bots.choosing import Command, Position

_WIN, _LOSS = 1_000_000.0, -100_000.0
_CAPTURE, _CAPTURED = 25.0, 18.0


class _Board(NamedTuple):
    """A board by its size: brackets (the closing place, two between, the far end), lines, and lines by place."""

    captures: tuple[tuple[tuple[int, int, int], ...], ...]
    lines: tuple[tuple[int, ...], ...]


@cache
def board(size: int, cleopatra: bool) -> _Board:
    """The board of so many rings and spokes: rings are cyclic, spokes and spirals are not."""
    kinds = ((1, 2, 3), (-1, 2, 1)) if cleopatra else ((1, 2, 3),)
    return _Board(tuple(_brackets(place, size, kinds) for place in range(size * size)), tuple(_lines(size)))


def _brackets(place: int, size: int, kinds: Iterable[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    ring, spoke = divmod(place, size)
    directions = [step for step in product((0, 1, -1), repeat=2) if step != (0, 0)]
    reached = [[(ring + far * out, spoke + far * on) for far in kind] for kind in kinds for out, on in directions]
    whole = [points for points in reached if all(0 <= ring < size for ring, _ in points)]
    return tuple(tuple(ring * size + spoke % size for ring, spoke in points) for points in whole)  # type: ignore[misc]


def _lines(size: int) -> Iterable[tuple[int, ...]]:
    steps = range(size)
    yield from (tuple(ring * size + spoke for spoke in steps) for ring in steps)
    for turn, spoke in product((0, 1, -1), steps):
        yield tuple(ring * size + (spoke + turn * ring) % size for ring in steps)


def judge(position: Position) -> Callable[[Command], float]:
    """The worth of a placement or a move: what it wins, then what the other seat could win by the next stone."""
    facts, seat = position.facts, position.seat
    found = board(len(facts["rings"]), bool(position.options.get("cleopatra")))
    stones, size = "".join(facts["rings"]), len(facts["rings"])
    needed = [facts["arbatta"] - captured for captured in facts["captured"]]

    def worth(command: Command) -> float:
        after = list(stones)
        if "source" in command:
            after[_place(command["source"], size)] = "."
        captured = _put(found, after, str(seat), _place(command["target"], size))
        if captured >= needed[seat] or any(all(after[at] == str(seat) for at in line) for line in found.lines):
            return _WIN
        danger = _danger(found, after, str(1 - seat), needed[1 - seat])
        return _CAPTURE * captured - danger + _lines_worth(found, after, seat)

    return worth


def _place(zone: str, size: int) -> int:
    _, ring, spoke = zone.split("_")
    return (int(ring) - 1) * size + int(spoke)


def _put(found: _Board, stones: list[str], ours: str, place: int) -> int:
    """Put a stone there, wave by wave with what it captures; how many fall."""
    stones[place], closing, fallen = ours, {place}, 0
    while closing:
        closing = {at for closed in closing for at in _captured_by(found, stones, ours, closed)}
        fallen += len(closing)
        for at in closing:
            stones[at] = ours
    return fallen


def _captured_by(found: _Board, stones: list[str], ours: str, place: int) -> set[int]:
    """What a stone here captures of the other seat's."""
    pairs = found.captures[place]
    return {
        at for near, far, end in pairs if stones[end] == ours and stones[near] == stones[far] not in (ours, ".")
        for at in (near, far)
    }  # fmt: skip


def _danger(found: _Board, stones: list[str], theirs: str, needed: int) -> float:
    """What the other seat's best stone would be worth to it."""
    if any(_lacks_one(line, stones, theirs) for line in found.lines):
        return -_LOSS
    vacant = [at for at, stone in enumerate(stones) if stone == "."]
    most = max((len(_captured_by(found, stones, theirs, at)) for at in vacant), default=0)
    return -_LOSS if most >= needed else _CAPTURED * most


def _lacks_one(line: tuple[int, ...], stones: list[str], theirs: str) -> bool:
    held = [stones[at] for at in line]
    return held.count(theirs) == len(line) - 1 and "." in held


def _lines_worth(found: _Board, stones: list[str], seat: int) -> float:
    """Lines that only one side has stones in, by the square of how many."""
    worth = 0
    for line in found.lines:
        held = [stones[at] for at in line]
        ours, theirs = held.count(str(seat)), held.count(str(1 - seat))
        worth += (ours * ours if not theirs else 0) - (theirs * theirs if not ours else 0)
    return worth
