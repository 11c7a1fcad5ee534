"""The position that a bot chooses in, with methods to read it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

Command = dict[str, Any]
Zone = dict[str, Any]
OWN_WORDS = ("game/undo", "game/resign")
"""Commands of every game type, which are no part of playing well."""


class Position(NamedTuple):
    """One seat's view of a game (as the API tells it, in JSON) and what the seat may say, without undo and resign."""

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


def playable_commands(commands: Sequence[Command]) -> list[Command]:
    """The commands that are not undo and not resign."""
    return [command for command in commands if command["type"] not in OWN_WORDS]
