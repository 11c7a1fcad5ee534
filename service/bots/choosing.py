"""How a bot chooses among its legal commands: by lot, or what looks best at once."""

from collections.abc import Callable
from random import Random
from typing import Literal

from service.bots import greedy
from service.bots.position import Command, Position

Choice = Callable[[Position, Random], Command | None]
"""Returns the command to send; None: send nothing now, since others may act."""

Name = Literal["random", "greedy"]


def choose_by_lot(position: Position, random: Random) -> Command | None:
    """A random command. If others may act too, None half of the time: else the bot would call out of turn for ever."""
    if position.may_wait and random.random() < 0.5:
        return None
    return random.choice(position.commands)


def choose_best(position: Position, random: Random) -> Command | None:
    """The command of most worth, equal ones by lot; by lot where nothing is known of the game type.

    Returns None if all commands have negative worth and others may act.
    """
    judge = greedy.JUDGES.get(position.game_type)
    if judge is None:
        return choose_by_lot(position, random)
    worth = judge(position)
    judged = [(worth(command), command) for command in position.commands]
    most = max(found for found, _ in judged)
    if most < 0 and position.may_wait:
        return None
    return random.choice([command for found, command in judged if found == most])


CHOICES: dict[Name, Choice] = {"random": choose_by_lot, "greedy": choose_best}
