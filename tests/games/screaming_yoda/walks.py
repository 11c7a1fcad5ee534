"""Whole games at random, and the tables they are played on."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from domain.capabilities import OptionRules, Resignation
from domain.chance import Chance
from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda.events import Call, Command, Event, PickUp
from domain.games.screaming_yoda.state import Options, State

from .positions import folded

TABLES: dict[str, tuple[int, dict[str, Any]]] = {
    "three": (3, {}),
    "four": (4, {}),
    "five": (5, {}),
    "penalties_from_the_pile": (4, {"yoda_penalty_source": "pile"}),
    "single_combinations": (3, {"combo_only_single": True, "first_seat": 2}),
    "false_calls": (5, {"false_call_penalty": 2}),
    "false_calls_from_the_pile": (3, {"false_call_penalty": 5, "yoda_penalty_source": "pile"}),
    "swaps": (4, {"swap_phase": True}),
    "places": (5, {"play_for_places": True}),
    "places_with_swaps": (3, {"play_for_places": True, "swap_phase": True, "false_call_penalty": 1}),
}


class Step(NamedTuple):
    """A command with the state before it and the events that followed; without a command a resignation."""

    state: State
    seat: int
    command: Command | None
    events: tuple[Event, ...]


class Game(NamedTuple):
    """A game that was played to its end."""

    options: Options
    seats: int
    dealt: tuple[Event, ...]
    steps: tuple[Step, ...]
    state: State

    def moments(self) -> Iterator[tuple[State, Event]]:
        """Every event with the state just before it, from the deal on."""
        yield from unfolded(GAME.initial(self.options, self.seats), self.dealt)
        for step in self.steps:
            yield from unfolded(step.state, step.events)


def unfolded(state: State, events: tuple[Event, ...]) -> Iterator[tuple[State, Event]]:
    """Each event with the state just before it."""
    for event in events:
        yield state, event
        state = GAME.evolve(state, event)


def game(table: str, number: int, resigning: float = 0, most: int = 20_000) -> Game:
    """A random game of this table, to its end; `resigning` is the chance of a resignation at each step."""
    seats, given = TABLES[table]
    lots, options = Random(f"{table} {number}"), GAME.get(OptionRules).settle(GAME.options(**given), seats)
    dealt = tuple(GAME.deal(options, Chance(lots.randbytes(32)), seats))
    state, steps = folded(GAME.initial(options, seats), dealt), list[Step]()
    while GAME.result(state) is None:
        assert len(steps) < most, "the game does not end"
        steps.append(_resigned(state, lots) if lots.random() < resigning else _step(state, lots))
        state = folded(state, steps[-1].events)
    return Game(options, seats, dealt, tuple(steps), state)


def offered(state: State) -> list[tuple[int, Command]]:
    """Everything that any seat may say."""
    return [(seat, command) for seat in range(len(state.hands)) for command in GAME.legal_commands(state, seat)]


def _step(state: State, lots: Random) -> Step:
    choices = offered(state)
    liked = [choice for choice in choices if _liked(state, choice[1])]
    seat, command = lots.choice(liked if liked and lots.random() < 0.8 else choices)
    return Step(state, seat, command, tuple(GAME.decide(state, seat, command)))


def _liked(state: State, command: Command) -> bool:
    """The players like neither to pick up the pile nor to call without cause."""
    return command.seat in state.exposed if isinstance(command, Call) else not isinstance(command, PickUp)


def _resigned(state: State, lots: Random) -> Step:
    assert GAME.has(Resignation)
    seat = lots.randrange(len(state.hands))
    return Step(state, seat, None, tuple(GAME.get(Resignation).events(state, seat)))
