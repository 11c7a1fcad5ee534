"""The house knows what its seat may know, and its commands are the measured ones (`tests/benchmarks/HOUSE.md`)."""

import json
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.capabilities import OptionRules, Resample
from domain.chance import Chance
from domain.games import GAME_TYPES, AnyGameType
from domain.kit.evaluation import Evaluator
from domain.view import ALL_SEEING, Seat
from service.house.engine import Budget, choose_command
from service.house.players import levels_of

SEATS = {key: kind.seats[0] for key, kind in GAME_TYPES.items() if kind.seats[-1] > 1}
SEARCHED = [key for key in SEATS if GAME_TYPES[key].has(Evaluator)]
ROUNDS = Budget(seconds=60, rounds=5)
"""In rounds, for no two searches have the same time."""


def test_the_house_plays_every_game_of_several_greedily() -> None:
    assert {key for key, kind in GAME_TYPES.items() if "greedy" in levels_of(kind)} == set(SEATS)


def positions(kind: AnyGameType, seats: int, seed: str) -> Iterator[tuple[Any, Seat]]:
    """The states of a game that is played by lot, each with a seat that is to act."""
    lots, options = Random(seed), kind.get(OptionRules).settle(kind.options(), seats)
    state = kind.initial(options, seats)
    events = kind.deal(options, Chance(sha256(seed.encode()).digest()), seats)
    for _ in range(30):
        for event in events:
            state = kind.evolve(state, event)
        if kind.result(state) is not None:
            return
        seat = lots.choice(kind.look(state, None).to_act)
        yield state, seat
        events = kind.decide(state, seat, lots.choice(kind.legal_commands(state, seat)))


def other_world(kind: AnyGameType, state: Any, seat: Seat, number: int) -> Any:
    """A world that this seat cannot tell apart, whose shuffles to come are others too."""
    other = kind.get(Resample).draw(state, seat, Chance(sha256(b"other %d" % number).digest()))
    return replace(other, chance=Chance(bytes(32))) if getattr(other, "chance", None) else other


@pytest.mark.parametrize(("key", "searched"), [*((key, False) for key in SEATS), *((key, True) for key in SEARCHED)])
def test_what_it_says_does_not_depend_on_what_is_hidden(key: str, searched: bool) -> None:
    kind, told_apart = GAME_TYPES[key], 0
    options = kind.get(OptionRules).settle(kind.options(), SEATS[key])
    for number, (state, seat) in enumerate(positions(kind, SEATS[key], f"{key} {searched}")):
        worlds = (state, other_world(kind, state, seat, number))
        budget = ROUNDS if searched else None
        choices = [choose_command(kind, options, world, seat, Random(number), budget) for world in worlds]
        assert choices[0] == choices[1], number
        told_apart += kind.look(worlds[0], ALL_SEEING) != kind.look(worlds[1], ALL_SEEING)
    assert told_apart or not kind.has(Resample)


@pytest.mark.parametrize("key", SEATS)
def test_the_world_that_is_sent_to_its_process_does_not_depend_on_what_is_hidden(key: str) -> None:
    kind = GAME_TYPES[key]
    for number, (state, seat) in enumerate(positions(kind, SEATS[key], key)):
        drawn = [
            kind.get(Resample).draw(world, seat, Chance(bytes(32)))
            for world in (state, other_world(kind, state, seat, number))
        ]
        assert drawn[0] == drawn[1], number


MOVES = {
    ("megiddo", 0): "3bdeb4a25305", ("spite_and_malice", 0): "45a3eace231b", ("screaming_yoda", 0): "6f15235def99",
    ("decs_building", 0): "c79180a6e6e2", ("megiddo", 3): "1f66bf732651", ("spite_and_malice", 3): "aed6f7eb60ac",
    ("screaming_yoda", 3): "ca522c4a1acc",
}  # fmt: skip


@pytest.mark.parametrize(("key", "rounds"), MOVES)
def test_a_bot_chooses_the_same_commands_as_before(key: str, rounds: int) -> None:
    kind, moves = GAME_TYPES[key], []
    options = kind.get(OptionRules).settle(kind.options(), kind.seats[0])
    for number, (state, seat) in enumerate(positions(kind, kind.seats[0], key)):
        budget = Budget(600, rounds) if rounds else None
        moves.append(choose_command(kind, options, state, seat, Random(number), budget))
    assert sha256(json.dumps(moves).encode()).hexdigest()[:12] == MOVES[key, rounds]
