"""What tests ask of a game for several players: commands of its seats, and whole games of random play."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec import Struct

from domain.capabilities import OptionRules, Resignation, Spelling
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.view import Viewer

SEED = bytes(range(32))
Choose = Callable[[list[tuple[int, Any]], Any, Random], tuple[int, Any]]
"""One of the commands that the seats may give, by state and lots."""


class After(NamedTuple):
    """What a command led to."""

    events: tuple[Any, ...]
    state: Any

    def kinds(self) -> list[str]:
        """The names of the events, in order."""
        return [type(event).__name__ for event in self.events]


class Step(NamedTuple):
    """A command, or None for a resignation, with the state before it and the events that followed."""

    state: Any
    seat: int
    command: Any
    events: tuple[Any, ...]


class Game(NamedTuple):
    """A game that was played to its end."""

    table: "Table"
    empty: Any
    dealt: tuple[Any, ...]
    steps: tuple[Step, ...]
    state: Any

    def moments(self) -> Iterator[tuple[Any, Any]]:
        """Every event with the state just before it, from the deal on."""
        yield from self.table.unfolded(self.empty, self.dealt)
        for step in self.steps:
            yield from self.table.unfolded(step.state, step.events)


class Table:
    """A game type, asked for the seat that is to act unless another is named."""

    def __init__(self, game_type: AnyGameType, acting: Callable[[Any], int | None] = lambda state: state.turn) -> None:
        self.type, self.acting = game_type, acting

    def folded(self, state: Any, events: Sequence[Struct]) -> Any:
        """The state after these events."""
        for event in events:
            state = self.type.evolve(state, event)
        return state

    def unfolded(self, state: Any, events: Sequence[Struct]) -> Iterator[tuple[Any, Any]]:
        """Each event with the state just before it."""
        for event in events:
            yield state, event
            state = self.type.evolve(state, event)

    def say(self, state: Any, command: Any, seat: int | None = None) -> After:
        """A seat gives a command."""
        acting = self.acting(state) if seat is None else seat
        events = tuple(self.type.decide(state, acting or 0, command))
        return After(events, self.folded(state, events))

    def refused(self, state: Any, command: Any, seat: int | None = None) -> str:
        """The rule by which the command is refused."""
        with pytest.raises(Illegal) as refusal:
            self.say(state, command, seat)
        return refusal.value.rule

    def allows(self, state: Any, command: Any, seat: int | None = None) -> bool:
        """Whether the command is accepted."""
        try:
            self.say(state, command, seat)
        except Illegal:
            return False
        return True

    def spelt(self, state: Any, command: Any, seat: int = 0) -> Any:
        """The spelling of the command that is listed."""
        return self.type.get(Spelling).canonical(state, seat, command)

    def lists(self, state: Any, commands: Sequence[Any], seat: int = 0) -> None:
        """Of these commands those are accepted whose spelling is listed, and everything listed is among them."""
        listed = set(self.type.legal_commands(state, seat))
        spelt = {command: self.spelt(state, command, seat) for command in commands}
        for command, spelling in spelt.items():
            assert self.allows(state, command, seat) == (spelling in listed), command
        assert listed <= set(spelt.values())

    def seen(self, state: Any, viewer: Viewer) -> dict[str, tuple[int, str]]:
        """Face-down count and cards of each zone that is not empty."""
        zones = self.type.look(state, viewer).zones
        return {zone.id: (zone.face_down, " ".join(zone.cards)) for zone in zones if zone.cards or zone.face_down}

    def paths(self, state: Any, depth: int, seats: int) -> int:
        """How many different sequences of so many commands there are."""
        after = (self.say(state, command, seat).state for seat, command in self.offered(state, seats))
        return sum(self.paths(one, depth - 1, seats) for one in after) if depth else 1

    def opened(self, seats: int = 2, chance: Chance | None = None, **options: Any) -> After:
        """A game as dealt."""
        settled = self.type.get(OptionRules).settle(self.type.options(**options), seats)
        events = tuple(self.type.deal(settled, chance or Chance(SEED), seats))
        return After(events, self.folded(self.type.initial(settled, seats), events))

    def offered(self, state: Any, seats: int) -> list[tuple[int, Any]]:
        """Everything that any seat may say."""
        return [(seat, command) for seat in range(seats) for command in self.type.legal_commands(state, seat)]

    def played(
        self, name: str, seats: int, options: dict[str, Any], choose: Choose, resigning: float = 0, most: int = 20_000
    ) -> Game:
        """A random game to its end, its lots drawn by its name; `resigning` is the chance of it at each step."""
        lots, settled = Random(name), self.type.get(OptionRules).settle(self.type.options(**options), seats)
        empty = self.type.initial(settled, seats)
        dealt = tuple(self.type.deal(settled, Chance(lots.randbytes(32)), seats))
        state, steps = self.folded(empty, dealt), list[Step]()
        while self.type.result(state) is None:
            assert len(steps) < most, "the game does not end"
            if resigning and lots.random() < resigning:
                seat, command = lots.randrange(seats), None
                events = tuple(self.type.get(Resignation).events(state, seat))
            else:
                seat, command = choose(self.offered(state, seats), state, lots)
                events = tuple(self.type.decide(state, seat, command))
            steps.append(Step(state, seat, command, events))
            state = self.folded(state, events)
        return Game(self, empty, dealt, tuple(steps), state)
