"""A game as a puzzle, and two searches through it that see each position once: best first, and depth first."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heappop, heappush
from typing import Any, Literal, NamedTuple

from domain.games import AnyGameType

Verdict = Literal["won", "impossible", "open"]


class Finding(NamedTuple):
    """The verdict, the commands of a won game (else none), and how many different positions were seen.

    `impossible`: every position that matters has been seen; `open`: the bound was reached first.
    """

    verdict: Verdict
    commands: tuple[Any, ...]
    positions: int


class Way(NamedTuple):
    """One or more commands of seat 0 that follow each other, and the position after them."""

    commands: tuple[Any, ...]
    state: Any


class Puzzle(NamedTuple):
    """What makes two positions the same, the ways that lead on, and how far a position seems from won.

    Ways may leave out what cannot matter, never what might: otherwise `impossible` would be a lie. The distance is in
    any unit, the smaller the better; where the ways are in good order already it is not needed. The stage is a rough
    measure of progress: positions of different stages are not weighed against each other.
    """

    same: Callable[[Any], Hashable]
    ways: Callable[[Any], Iterable[Way]]
    distance: Callable[[Any], float] = lambda state: 0
    stage: Callable[[Any], int] = lambda state: 0


class Solver(NamedTuple):
    """How deals of a game type are solved: the search, and its default bound in positions."""

    game_type: AnyGameType
    bound: int
    search: Callable[[Any, int], Finding]


def state_after(game_type: AnyGameType, state: Any, *commands: Any) -> Any:
    """The position after these commands of seat 0, by the game type's own rules; raises Illegal."""
    for command in commands:
        for event in game_type.decide(state, 0, command):
            state = game_type.evolve(state, event)
    return state


def single_ways(game_type: AnyGameType, state: Any, commands: Iterable[Any]) -> Iterator[Way]:
    """Each of these commands as a way of its own."""
    for command in commands:
        yield Way((command,), state_after(game_type, state, command))


def is_won(game_type: AnyGameType, state: Any) -> bool:
    """Whether the game is over and won."""
    result = game_type.result(state)
    return result is not None and result.ending == "won"


class _Reached(NamedTuple):
    """How a position was reached."""

    way: Way
    before: "_Reached | None"


_Waiting = dict[int, list[tuple[float, int, _Reached]]]


def best_first(game_type: AnyGameType, puzzle: Puzzle, state: Any, bound: int) -> Finding:
    """A winning line, the verdict that there is none, or an open verdict after `bound` positions.

    Stage by stage in turn, from the position that seems nearest to won. Taking turns keeps one promising corner from
    using up the bound (in the manner of type-based exploration: F. Xie and others, Type-Based Exploration with Multiple
    Search Queues, AAAI 2014). Of equal positions the newest comes first.
    """
    seen = {puzzle.same(state)}
    waiting: _Waiting = {puzzle.stage(state): [(0.0, 0, _Reached(Way((), state), None))]}
    while waiting and len(seen) < bound:
        for stage in sorted(waiting):
            reached = heappop(waiting[stage])[2]
            if is_won(game_type, reached.way.state):
                return Finding("won", _line(reached), len(seen))
            _add_successors(puzzle, reached, seen, waiting)
        waiting = {stage: queue for stage, queue in waiting.items() if queue}
    return Finding("open" if waiting else "impossible", (), len(seen))


def _add_successors(puzzle: Puzzle, reached: _Reached, seen: set[Any], waiting: _Waiting) -> None:
    for way in puzzle.ways(reached.way.state):
        if (position := puzzle.same(way.state)) not in seen:
            seen.add(position)
            entry = (puzzle.distance(way.state), -len(seen), _Reached(way, reached))
            heappush(waiting.setdefault(puzzle.stage(way.state), []), entry)


def _line(reached: _Reached) -> tuple[Any, ...]:
    ways = []
    while reached.before is not None:
        ways.append(reached.way.commands)
        reached = reached.before
    return tuple(command for commands in reversed(ways) for command in commands)


def depth_first(game_type: AnyGameType, puzzle: Puzzle, state: Any, bound: int) -> Finding:
    """The same by the ways from a position in their own order."""
    seen = {puzzle.same(state)}
    line: list[Way] = [Way((), state)]
    ahead: list[Iterator[Way]] = [iter(puzzle.ways(state))]
    while line and not is_won(game_type, line[-1].state) and len(seen) < bound:
        way = next(ahead[-1], None)
        if way is None:
            ahead.pop()
            line.pop()
        elif (position := puzzle.same(way.state)) not in seen:
            seen.add(position)
            line.append(way)
            ahead.append(iter(puzzle.ways(way.state)))
    if line and is_won(game_type, line[-1].state):
        return Finding("won", tuple(command for way in line for command in way.commands), len(seen))
    return Finding("open" if line else "impossible", (), len(seen))
