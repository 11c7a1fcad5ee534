"""The commands of bots in whole games, as they were when they were measured (`tests/benchmarks/HOUSE.md`)."""

import json
from hashlib import sha256
from random import Random

import pytest

from domain.capabilities import OptionRules
from domain.games import GAME_TYPES
from service.house.engine import Budget, choose_command

from .test_honesty import positions

MOVES = {
    ("megiddo", 0): "3bdeb4a25305",
    ("spite_and_malice", 0): "45a3eace231b",
    ("screaming_yoda", 0): "6f15235def99",
    ("decs_building", 0): "c79180a6e6e2",
    ("megiddo", 3): "1f66bf732651",
    ("spite_and_malice", 3): "aed6f7eb60ac",
    ("screaming_yoda", 3): "ca522c4a1acc",
}


@pytest.mark.parametrize(("key", "rounds"), MOVES)
def test_a_bot_chooses_the_same_commands_as_before(key: str, rounds: int) -> None:
    found, moves = GAME_TYPES[key], []
    options = found.get(OptionRules).settle(found.options(), found.seats[0])
    for number, (state, seat) in enumerate(positions(found, found.seats[0], key)):
        budget = Budget(600, rounds) if rounds else None
        moves.append(choose_command(found, options, state, seat, Random(number), budget))
    assert sha256(json.dumps(moves).encode()).hexdigest()[:12] == MOVES[key, rounds]
