"""Canfield with all cards known: what no card can need goes home; a draw counts only with the move that uses it."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, partial

from domain.games.canfield import CANFIELD
from domain.games.canfield.events import Draw, Move, Recycle
from domain.games.canfield.rules import initial_2 as initial
from domain.games.canfield.rules import moves, wanted
from domain.games.canfield.state import Options2 as Options
from domain.games.canfield.state import State2 as State
from domain.kit.columns import COLUMN
from domain.kit.patience import SUIT_PLACE
from domain.kit.talon import WASTE, recycles_left
from service.solving.best_first import best_first
from service.solving.finding import Puzzle, Solver, Way
from service.solving.safety import safe_home
from service.solving.steps import single_ways
from service.solving.talon import Talon, drawing_ways, phase


@lru_cache
def _empty(options: Options) -> State:
    return initial(options, 1)


_TALON = Talon(CANFIELD, Draw(), Recycle(), recycles_left, _empty, wanted, moves)


def _position_key(state: State) -> Hashable:
    """Columns in any order, foundations, the reserve's size, and the talon's phase: its cards follow from the rest."""
    columns = " ".join(sorted(map("".join, state.columns)))
    return columns, state.foundations, len(state.reserve), phase(state)


def _ways(state: State) -> Iterable[Way]:
    played = [command for command in CANFIELD.legal_commands(state, 0) if isinstance(command, Move)]
    safe = [move for move in played if _is_safe(state, move)]
    if safe:
        return single_ways(CANFIELD, state, safe[:1])
    return _all_ways(state, [move for move in played if not _is_idle(state, move)])


def _all_ways(state: State, played: Sequence[Move]) -> Iterator[Way]:
    yield from single_ways(CANFIELD, state, played)
    yield from drawing_ways(_TALON, state)


def _is_safe(state: State, move: Move) -> bool:
    """Whether the card goes home and none needs it; where three are drawn, what leaves the waste shifts the rest.

    As `safe_home`, but columns go on from the first rank to the last: a card of the base rank never goes for nothing,
    and neither does one that another card of the base rank could still come to lie on, or under a card on it.
    """
    if move.target not in SUIT_PLACE or (move.source == WASTE and state.options.draw == 3):
        return False
    home, suit = state.foundations, SUIT_PLACE[move.target]
    if home[suit] == 0 or (home[suit] > 1 and home[3 - suit] == 0):
        return False
    return all(home[other] for other in ((1, 2) if suit in (0, 3) else (0, 3))) and safe_home(home, suit)


def _is_idle(state: State, move: Move) -> bool:
    """Whether the move takes a whole column to an empty one."""
    if move.source not in COLUMN or move.target not in COLUMN or state.columns[COLUMN[move.target]]:
        return False
    return move.count == len(state.columns[COLUMN[move.source]])


def _distance(state: State) -> float:
    talon = len(state.stock) + len(state.waste)
    return 4 * (52 - sum(state.foundations) + len(state.reserve)) + talon


def _stage(state: State) -> int:
    return sum(state.foundations)


SOLVER = Solver(CANFIELD, 100_000, partial(best_first, CANFIELD, Puzzle(_position_key, _ways, _distance, _stage)))
