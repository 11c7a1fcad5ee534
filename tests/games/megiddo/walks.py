"""Whole games at random, and the tables they are played on."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.games.megiddo import MEGIDDO
from domain.games.megiddo.events import Command, Event
from domain.games.megiddo.state import Options, State

TABLES: dict[str, dict[str, Any]] = {
    "megiddo": {},
    "moving": {"move_instead_of_place": True},
    "cleopatra": {"cleopatra": True, "first_seat": "seat_1"},
    "match": {"match_points": 36},
    "moving_match": {"match_points": 20, "move_instead_of_place": True, "cleopatra": True},
    "megi_9": {"variant": "megi_9"},
    "megi_9_moving": {"variant": "megi_9", "move_instead_of_place": True, "match_points": 1},
}


class Step(NamedTuple):
    """A command with the state before it and the events that followed."""

    state: State
    command: Command
    events: tuple[Event, ...]

    def moments(self) -> Iterator[tuple[State, Event, State]]:
        """Every event with the state before and after it."""
        state = self.state
        for event in self.events:
            after = MEGIDDO.evolve(state, event)
            yield state, event, after
            state = after


class Game(NamedTuple):
    """A game that was played to its end."""

    steps: tuple[Step, ...]
    state: State


def game(table: str, number: int, most: int = 4000) -> Game:
    """A random game of this table, to its end."""
    lots, options = Random(f"{table} {number}"), MEGIDDO.get(OptionRules).settle(Options(**TABLES[table]), 2)
    events = tuple(MEGIDDO.deal(options, Chance(lots.randbytes(32)), 2))
    state, steps = folded(MEGIDDO.initial(options, 2), events), list[Step]()
    while MEGIDDO.result(state) is None:
        assert len(steps) < most, "the game does not end"
        command = lots.choice(MEGIDDO.legal_commands(state, state.turn))
        steps.append(Step(state, command, tuple(MEGIDDO.decide(state, state.turn, command))))
        state = folded(state, steps[-1].events)
    return Game(tuple(steps), state)


def folded(state: State, events: tuple[Event, ...]) -> State:
    """The state after these events."""
    for event in events:
        state = MEGIDDO.evolve(state, event)
    return state
