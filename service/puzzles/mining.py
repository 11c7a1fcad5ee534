"""Finding puzzles in a finished patience: pure, but for the solver that is asked.

A position is a puzzle if exactly one continuation wins and every other is proved lost. What the search leaves open is
no puzzle. Commands that lead to positions which are alike in all that matters are one continuation.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple

from domain.games import AnyGameType
from domain.play.aggregate import Game
from domain.view import ALL_SEEING
from service.analysis.history import History
from service.live import seats
from service.puzzles.themes import Theme, themes_of
from service.solving import Finding, find_solver, state_after

LEAST = 3
"""A position with fewer continuations is no puzzle: it is solved by chance."""
LONGEST = 6
"""The most moves of a solution; puzzles of one game are at least so many steps apart."""
_FIRM_DEALS = ("shuffled", "wished")
"""Where the service has dealt by itself: no contest has these cards."""

Judge = Callable[[Any], Finding]
"""What the solver finds of a position, all cards known."""


class Continuation(NamedTuple):
    """The only one that wins: the commands that make it, the position after it, and how many there are in all."""

    commands: tuple[Any, ...]
    after: Any
    choices: int


class Puzzle(NamedTuple):
    """The position after this step: for each move of the solution the commands that make it."""

    step: int
    line: tuple[tuple[Any, ...], ...]
    themes: tuple[Theme, ...]


def is_open(game: Game) -> bool:
    """Whether everybody may know all of this game: it was played here, is public, over, and withheld by no contest."""
    public = game.importers is None and game.opening.visibility == "public"
    return public and game.status in seats.OVER and seats.is_fully_known(game)


def may_be_mined(game: Game, *, contests_due: bool) -> bool:
    """Whether its positions may be told. `contests_due`: some contest is not revealed, whose cards may be these."""
    return is_open(game) and (game.opening.origin in _FIRM_DEALS or not contests_due)


def mine(history: History, last: int, judge: Judge) -> Iterator[Puzzle]:
    """The puzzles among the positions up to step `last`, the last one that could be won, the latest first."""
    kind, before = history.game.type, last
    for step in reversed(history.live):
        state = history.positions[step].state
        if step <= before and shows_all(kind, state) and (line := find_solution(kind, state, judge)):
            yield Puzzle(step, line, themes_of(kind, state))
            before = step - LONGEST


def shows_all(kind: AnyGameType, state: Any) -> bool:
    """Whether the player sees every card: what the solver knows then tells nothing that cannot be known."""
    return bool(kind.look(state, 0) == kind.look(state, ALL_SEEING))


def find_solution(kind: AnyGameType, state: Any, judge: Judge) -> tuple[tuple[Any, ...], ...]:
    """The moves that must be found one after the other, each the only one that wins; empty: this is no puzzle.

    A move that can be made by several commands is the last one, for the positions after them may look different.
    """
    found = find_only(kind, state, judge)
    if found is None or found.choices < LEAST:
        return ()
    line = [found]
    while len(line) < LONGEST and len(found.commands) == 1 and kind.result(found.after) is None:
        if (found := find_only(kind, found.after, judge)) is None:
            break
        line.append(found)
    while line[-1].choices == 1:  # what nobody can miss
        line.pop()
    return tuple(one.commands for one in line)


def find_only(kind: AnyGameType, state: Any, judge: Judge) -> Continuation | None:
    """The one continuation that wins, all others being proved lost; None: there are several, none, or some are open."""
    ways = _continuations(kind, state)
    only: Continuation | None = None
    for after, commands in ways:
        found = judge(after).verdict
        if found == "open" or (found == "won" and only is not None):
            return None
        if found == "won":
            only = Continuation(tuple(commands), after, len(ways))
    return only


def _continuations(kind: AnyGameType, state: Any) -> list[tuple[Any, list[Any]]]:
    """The positions after each legal command, with the commands that lead to it or to one alike."""
    solver, found = find_solver(kind.key), dict[Hashable, tuple[Any, list[Any]]]()
    for command in kind.legal_commands(state, 0):
        after = state_after(kind, state, command)
        found.setdefault(solver.mark(state, after), (after, []))[1].append(command)
    return list(found.values())
