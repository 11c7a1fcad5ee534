"""Options under the names that players know."""

import pytest

from domain.capabilities import OptionRules, Preset, Presets
from domain.chance import Chance
from domain.games import GAME_TYPES, AnyGameType

NAMED = [(found, preset) for found in GAME_TYPES.values() for preset in found.get(Presets).presets]


def test_all_six_rows_of_the_spite_and_malice_table_are_there() -> None:
    rows = {preset.name: (preset.kind, preset.row["stock"], preset.row["minimum_wild"]) for _, preset in NAMED}
    assert rows == {
        "SNM A": ("cards", 20, "K"), "SNM PZ": ("cards", 20, "joker"), "SNM PZ_NWIS": ("cards", 20, "joker"),
        "SNM A-SHORT": ("cards", 5, "K"), "MEGIDDO": ("board", 0, "A"), "MEGI 9": ("board", 0, "A"),
    }  # fmt: skip


@pytest.mark.parametrize(("found", "preset"), NAMED, ids=[preset.name for _, preset in NAMED])
def test_every_preset_can_be_dealt(found: AnyGameType, preset: Preset) -> None:
    seats = found.seats[0]
    options = found.get(OptionRules).settle(preset.options, seats)
    state = found.initial(options, seats)
    for event in found.deal(options, Chance(bytes(32)), seats):
        state = found.evolve(state, event)
    assert any(found.legal_commands(state, seat) for seat in range(seats))
