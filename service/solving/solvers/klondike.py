"""Klondike with all cards known: what no card can need goes home; a draw counts only with the move that uses it."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, partial

from domain.games.klondike import KLONDIKE
from domain.games.klondike.events import Draw, Move, Recycle
from domain.games.klondike.rules import initial_2 as initial
from domain.games.klondike.rules import moves, wanted
from domain.games.klondike.state import Options2 as Options
from domain.games.klondike.state import State2 as State
from domain.kit.cards import RANK
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


_TALON = Talon(KLONDIKE, Draw(), Recycle(), recycles_left, _empty, wanted, moves)


def _position_key(state: State) -> Hashable:
    """Columns in any order, foundations, and the talon's phase: its cards follow from the rest."""
    columns = [f"{down}{''.join(column)}" for down, column in zip(state.face_down, state.columns, strict=True)]
    return " ".join(sorted(columns)), state.foundations, phase(state)


def _ways(state: State) -> Iterable[Way]:
    legal = KLONDIKE.legal_commands(state, 0)
    played = [command for command in legal if isinstance(command, Move)]
    safe = [move for move in played if _is_safe(state, move)]
    if safe or not legal:
        return single_ways(KLONDIKE, state, safe[:1])
    return _all_ways(state, [move for move in played if not _is_idle(state, move)])


def _all_ways(state: State, played: Sequence[Move]) -> Iterator[Way]:
    yield from single_ways(KLONDIKE, state, played)
    yield from drawing_ways(_TALON, state)


def _is_safe(state: State, move: Move) -> bool:
    """Whether the card goes home and none needs it; where three are drawn, what leaves the waste shifts the rest."""
    if move.target not in SUIT_PLACE or (move.source == WASTE and state.options.draw == 3):
        return False
    return safe_home(state.foundations, SUIT_PLACE[move.target])


def _is_idle(state: State, move: Move) -> bool:
    """Whether the move takes a whole column to an empty one."""
    if move.source not in COLUMN or move.target not in COLUMN or state.columns[COLUMN[move.target]]:
        return False
    return move.count == len(state.columns[COLUMN[move.source]])


def _distance(state: State) -> float:
    """Cards not home, face-down cards, the talon, and cards that lie over a lower one of their suit, face down."""
    columns = zip(state.columns, state.face_down, strict=True)
    blocked = sum(_blocked_cards(column, hidden) for column, hidden in columns if hidden)
    talon = len(state.stock) + len(state.waste)
    return 4 * (52 - sum(state.foundations)) + 10 * sum(state.face_down) + blocked + talon


def _blocked_cards(column: tuple[str, ...], hidden: int) -> int:
    lowest: dict[str, int] = {}
    blocked = 0
    for place, card in enumerate(column):
        blocked += lowest.get(card[1], 14) < RANK[card]
        if place < hidden:
            lowest[card[1]] = min(lowest.get(card[1], 14), RANK[card])
    return blocked


def _stage(state: State) -> int:
    return sum(state.foundations)


SOLVER = Solver(KLONDIKE, 100_000, partial(best_first, KLONDIKE, Puzzle(_position_key, _ways, _distance, _stage)))
