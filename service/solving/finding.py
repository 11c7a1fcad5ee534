"""A search's input, a game as a puzzle, and its output, the finding."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Literal, NamedTuple

from domain.game_type import GameType

AnyGameType = GameType[Any, Any, Any, Any, Any]
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
