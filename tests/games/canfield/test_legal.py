"""The listed commands against every command that can be said, along random games."""

from itertools import pairwise, product
from random import Random
from typing import get_args

import msgspec
import pytest

from domain.chance import Chance
from domain.games.canfield import ACCEPTS, CANFIELD, RESERVE, TABLEAU, Draw, Move, Recycle, Tableau
from domain.games.canfield import Options2 as Options
from domain.games.canfield import State2 as State
from domain.kit.cards import PACK
from domain.kit.patience import FOUNDATIONS, Foundation, home_cards
from domain.kit.talon import WASTE

from .positions import rule_against

SOURCES, TARGETS = (RESERVE, WASTE, *FOUNDATIONS, *TABLEAU), (*FOUNDATIONS, *TABLEAU)
EVERYTHING = [Draw(), Recycle(), *(Move(*said) for said in product(SOURCES, TARGETS, range(1, 15)))]
VARIANTS = [
    Options(),
    Options(draw=3, passes=3),
    Options(passes=1, foundation_return=True, undo=False),
    Options(whole_column_only=True),
    Options(draw=3, whole_column_only=True, foundation_return=True),
]


def walk(options, seed, steps):
    """The positions of a random game that prefers the reserve, then to bring cards home, and any move to drawing."""
    choose, state = Random(seed), CANFIELD.initial(options, 1)
    pending = CANFIELD.deal(options, Chance(seed.to_bytes(32, "big")), 1)
    for _ in range(steps):
        for event in pending:
            state = CANFIELD.evolve(state, event)
        yield state
        listed = CANFIELD.legal_commands(state, 0)
        if not listed:
            return
        pending = CANFIELD.decide(state, 0, choose.choices(listed, [_liked(command) for command in listed])[0])


def _liked(command):
    if not isinstance(command, Move):
        return 2
    return 20 if command.source == RESERVE else 15 if command.target in FOUNDATIONS else 4


@pytest.mark.parametrize("options", VARIANTS)
def test_exactly_the_listed_commands_are_legal(options):
    for seed in (11, 12):
        for state in walk(options, seed, 120):
            listed = CANFIELD.legal_commands(state, 0)
            assert len(set(listed)) == len(listed)
            if CANFIELD.result(state) is None:
                assert {said for said in EVERYTHING if rule_against(state, said) is None} == set(listed)


def test_the_random_games_come_to_spaces_that_nothing_fills():
    states = [state for seed in range(5) for state in walk(Options(), seed, 400)]
    assert any(not state.reserve and not all(state.columns) for state in states)


def test_every_zone_that_cards_can_leave_or_reach_is_tried():
    assert set(SOURCES) == {RESERVE, WASTE, *get_args(Foundation), *get_args(Tableau)}


@pytest.mark.parametrize("options", VARIANTS)
def test_no_card_is_lost_or_doubled(options):
    for seed in range(5):
        for state in walk(options, seed, 150):
            homes = [home_cards(suit, count, state.base) for suit, count in enumerate(state.foundations)]
            home = [card for cards in homes for card in cards]
            piles = (state.stock, state.waste, state.reserve, home, *state.columns)
            assert sorted(card for pile in piles for card in pile) == sorted(PACK)


@pytest.mark.parametrize("options", VARIANTS)
def test_columns_are_runs_and_no_column_is_empty_while_the_reserve_has_cards(options):
    for state in walk(options, 3, 150):
        assert all(below in ACCEPTS[above] for run in state.columns for above, below in pairwise(run))
        assert all(state.columns) or not state.reserve
        assert state.covered == max(len(state.reserve) - 1, 0)


@pytest.mark.parametrize("code", [msgspec.json, msgspec.msgpack])
def test_positions_and_commands_survive_storage(code):
    for state in walk(VARIANTS[1], 5, 80):
        assert code.decode(code.encode(state), type=State) == state
        for command in CANFIELD.legal_commands(state, 0):
            assert code.decode(code.encode(command), type=Draw | Recycle | Move) == command


def test_a_move_of_one_card_is_stored_without_its_count():
    assert msgspec.json.encode(Move("reserve", "tableau_3")) == (
        b'{"type":"canfield/move","source":"reserve","target":"tableau_3"}'
    )


@pytest.mark.parametrize(
    "said",
    [
        {"type": "canfield/move", "source": "stock", "target": "tableau_0"},
        {"type": "canfield/move", "source": "waste", "target": "reserve"},
        {"type": "canfield/move", "source": "waste", "target": "tableau_4"},
        {"type": "canfield/move", "source": "waste", "target": "tableau_0", "count": 0},
        {"type": "canfield/draw", "count": 2},
    ],
)
def test_what_is_no_command_cannot_be_read(said):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(said, Draw | Recycle | Move)
