"""Whether a deal can be won: bounded, deterministic searches that know all cards; not part of the rules."""

from collections.abc import Hashable, Iterable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Literal, NamedTuple, Protocol

from msgspec import Struct

from domain.capabilities import OptionRules
from domain.chance import Chance, deal_seed
from domain.games import GAME_TYPES, AnyGameType
from domain.view import Card
from service.solving import games

MEMORY = 400 << 20
"""The bytes that the positions of a search may take."""

SOLVERS = tuple(sorted(module.name for module in iter_modules(games.__path__) if module.name in GAME_TYPES))
"""The keys of the game types that are solved; the first question of a game type imports its module."""

Verdict = Literal["won", "impossible", "open"]


class Finding(NamedTuple):
    """The verdict, the commands of a won game (else none), and the number of different positions that were seen.

    `impossible`: every position that matters has been seen; `open`: the bound was reached first.
    """

    verdict: Verdict
    commands: tuple[Any, ...]
    positions: int


class Way(NamedTuple):
    """One or more commands of seat 0 that follow each other, and the position after them."""

    commands: tuple[Any, ...]
    state: Any


def state_after(game_type: AnyGameType, state: Any, *commands: Any) -> Any:
    """The position after these commands of seat 0, by the game type's own rules; raises Illegal."""
    for command in commands:
        for event in game_type.decide(state, 0, command):
            state = game_type.evolve(state, event)
    return state


def is_won(game_type: AnyGameType, state: Any) -> bool:
    """Whether the game is over and won."""
    result = game_type.result(state)
    return result is not None and result.ending == "won"


def single_ways(game_type: AnyGameType, state: Any) -> Iterable[Way]:
    """Each legal command as a way of its own."""
    for command in game_type.legal_commands(state, 0):
        yield Way((command,), state_after(game_type, state, command))


class Solves(Protocol):
    """How deals of a game type are solved."""

    @property
    def game_type(self) -> AnyGameType: ...

    def find(self, state: Any, bound: int | None, memory: int) -> Finding:
        """The finding within `bound` positions, None: the default, that fit into so many bytes."""

    def mark(self, before: Any, after: Any) -> Hashable:
        """The mark of a position on from `before`: two positions with one mark are the same in all that matters."""


def find_solver(key: str) -> Solves:
    """The solver of this game type; KeyError without one."""
    if key not in SOLVERS:
        raise KeyError(key)
    solver: Solves = import_module(f"{games.__name__}.{key}").SOLVER
    return solver


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
    finding = solver.find(state, bound, memory)
    end = state_after(solver.game_type, state, *finding.commands)
    if finding.verdict == "won" and not is_won(solver.game_type, end):  # an error must not become a certificate
        raise RuntimeError(f"the line found for {game_type} does not win")
    return finding


def dealt(game_type: AnyGameType, options: Struct, cards: Sequence[Card]) -> Struct:
    """The position after the deal of these cards."""
    options = game_type.get(OptionRules).settle(options, 1)
    return _deal(game_type, options, Chance(bytes(32), given=tuple(cards)))


def seeded(game_type: AnyGameType, options: Struct, seed: bytes) -> Struct:
    """The position that this server seed deals to one player who gives no seed."""
    return _deal(game_type, options, Chance(deal_seed(seed, (None,))))


def _deal(game_type: AnyGameType, options: Struct, chance: Chance) -> Struct:
    state: Struct = game_type.initial(options, 1)
    for event in game_type.deal(options, chance, 1):
        state = game_type.evolve(state, event)
    return state
