"""What a game type knows of good play: the worth of a command in a seat's view, and of a state for a search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from domain.capabilities import C, Capability, S, Trait
from domain.view import Seat

Move = dict[str, Any]
"""A command in JSON."""
Zone = dict[str, Any]


class Position(NamedTuple):
    """One seat's view of a game and its moves, all as the API gives them in JSON."""

    game_type: str
    options: dict[str, Any]
    seat: Seat
    view: dict[str, Any]
    commands: Sequence[Move]

    @property
    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = self.view["facts"]
        return facts

    @property
    def may_wait(self) -> bool:
        """Whether another seat may act too, so that the game goes on without this one."""
        return any(seat != self.seat for seat in self.view["to_act"])

    def cards(self, zone_id: str) -> list[str]:
        """The cards of a zone, bottom to top; none if there is no such zone."""
        cards: list[str] = next((zone.get("cards", []) for zone in self.view["zones"] if zone["id"] == zone_id), [])
        return cards

    def zones(self, prefix: str) -> list[Zone]:
        """The zones whose ids begin with this prefix, in their order."""
        return [zone for zone in self.view["zones"] if zone["id"].startswith(prefix)]


Judge = Callable[[Position], Callable[[Move], float]]


@dataclass(frozen=True)
class GreedyChoice(Trait):
    """The command that looks best at once. `judge`: position -> a function that gives a command's worth there."""

    judge: Judge = lambda position: lambda move: 0.0


@dataclass(frozen=True)
class Evaluator(Capability[Any, S, C, Any], Generic[S, C]):
    """How a game type is searched.

    `worth`: the share of a win, 0 to 1, that a seat may expect of a state in which the game goes on. It judges the
    state in which the turn has passed `turns` times since the position that is searched, because states compare only
    at the same point; None: the state where the tree ends. `width`: the number of commands, best first by the greedy
    choice, that the search looks at; `trust`: the weight of that order against the results of the rounds. `reply`: the
    seat and the command that answer a state at once, out of turn. `stronger`: whether the search beat greedy play by
    over two standard errors (`tests/benchmarks/HOUSE.md`).
    """

    worth: Callable[[S, Seat], float] = lambda state, seat: 0.5
    turns: int | None = None
    width: int = 10
    trust: float = 0.5
    reply: Callable[[S], tuple[Seat, C] | None] = lambda state: None
    stronger: bool = False
