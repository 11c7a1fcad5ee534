"""Spider with all cards known: greedily, by how far the columns are in order."""

from collections.abc import Hashable, Iterable
from itertools import pairwise

from domain.games.spider import SPIDER
from domain.games.spider.events import Command, Move
from domain.games.spider.state import State
from domain.kit.cards import RANK
from domain.kit.columns import only_changes_place
from service.solving.search import Finding, Puzzle, Solver, Way, best_first, single_ways


def _position_key(state: State) -> Hashable:
    """The columns in any order, and the stock by its size."""
    columns = [f"{down}{''.join(column)}" for down, column in zip(state.face_down, state.columns, strict=True)]
    return " ".join(sorted(columns)), len(state.stock)


def _ways(state: State) -> Iterable[Way]:
    legal: Iterable[Command] = SPIDER.legal_commands(state, 0)
    return single_ways(SPIDER, state, [command for command in legal if not _is_idle(state, command)])


def _is_idle(state: State, command: Command) -> bool:
    return isinstance(command, Move) and only_changes_place(
        state.columns, command.source, command.target, command.count
    )


def _distance(state: State) -> float:
    """Cards that do not lie on the next of their suit; face down or out of order they weigh more; spaces help."""
    lying = [_weight(column, down) for column, down in zip(state.columns, state.face_down, strict=True)]
    return sum(lying) + 7 * len(state.stock) - 6 * state.columns.count(())


def _weight(column: tuple[str, ...], down: int) -> int:
    """6 for a card face down or the bottom of its pile, 6 out of order, 5 in order but not in suit, 0 in suit."""
    faces = column[down:]
    pairs = pairwise(faces)
    return 6 * down + (6 if down else 2) * bool(faces) + sum(_step(below, card) for below, card in pairs)


def _step(below: str, card: str) -> int:
    if RANK[below] != RANK[card] + 1:
        return 6
    return 0 if below[1] == card[1] else 5


def _search(state: State, bound: int) -> Finding:
    """With a stock, `impossible` becomes `open`: rows are dealt by place, but positions ignore the order of columns."""
    finding = best_first(SPIDER, Puzzle(_position_key, _ways, _distance), state, bound)
    return finding._replace(verdict="open") if state.stock and finding.verdict == "impossible" else finding


SOLVERS = (Solver(SPIDER, 60_000, _search),)
