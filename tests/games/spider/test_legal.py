"""The listed commands against every command that can be said, along random games."""

from collections import Counter
from itertools import product
from random import Random

import msgspec
import pytest

from domain.chance import Chance
from domain.games.spider import FOUNDATIONS, PACKS, SPIDER, TABLEAU, Deal, Move, Options, RemoveSuit, State

from .positions import position, rule_against

EVERYTHING = [
    Deal(),
    *(RemoveSuit(*said) for said in product(TABLEAU, FOUNDATIONS)),
    *(Move(*said) for said in product(TABLEAU, TABLEAU, range(1, 14))),
]
VARIANTS = [
    Options(),
    Options(suits=1, manual_removal=True),
    Options(suits=2, extra_columns="1_4_7_10", undo=False),
    Options(suits=1, deal_with_spaces=True),
]


def walk(options, seed, steps):
    """The positions of a random game that prefers to move long runs."""
    choose, state = Random(seed), SPIDER.initial(options, 1)
    pending = SPIDER.deal(options, Chance(seed.to_bytes(32, "big")), 1)
    for _ in range(steps):
        for event in pending:
            state = SPIDER.evolve(state, event)
        yield state
        listed = SPIDER.legal_commands(state, 0)
        if not listed:
            return
        weights = [3 * getattr(command, "count", 1) for command in listed]
        pending = SPIDER.decide(state, 0, choose.choices(listed, weights)[0])


@pytest.mark.parametrize("options", VARIANTS)
def test_exactly_the_listed_commands_are_legal(options):
    for state in walk(options, 11, 60):
        listed = SPIDER.legal_commands(state, 0)
        assert len(set(listed)) == len(listed)
        if SPIDER.result(state) is None:
            assert {said for said in EVERYTHING if rule_against(state, said) is None} == set(listed)


@pytest.mark.parametrize("options", [Options(), Options(manual_removal=True)])
def test_exactly_the_listed_commands_are_legal_where_runs_are_finished_and_columns_empty(options):
    state = position("0 # KH..AH\n1 KC..AC\n2 # 9D 8D 7C\n3 TS\nfinished S", options)
    listed = SPIDER.legal_commands(state, 0)
    assert {said for said in EVERYTHING if rule_against(state, said) is None} == set(listed)


@pytest.mark.parametrize("options", VARIANTS)
def test_no_card_is_lost_or_doubled(options):
    for seed in range(5):
        for state in walk(options, seed, 150):
            home = [rank + suit for suit in state.finished for rank in "A23456789TJQK"]
            cards = [*state.stock, *home, *(card for column in state.columns for card in column)]
            assert Counter(cards) == Counter(PACKS[options.suits])


@pytest.mark.parametrize("options", VARIANTS)
def test_every_column_ends_in_a_card_that_is_face_up(options):
    for state in walk(options, 3, 150):
        assert all(
            len(column) > down or not column for column, down in zip(state.columns, state.face_down, strict=True)
        )


@pytest.mark.parametrize("code", [msgspec.json, msgspec.msgpack])
def test_positions_and_commands_survive_storage(code):
    for state in walk(VARIANTS[1], 5, 80):
        assert code.decode(code.encode(state), type=State) == state
        for command in SPIDER.legal_commands(state, 0):
            assert code.decode(code.encode(command), type=Move | RemoveSuit | Deal) == command


def test_a_move_of_one_card_is_stored_without_its_count():
    assert msgspec.json.encode(Move("tableau_0", "tableau_3")) == (
        b'{"type":"spider/move","source":"tableau_0","target":"tableau_3"}'
    )


@pytest.mark.parametrize(
    "said",
    [
        {"type": "spider/move", "source": "stock", "target": "tableau_0"},
        {"type": "spider/move", "source": "tableau_0", "target": "foundation_0"},
        {"type": "spider/move", "source": "tableau_0", "target": "tableau_1", "count": 14},
        {"type": "spider/remove_suit", "source": "tableau_10", "target": "foundation_0"},
        {"type": "spider/deal", "count": 2},
    ],
)
def test_what_is_no_command_cannot_be_read(said):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(said, Move | RemoveSuit | Deal)
