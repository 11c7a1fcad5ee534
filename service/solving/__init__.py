"""Whether a deal can be won: bounded, deterministic searches that know all cards; not part of the rules."""

from collections.abc import Sequence

from msgspec import Struct

from domain.capabilities import OptionRules
from domain.chance import Chance, deal_seed
from domain.games import GAME_TYPES, AnyGameType
from domain.view import Card

from .finding import Finding, Verdict, Way, is_won, state_after
from .games import SOLVERS, find_solver

__all__ = [
    "MEMORY",
    "SOLVERS",
    "Finding",
    "Verdict",
    "Way",
    "dealt",
    "find_solver",
    "is_won",
    "seeded",
    "state_after",
    "verdict",
]

MEMORY = 400 << 20
"""The bytes that the positions of a search may take."""


def verdict(
    game_type: str,
    options: Struct,
    deal: Sequence[Card] | Struct,
    bound: int | None = None,
    memory: int = MEMORY,
) -> Finding:
    """Whether seat 0 can win, all cards known; `bound` is in positions, None: the game's own; `memory` in bytes.

    `deal` is a state of the game type, in the middle of a game too, or the cards in dealing order. The same question
    has the same answer, on any machine. A won line has been played through the rules to its end. Raises KeyError for a
    game type without a solver, Illegal for cards that are not the pack.
    """
    solver = find_solver(game_type)
    state = deal if isinstance(deal, Struct) else dealt(GAME_TYPES[game_type], options, deal)
    if is_won(solver.game_type, state):
        return Finding("won", (), 1)
    return _check_finding(solver.game_type, state, solver.find(state, bound, memory))


def dealt(game_type: AnyGameType, options: Struct, cards: Sequence[Card]) -> Struct:
    """The position after the deal of these cards."""
    options = game_type.get(OptionRules).settle(options, 1)
    state: Struct = game_type.initial(options, 1)
    for event in game_type.deal(options, Chance(bytes(32), given=tuple(cards)), 1):
        state = game_type.evolve(state, event)
    return state


def seeded(game_type: AnyGameType, options: Struct, seed: bytes) -> Struct:
    """The position that this server seed deals to one player who gives no seed."""
    state: Struct = game_type.initial(options, 1)
    for event in game_type.deal(options, Chance(deal_seed(seed, (None,))), 1):
        state = game_type.evolve(state, event)
    return state


def _check_finding(game_type: AnyGameType, state: Struct, finding: Finding) -> Finding:
    """The finding, checked by replaying its commands: an error in a solver raises here, before it is a certificate."""
    if finding.verdict == "won" and not is_won(game_type, state_after(game_type, state, *finding.commands)):
        raise RuntimeError(f"the line found for {game_type.key} does not win")
    return finding
