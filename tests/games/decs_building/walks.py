"""Whole games at random, and the tables they are played on."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from domain.chance import Chance
from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building.events import Command, Discard, Event, TakeAction
from domain.games.decs_building.rules import resign
from domain.games.decs_building.state import Options, State, to_act

from .positions import folded

TABLES: dict[str, tuple[int, dict[str, Any]]] = {
    "two": (2, {}),
    "two_short": (2, {"short": True, "two_player_tens": False}),
    "three": (3, {"tie_break": "fewest_empty_spaces"}),
    "three_short": (3, {"short": True}),
    "four": (4, {}),
    "four_short": (4, {"short": True}),
}


class Step(NamedTuple):
    """A command, or None for a resignation, with the state before it and the events that followed."""

    state: State
    seat: int
    command: Command | None
    events: tuple[Event, ...]


class Game(NamedTuple):
    """A game that was played to its end."""

    empty: State
    dealt: tuple[Event, ...]
    steps: tuple[Step, ...]
    state: State

    def moments(self) -> Iterator[tuple[State, Event]]:
        """Every event with the state just before it, from the deal on."""
        yield from _unfolded(self.empty, self.dealt)
        for step in self.steps:
            yield from _unfolded(step.state, step.events)


def _unfolded(state: State, events: tuple[Event, ...]) -> Iterator[tuple[State, Event]]:
    for event in events:
        yield state, event
        state = GAME.evolve(state, event)


def game(table: str, number: int, resigning: bool = False) -> Game:
    """A random game of this table, to its end; the players like actions, and now and then one resigns."""
    lots, (seats, named) = Random(f"{table} {number}"), TABLES[table]
    empty = GAME.initial(Options(**named), seats)
    dealt = tuple(GAME.deal(Options(**named), Chance(lots.randbytes(32)), seats))
    state, steps = folded(empty, dealt), list[Step]()
    while GAME.result(state) is None:
        assert len(steps) < 2000, "the game does not end"
        steps.append(_resigned(state, lots) if resigning and lots.random() < 0.02 else _step(state, lots))
        state = folded(state, steps[-1].events)
    return Game(empty, dealt, tuple(steps), state)


def _resigned(state: State, lots: Random) -> Step:
    seat = lots.choice([seat for seat, player in enumerate(state.players) if not player.out])
    return Step(state, seat, None, tuple(resign(state, seat)))


def _step(state: State, lots: Random) -> Step:
    seat = to_act(state)
    assert seat is not None, "nobody is to act"
    command = _chosen(GAME.legal_commands(state, seat), state, lots)
    return Step(state, seat, command, tuple(GAME.decide(state, seat, command)))


def _chosen(listed: Sequence[Command], state: State, lots: Random) -> Command:
    actions = [command for command in listed if isinstance(command, TakeAction)]
    command = lots.choice(actions if actions and lots.random() < 0.8 else listed)
    return _with_more(command, state, lots) if isinstance(command, Discard) else command


def _with_more(command: Discard, state: State, lots: Random) -> Discard:
    rest = list(state.players[to_act(state) or 0].hand)
    rest.remove(command.card)
    return Discard(command.card, tuple(lots.sample(rest, lots.randint(0, len(rest)))))
