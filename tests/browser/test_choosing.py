"""Every legal command of every game type can be said by touching what lights up, one place after the other."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.games import GAME_TYPES, AnyGameType

from .client import ask_modules

STEPS, MOST = 30, 250
_SAYABLE = """({ choiceOf, complete, lit, optionsOf, touch }, positions) => {
    const way = (option, options) => {
        let choice = choiceOf(options);
        for (const slot of option.slots) {
            const key = slot.places.find((place) => lit(choice).has(place) && !choice.touched.includes(place));
            choice = key === undefined ? null : touch(choice, key);
            if (choice === null) return `${JSON.stringify(option.command)}: ${JSON.stringify(slot)} is dark`;
        }
        const same = complete(choice).filter(({ values }) => JSON.stringify(values) === JSON.stringify(option.values));
        return same.includes(option) ? null : `${JSON.stringify(option.command)}: says ${JSON.stringify(same)}`;
    };
    return positions.flatMap(({ commands, zones, seat }) => {
        const options = optionsOf(commands, zones, seat);
        return options.map((option) => way(option, options)).filter((wrong) => wrong !== null);
    });
}"""

_SLOTS = """({ optionsOf }, positions) =>
    positions.map(({ commands, zones, seat }) => optionsOf(commands, zones, seat).map(({ slots }) => slots))"""


@pytest.mark.parametrize("key", sorted(GAME_TYPES))
def test_every_legal_command_can_be_touched_and_said(key: str) -> None:
    positions = list(_positions(GAME_TYPES[key], Random(key)))
    assert positions
    assert ask_modules(_SAYABLE, json.dumps(positions)) == []


def test_a_run_is_touched_at_its_lowest_card_and_a_target_anywhere_at_its_end() -> None:
    positions = list(_positions(GAME_TYPES["spider"], Random("runs")))
    runs = 0
    for position, options in zip(positions, ask_modules(_SLOTS, json.dumps(positions)), strict=True):
        sizes = {zone["id"]: zone.get("face_down", 0) + len(zone.get("cards", ())) for zone in position["zones"]}
        for command, slots in zip(position["commands"], options, strict=True):
            if command["type"] == "spider/move":
                source, target, count = command["source"], command["target"], command.get("count", 1)
                last = [f"{target}/{sizes[target] - 1}"] if sizes[target] else []
                places = [[f"{source}/{sizes[source] - count}"], [f"{target}/", *last]]
                assert [slot["places"] for slot in slots] == places
                runs += count > 1
    assert runs


def _positions(game_type: AnyGameType, rng: Random) -> Iterator[dict[str, Any]]:
    """What one seat after another sees and may say along a game by lot; of many commands some."""
    seats = game_type.seats[0]
    state = _dealt(game_type, seats)
    for _ in range(STEPS):
        legal = [(seat, command) for seat in range(seats) for command in game_type.legal_commands(state, seat)]
        if not legal:
            return
        seat, command = rng.choice(legal)
        listed = [command for other, command in legal if other == seat]
        view = game_type.look(state, seat)
        commands = listed if len(listed) <= MOST else rng.sample(listed, MOST)
        yield msgspec.to_builtins({"commands": commands, "zones": view.zones, "seat": seat})
        for event in game_type.decide(state, seat, command):
            state = game_type.evolve(state, event)


def _dealt(game_type: AnyGameType, seats: int) -> Any:
    options = game_type.get(OptionRules).settle(game_type.options(), seats)
    state = game_type.initial(options, seats)
    for event in game_type.deal(options, Chance(bytes(range(32))), seats):
        state = game_type.evolve(state, event)
    return state
