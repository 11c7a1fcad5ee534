"""Positions after commands, by the game type's own rules."""

from collections.abc import Iterable, Iterator
from typing import Any

from .finding import AnyGameType, Way


def state_after(game_type: AnyGameType, state: Any, *commands: Any) -> Any:
    """The position after these commands of seat 0; raises Illegal."""
    for command in commands:
        for event in game_type.decide(state, 0, command):
            state = game_type.evolve(state, event)
    return state


def single_ways(game_type: AnyGameType, state: Any, commands: Iterable[Any]) -> Iterator[Way]:
    """Each of these commands as a way of its own."""
    for command in commands:
        yield Way((command,), state_after(game_type, state, command))


def is_won(game_type: AnyGameType, state: Any) -> bool:
    """Whether the game is over and won."""
    result = game_type.result(state)
    return result is not None and result.ending == "won"
