"""Whether commands solve a puzzle: pure."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from domain.game_type import Illegal
from domain.games import AnyGameType

Outcome = Literal["right", "solved", "wrong"]
"""`right`: so far, and it goes on."""


class Judged(NamedTuple):
    """What the commands come to, and the position after those that were right."""

    outcome: Outcome
    state: Any


def judge(kind: AnyGameType, state: Any, line: Sequence[Sequence[Any]], commands: Sequence[Any]) -> Judged:
    """Play these commands; another way to say a move of the line is that move.

    Raises Illegal for a command that the rules refuse, and for more of them than the puzzle has moves.
    """
    for number, command in enumerate(commands):
        if number == len(line):
            raise Illegal("puzzle_over", "The puzzle is solved before the last of these commands.", "/commands")
        events = _events(kind, state, command, number)
        if events not in [tuple(kind.decide(state, 0, one)) for one in line[number]]:
            return Judged("wrong", state)
        for event in events:
            state = kind.evolve(state, event)
    return Judged("solved" if len(commands) == len(line) else "right", state)


def _events(kind: AnyGameType, state: Any, command: Any, number: int) -> tuple[Any, ...]:
    pointer = f"/commands/{number}"
    if type(command) not in kind.commands:
        raise Illegal("other_game_type", f"That is no command of {kind.name}.", pointer)
    try:
        return tuple(kind.decide(state, 0, command))
    except Illegal as illegal:
        raise Illegal(illegal.rule, illegal.message, pointer) from None
