"""How a bot chooses: what it is shown, and its command, by lot or what looks best at once.

What looks best is judged by one module per game type, named by its key and imported from this folder: `judge(position)`
gives the worth of a command there, a number, the more the better.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from random import Random
from typing import Any, Literal, NamedTuple

Command = dict[str, Any]
Zone = dict[str, Any]


class Position(NamedTuple):
    """One seat's view of a game (as the API tells it, in JSON) and its moves."""

    game_type: str
    options: dict[str, Any]
    seat: int
    view: dict[str, Any]
    commands: Sequence[Command]

    @property
    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = self.view["facts"]
        return facts

    @property
    def may_wait(self) -> bool:
        """Whether the game goes on although this seat says nothing: another one may act too."""
        return any(seat != self.seat for seat in self.view["to_act"])

    def cards(self, zone: str) -> list[str]:
        """The cards of a zone, bottom to top; none where there is no such zone."""
        found: list[str] = next((one.get("cards", []) for one in self.view["zones"] if one["id"] == zone), [])
        return found

    def zones(self, beginning: str) -> list[Zone]:
        """The zones whose ids begin so, in their order."""
        return [one for one in self.view["zones"] if one["id"].startswith(beginning)]


Judge = Callable[[Position], Callable[[Command], float]]
JUDGES: dict[str, Judge] = {
    module.name: import_module(f"{__name__}.{module.name}").judge for module in iter_modules(__path__)
}
"""By the key of the game type; other game types are played by lot."""

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
    judge = JUDGES.get(position.game_type)
    if judge is None:
        return choose_by_lot(position, random)
    worth = judge(position)
    judged = [(worth(command), command) for command in position.commands]
    most = max(found for found, _ in judged)
    if most < 0 and position.may_wait:
        return None
    return random.choice([command for found, command in judged if found == most])


CHOICES: dict[Name, Choice] = {"random": choose_by_lot, "greedy": choose_best}
