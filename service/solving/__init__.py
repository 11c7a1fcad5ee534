"""Whether a deal can be won: bounded, deterministic searches through the games' own rules; not part of the rules."""

from collections.abc import Sequence

from msgspec import Struct

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.games import AnyGameType
from domain.view import Card

from .search import Finding, Solver, Verdict, is_won, state_after
from .solvers import SOLVERS

__all__ = ["SOLVERS", "Finding", "Solver", "Verdict", "dealt", "verdict"]


def verdict(game_type: str, options: Struct, deal: Sequence[Card] | Struct, bound: int | None = None) -> Finding:
    """Whether seat 0 can win, all cards known; `bound` is in positions, None: the solver's own.

    `deal` is a state of the game type, or the cards in dealing order. The same question has the same answer, on any
    machine. A won line has been played through the rules to its end. Raises KeyError for a game type without a solver,
    Illegal for cards that are not the pack.
    """
    solver = SOLVERS[game_type]
    state = deal if isinstance(deal, Struct) else dealt(solver.game_type, options, deal)
    if is_won(solver.game_type, state):
        return Finding("won", (), 1)
    return _check_finding(solver, state, solver.search(state, solver.bound if bound is None else bound))


def dealt(game_type: AnyGameType, options: Struct, cards: Sequence[Card]) -> Struct:
    """The position after the deal of these cards."""
    options = game_type.get(OptionRules).settle(options, 1)
    state: Struct = game_type.initial(options, 1)
    for event in game_type.deal(options, Chance(bytes(32), given=tuple(cards)), 1):
        state = game_type.evolve(state, event)
    return state


def _check_finding(solver: Solver, state: Struct, finding: Finding) -> Finding:
    """The finding, checked by replaying its commands: an error in a solver raises here, before it is a certificate."""
    if finding.verdict == "won" and not is_won(
        solver.game_type, state_after(solver.game_type, state, *finding.commands)
    ):
        raise RuntimeError(f"the line found for {solver.game_type.key} does not win")
    return finding
