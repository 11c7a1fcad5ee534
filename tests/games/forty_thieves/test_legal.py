"""The listed commands against every command that can be said, along random games."""

from collections import Counter
from itertools import product
from random import Random

import msgspec
import pytest

from domain.capabilities import Spelling
from domain.chance import Chance
from domain.games.forty_thieves import CARDS, FORTY_THIEVES, FOUNDATIONS, TABLEAU, Draw, Move, Options, Recycle, State
from domain.kit.patience import home_cards

from .positions import position, rule_against

EVERYTHING = [
    Draw(),
    Recycle(),
    *(Move(*said) for said in product(("waste", *TABLEAU), (*FOUNDATIONS, *TABLEAU), range(1, 5))),
]
VARIANTS = [
    Options(),
    Options(build="alternating"),
    Options(runs=True, passes=2),
    Options(build="alternating", runs=True, passes=None, undo=False),
]


def walk(options, seed, steps):
    """The positions of a random game that would rather move than draw."""
    choose, state = Random(seed), FORTY_THIEVES.initial(options, 1)
    pending = FORTY_THIEVES.deal(options, Chance(seed.to_bytes(32, "big")), 1)
    for _ in range(steps):
        for event in pending:
            state = FORTY_THIEVES.evolve(state, event)
        yield state
        listed = FORTY_THIEVES.legal_commands(state, 0)
        if not listed:
            return
        weights = [8 if "foundation" in getattr(command, "target", "") else 1 for command in listed]
        pending = FORTY_THIEVES.decide(state, 0, choose.choices(listed, weights)[0])


def accepted(state):
    """What is accepted of everything that can be said, as it is listed."""
    spelt = FORTY_THIEVES.get(Spelling).canonical
    return {spelt(state, 0, said) for said in EVERYTHING if rule_against(state, said) is None}


@pytest.mark.parametrize("options", VARIANTS)
def test_exactly_the_listed_commands_are_legal(options):
    for state in walk(options, 11, 90):
        listed = FORTY_THIEVES.legal_commands(state, 0)
        assert len(set(listed)) == len(listed)
        assert {said for said in listed if getattr(said, "count", 1) < 5} == accepted(state)


@pytest.mark.parametrize("options", VARIANTS)
def test_exactly_the_listed_commands_are_legal_where_columns_are_empty_and_runs_long(options):
    state = position("home 6S 6S 6H AH\n0 9H 8H 7H\n1 9C 8H 7S\n2 TH\n3 2H\n4 7S\n5 TH\nwaste 8S", options)
    assert set(FORTY_THIEVES.legal_commands(state, 0)) == accepted(state)


@pytest.mark.parametrize("options", VARIANTS)
def test_no_card_is_lost_or_doubled(options):
    for seed in range(3):
        for state in walk(options, seed, 150):
            home = [card for place, count in enumerate(state.foundations) for card in home_cards(place // 2, count)]
            cards = [*state.stock, *state.waste, *home, *(card for column in state.columns for card in column)]
            assert Counter(cards) == Counter(CARDS)


@pytest.mark.parametrize("code", [msgspec.json, msgspec.msgpack])
def test_positions_and_commands_survive_storage(code):
    for state in walk(VARIANTS[2], 5, 80):
        assert code.decode(code.encode(state), type=State) == state
        for command in FORTY_THIEVES.legal_commands(state, 0):
            assert code.decode(code.encode(command), type=Draw | Recycle | Move) == command


def test_a_move_of_one_card_is_stored_without_its_count():
    assert msgspec.json.encode(Move("tableau_0", "foundation_clubs_1")) == (
        b'{"type":"forty_thieves/move","source":"tableau_0","target":"foundation_clubs_1"}'
    )


@pytest.mark.parametrize("said", [{"source": "stock"}, {"source": "foundation_clubs_1"}, {"target": "waste"}])
def test_what_is_no_command_cannot_be_read(said):
    whole = {"type": "forty_thieves/move", "source": "tableau_0", "target": "tableau_1"}
    assert msgspec.convert(whole, Draw | Recycle | Move) == Move("tableau_0", "tableau_1")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**whole, **said}, Draw | Recycle | Move)
