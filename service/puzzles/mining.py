"""Finding puzzles in a finished patience: pure, but for the solver that is asked.

A position is a puzzle if exactly one continuation wins and every other is proved lost. What the search leaves open is
no puzzle. Commands that lead to positions which are alike in all that matters are one continuation.
"""

from collections.abc import Callable, Hashable, Iterator
from functools import cache
from math import prod
from typing import Any, NamedTuple

from domain.games import AnyGameType
from domain.play.aggregate import Game
from domain.view import ALL_SEEING
from service.analysis.history import History
from service.live import seats
from service.puzzles.themes import Theme, themes_of
from service.solving import Finding, find_solver, state_after

LEAST = 3
"""Whoever moves by lot solves no more than one puzzle in so many."""
LONGEST = 6
"""The most moves of a solution; puzzles of one game are at least so many steps apart."""
BOUND, MEMORY = 400_000, 200 << 20
"""Positions and bytes for one verdict."""
_STOCK = 8
"""So many cards of a stock can be kept in view: a puzzle tells their order."""
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
    """The puzzles among the positions up to step `last`, the last one that could be won, the latest first.

    Where one move alone wins at several steps in a row, the puzzle begins at the first.
    """
    kind, judge = history.game.type, cache(judge)
    live = [step for step in history.live if step <= last]
    place = len(live) - 1

    @cache
    def only(place: int) -> Continuation | None:
        state = history.positions[live[place]].state
        return find_only(kind, state, judge) if tells_all(kind, state) else None

    while place >= 0:
        earliest = place
        while earliest > max(0, place - LONGEST + 1) and only(earliest) and _is_plain(only(earliest - 1)):
            earliest -= 1
        for start in range(earliest, place + 1):
            state = history.positions[live[start]].state
            if only(start) and (line := find_solution(kind, state, judge)):
                yield Puzzle(live[start], line, themes_of(kind, state, [commands[0] for commands in line]))
                place = start - LONGEST + 1
                break
        place -= 1


def tells_all(kind: AnyGameType, state: Any) -> bool:
    """Whether every card lies open, but for a short stock, whose order the puzzle tells."""
    pairs = zip(kind.look(state, 0).zones, kind.look(state, ALL_SEEING).zones, strict=True)
    hidden = [known for seen, known in pairs if seen != known]
    return all(zone.id == "stock" and len(zone.cards) <= _STOCK for zone in hidden)


def find_solution(kind: AnyGameType, state: Any, judge: Judge) -> tuple[tuple[Any, ...], ...]:
    """The moves that must be found one after the other, each the only one that wins; empty: this is no puzzle."""
    line, found = list[Continuation](), find_only(kind, state, judge)
    while found is not None:
        line.append(found)
        more = len(line) < LONGEST and _is_plain(found) and kind.result(found.after) is None
        found = find_only(kind, found.after, judge) if more else None
    while line and line[-1].choices == 1:  # what nobody can miss
        line.pop()
    choices = [one.choices for one in line]
    return tuple(one.commands for one in line) if choices[:1] != [1] and prod(choices) >= LEAST else ()


def _is_plain(found: Continuation | None) -> bool:
    """Whether it goes on from here: behind a move that several commands make the positions may look different."""
    return found is not None and len(found.commands) == 1


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
