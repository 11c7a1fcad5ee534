"""How many positions can be reached, every command that can be said, and a whole published game."""

from itertools import product
from random import Random
from typing import get_args

import pytest

from domain.capabilities import Spelling
from domain.games.pyramid import PYRAMID, Draw, Recycle, Remove
from domain.games.pyramid import Options2 as Options
from domain.kit.patience import DISCARD, STOCK, Discard, Stock
from domain.kit.pyramids import PLACES, Place
from domain.kit.talon import WASTE, Waste

from .positions import MICROSOFT, PLAIN, SOLVED, after, dealt, rule_against

SHORTEST = """
    D 22+S 23+S D D 27+S 26 25 D D 19+S 20+21 D D D D D D D 24+S 18+S D W+S 15+S 14+16 W+S 13+S 9+17 11 12+W W+S R
    D 7+S D 10+S 6+S 3+8 5 4+S 2+W W+S D 1+S 0+W
"""
"""Printed beside that deal: places by number, S the stock, W the waste, D draws, R turns the waste over."""


def reached(state, depth):
    """The numbers of different positions after 1, 2, ... commands; right after a draw is a position of its own."""
    layer = {_key(state): state}
    for _ in range(depth):
        nexts = [after(one, command) for one in layer.values() for command in PYRAMID.legal_commands(one, 0)]
        layer = {_key(one): one for one in nexts}
        yield len(layer)


def _key(state):
    return state.pyramid, state.stock, state.waste, state.just_drawn


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        (PLAIN, [3, 6, 8, 10, 12, 16, 22, 32, 53, 92]),
        (Options(waste_pairs=True), [3, 6, 8, 10, 12, 17, 24, 37, 62, 106]),
        (Options(tuts_tomb_pairing=True), [3, 8, 13, 18, 23, 30, 44, 67, 104, 168]),
        (MICROSOFT, [4, 9, 13, 19, 33, 60, 126, 255, 448, 687]),
    ],
)
def test_the_positions_within_ten_commands_of_a_published_deal_are_counted(options, counts):
    assert list(reached(dealt(options=options), 10)) == counts


def test_a_published_shortest_solution_wins_by_microsofts_rules():
    commands = [_said(word) for word in SHORTEST.split()]
    assert len(commands) == 45
    assert PYRAMID.result(after(dealt(SOLVED, MICROSOFT), *commands)).ending == "won"


def _said(word):
    if word in ("D", "R"):
        return Draw() if word == "D" else Recycle()
    zones = [{"S": STOCK, "W": WASTE}.get(part) or PLACES[int(part)] for part in word.split("+")]
    return Remove(*zones) if len(zones) == 2 else Remove(zones[0], DISCARD)


SOURCES = (*PLACES, STOCK, WASTE)
EVERYTHING = [Draw(), Recycle(), *(Remove(*said) for said in product(SOURCES, (*SOURCES, DISCARD)))]
VARIANTS = [
    PLAIN,
    MICROSOFT,
    Options(draw=3, waste_pairs=True, tuts_tomb_pairing=True),
    Options(clear_all=True, stock_top=True, waste_pairs=True, draw_only_when_stuck=True),
]


def test_every_zone_that_can_be_named_is_tried():
    assert {*SOURCES, DISCARD} == {zone for kind in (Place, Stock, Waste, Discard) for zone in get_args(kind)}


@pytest.mark.parametrize("options", VARIANTS)
def test_exactly_the_listed_commands_are_legal_each_pair_in_both_spellings(options):
    choose, state = Random(5), dealt(options=options)
    for _ in range(60):
        listed = PYRAMID.legal_commands(state, 0)
        assert len(set(listed)) == len(listed)
        accepted = {said for said in EVERYTHING if rule_against(state, said) is None}
        assert {PYRAMID.get(Spelling).canonical(state, 0, said) for said in accepted} == set(listed)
        pairs = [one for one in listed if isinstance(one, Remove) and one.target not in (DISCARD, one.source)]
        assert all(Remove(pair.target, pair.source) in accepted for pair in pairs)
        if not listed:
            break
        state = after(state, choose.choice(listed))
