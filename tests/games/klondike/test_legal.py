"""The listed commands against every command that can be said, along random games."""

from itertools import pairwise, product
from random import Random
from typing import get_args

import msgspec
import pytest

from domain.chance import Chance
from domain.games.klondike import ACCEPTS, KLONDIKE, TABLEAU, Draw, Move, Recycle, Tableau
from domain.games.klondike import Options2 as Options
from domain.games.klondike import State2 as State
from domain.kit.cards import PACK
from domain.kit.patience import FOUNDATIONS, Foundation
from domain.kit.talon import WASTE

from .positions import rule_against

SOURCES, TARGETS = (WASTE, *FOUNDATIONS, *TABLEAU), (*FOUNDATIONS, *TABLEAU)
EVERYTHING = [Draw(), Recycle(), *(Move(*said) for said in product(SOURCES, TARGETS, range(1, 14)))]
VARIANTS = [
    Options(),
    Options(draw=3, passes=3),
    Options(passes=1, whole_run_only=True, foundation_return=False, undo=False),
    Options(draw=3, passes=2, end_on_last_pass=True),
    Options(passes=2, end_on_last_pass=True, undo=False),
]


def walk(options, seed, steps):
    """The positions of a random game that prefers to bring cards home, and the events between them."""
    choose, state = Random(seed), KLONDIKE.initial(options, 1)
    pending = KLONDIKE.deal(options, Chance(seed.to_bytes(32, "big")), 1)
    for _ in range(steps):
        for event in pending:
            state = KLONDIKE.evolve(state, event)
        yield state
        listed = KLONDIKE.legal_commands(state, 0)
        if not listed:
            return
        home = [command for command in listed if isinstance(command, Move) and command.target in FOUNDATIONS]
        pending = KLONDIKE.decide(state, 0, choose.choice(home or listed))


@pytest.mark.parametrize("options", VARIANTS)
def test_exactly_the_listed_commands_are_legal(options):
    for state in walk(options, 11, 60):
        listed = KLONDIKE.legal_commands(state, 0)
        assert len(set(listed)) == len(listed)
        if KLONDIKE.result(state) is None:
            assert {said for said in EVERYTHING if rule_against(state, said) is None} == set(listed)


def test_every_zone_that_cards_can_leave_or_reach_is_tried():
    assert set(SOURCES) == {WASTE, *get_args(Foundation), *get_args(Tableau)}


@pytest.mark.parametrize("options", VARIANTS)
def test_no_card_is_lost_or_doubled(options):
    for seed in range(5):
        for state in walk(options, seed, 150):
            home = [PACK[13 * suit + rank] for suit, count in enumerate(state.foundations) for rank in range(count)]
            cards = [*state.stock, *state.waste, *home, *(card for column in state.columns for card in column)]
            assert sorted(cards) == sorted(PACK)


@pytest.mark.parametrize("options", VARIANTS)
def test_every_column_ends_in_a_run_that_is_face_up(options):
    for state in walk(options, 3, 150):
        piles = zip(state.columns, state.face_down, strict=True)
        runs = [column[down:] for column, down in piles if column]
        assert all(runs)
        assert all(below in ACCEPTS[above] for run in runs for above, below in pairwise(run))


@pytest.mark.parametrize("code", [msgspec.json, msgspec.msgpack])
def test_positions_and_commands_survive_storage(code):
    for state in walk(VARIANTS[1], 5, 80):
        assert code.decode(code.encode(state), type=State) == state
        for command in KLONDIKE.legal_commands(state, 0):
            assert code.decode(code.encode(command), type=Draw | Recycle | Move) == command


def test_a_move_of_one_card_is_stored_without_its_count():
    assert msgspec.json.encode(Move("waste", "tableau_3")) == (
        b'{"type":"klondike/move","source":"waste","target":"tableau_3"}'
    )


@pytest.mark.parametrize(
    "said",
    [
        {"type": "klondike/move", "source": "stock", "target": "tableau_0"},
        {"type": "klondike/move", "source": "waste", "target": "waste"},
        {"type": "klondike/move", "source": "waste", "target": "tableau_0", "count": 0},
        {"type": "klondike/draw", "count": 2},
    ],
)
def test_what_is_no_command_cannot_be_read(said):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(said, Draw | Recycle | Move)
