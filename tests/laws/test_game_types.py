"""What is true of a game type before a card is dealt: names, tags, descriptions, rules, defaults."""

import re
from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec import NODEFAULT, inspect

from domain.capabilities import OptionRules, Taps
from domain.chance import Chance, shuffle
from domain.game_type import Concealed, Illegal
from domain.games import AnyGameType
from domain.view import ALL_SEEING, View

from .options import fields_of
from .registry import FOUND, KEYS
from .tables import SLUG, faces

TAG = re.compile(r"[a-z][a-z0-9_]*/[a-z][a-z0-9]*(_[a-z0-9]+)*")

pytestmark = pytest.mark.parametrize("key", KEYS)


def test_key_name_and_rules_are_there(key: str) -> None:
    game_type = FOUND[key]
    assert game_type.key == key
    assert SLUG.fullmatch(key)
    assert game_type.name
    assert game_type.revision >= 1
    assert len(game_type.rules.split()) > 10


def test_every_option_has_a_name_a_description_and_a_default(key: str) -> None:
    for field in fields_of(FOUND[key].options):
        assert SLUG.fullmatch(field.name), field.name
        assert isinstance(field.type, inspect.Metadata), f"{field.name} has no description"
        assert (field.type.extra_json_schema or {}).get("description"), f"{field.name} has no description"
        assert field.default is not NODEFAULT or field.default_factory is not NODEFAULT, field.name


def test_the_default_options_can_be_dealt_for_every_number_of_seats(key: str) -> None:
    game_type = FOUND[key]
    for seats in game_type.seats:
        options = game_type.get(OptionRules).settle(game_type.options(), seats)
        assert game_type.get(OptionRules).settle(options, seats) == options
        assert game_type.deal(options, Chance(bytes(32)), seats)


def test_commands_events_and_facts_are_tagged_by_the_game_type(key: str) -> None:
    game_type = FOUND[key]
    tags = [kind.__struct_config__.tag for kind in (*game_type.commands, *game_type.events, game_type.facts)]
    assert len(set(tags)) == len(tags)
    for tag in tags:
        assert isinstance(tag, str)
        assert TAG.fullmatch(tag)
        assert tag.startswith(f"{key}/")


def test_a_material_has_a_tag_descriptions_and_ids_of_its_own(key: str) -> None:
    material = FOUND[key].material
    assert type(material).__struct_config__.tag == f"{key}/material"
    schema = msgspec.json.schema(type(material))
    for name, struct in schema["$defs"].items():
        for field, told in struct["properties"].items():
            assert field == "type" or "description" in told, f"{name}.{field} has no description"
    for field in type(material).__struct_fields__:
        ids = [part.id for part in _listed(getattr(material, field))]
        assert len(set(ids)) == len(ids), field
    assert msgspec.convert(msgspec.to_builtins(material), type(material)) == material


def _listed(value: Any) -> list[Any]:
    return [part for part in value if hasattr(part, "id")] if isinstance(value, tuple) else []


def test_options_and_commands_refuse_unknown_fields(key: str) -> None:
    for kind in (FOUND[key].options, *FOUND[key].commands):
        assert kind.__struct_config__.forbid_unknown_fields, kind


def test_states_are_frozen_concealed_and_described_by_a_schema(key: str) -> None:
    game_type = FOUND[key]
    assert issubclass(game_type.state, Concealed)
    assert not game_type.state.__struct_config__.gc, "collections would walk every state of every game in memory"
    for kind in (game_type.options, game_type.state, game_type.facts, *game_type.commands, *game_type.events):
        assert kind.__struct_config__.frozen, kind
        msgspec.json.schema(kind)


def opening(game_type: AnyGameType, chance: Chance) -> View[Any]:
    """The table after the deal, every card face up."""
    seats = game_type.seats[0]
    options = game_type.get(OptionRules).settle(game_type.options(), seats)
    state = game_type.initial(options, seats)
    for event in game_type.deal(options, chance, seats):
        state = game_type.evolve(state, event)
    view: View[Any] = game_type.look(state, ALL_SEEING)
    return view


def test_a_given_deal_is_dealt_whatever_the_seed(key: str) -> None:
    """Save where the rules themselves deal again: of eight orders, most."""
    pack = tuple(sorted(faces(opening(FOUND[key], Chance(bytes(32)))).elements()))
    orders = [shuffle(pack, bytes(32), number) for number in range(8)]
    tables = [[opening(FOUND[key], Chance(bytes([seed]) * 32, given=order)) for seed in (1, 2)] for order in orders]
    assert sum(one.zones == other.zones for one, other in tables) >= 5
    assert all(faces(view) == Counter(pack) for pair in tables for view in pair)


def test_a_given_deal_that_is_not_the_pack_is_refused(key: str) -> None:
    pack = tuple(faces(opening(FOUND[key], Chance(bytes(32)))).elements())
    for wrong in (pack[1:], (*pack[1:], pack[-1]), (*pack, pack[0]), ()):
        with pytest.raises(Illegal):
            opening(FOUND[key], Chance(bytes(32), given=wrong))


def test_a_tap_is_at_a_zone_and_says_a_command_that_names_none(key: str) -> None:
    game_type = FOUND[key]
    view = opening(game_type, Chance(bytes(32)))
    zones = {zone.id for zone in view.zones}
    commands = {str(kind.__struct_config__.tag): kind for kind in game_type.commands}
    for tag, zone in game_type.get(Taps).zones.items():
        assert getattr(view.facts, zone, zone) in zones
        assert not {"source", "target", "card", "cards"} & set(commands[tag].__struct_fields__)
