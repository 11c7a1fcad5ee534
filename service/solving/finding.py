"""What is found about a position, and how commands are played on."""

from collections.abc import Hashable, Iterable
from typing import Any, Literal, NamedTuple, Protocol

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
        """What is found within `bound` positions, None: the default, that fit into so many bytes."""

    def mark(self, before: Any, after: Any) -> Hashable:
        """A position on from `before` as the search knows it: of two with one mark all that matters is the same."""
