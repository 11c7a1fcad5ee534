"""When a game of Pyramid is told as stuck, in both directions, and against playing everything that can be played."""

from random import Random

import pytest

from domain.chance import Chance
from domain.games.pyramid import PYRAMID, Draw
from domain.games.pyramid import Options2 as Options

from .positions import MICROSOFT, after, legal, position, stuck

TOPS = "2S\n4S 8S\n"
"""Available: a four and an eight; nines and fives would help."""


@pytest.mark.parametrize("useful", ["9H", "5H"])
def test_a_partner_anywhere_in_stock_or_waste_keeps_it_from_being_told(useful):
    assert not stuck(position(f"{TOPS}stock {useful} 3C"))
    assert not stuck(position(f"{TOPS}waste {useful} 3C"))
    assert stuck(position(f"{TOPS}waste TH 3C"))


def test_a_pair_or_a_king_in_the_pyramid_keeps_it_from_being_told():
    assert not stuck(position("2S\n4S 9S\nstock TH"))
    assert not stuck(position("2S\n4S KS\nstock TH"))


def test_in_the_last_pass_a_card_under_the_waste_is_out_of_reach():
    last = Options(passes=1)
    assert stuck(position(f"{TOPS}waste 9H 3C\nstock TH", last))
    assert not stuck(position(f"{TOPS}waste 3C 9H\nstock TH", last))
    assert not stuck(position(f"{TOPS}waste 9H 3C\nstock TH", Options(passes=2)))
    assert not stuck(position(f"{TOPS}waste 3C\nstock 9H TH", last))


def test_in_the_last_pass_kings_on_the_waste_do_not_bury_what_lies_under_them():
    last = Options(passes=1)
    assert not stuck(position(f"{TOPS}waste 9H KD KC\nstock TH", last))
    assert stuck(position(f"{TOPS}waste 9H 3C KC\nstock TH", last))


def test_with_an_open_stock_a_pair_of_stock_and_waste_may_uncover_a_partner():
    last = Options(passes=1, stock_top=True)
    assert not stuck(position(f"{TOPS}waste 9H 3C\nstock TH", last))
    assert stuck(position(f"{TOPS}waste 9H 3C\nstock JH", last))


def test_where_all_must_go_a_king_in_reach_keeps_it_from_being_told():
    assert stuck(position(f"{TOPS}waste KD 3C"))
    assert not stuck(position(f"{TOPS}waste KD 3C", Options(clear_all=True)))
    assert stuck(position(f"{TOPS}waste 3C", Options(clear_all=True)))
    assert not stuck(position(f"{TOPS}waste 3C\nstock TC", Options(clear_all=True, stock_top=True)))


@pytest.mark.parametrize("options", [Options(waste_pairs=True), Options(draw=3)])
def test_with_waste_pairs_or_three_drawn_it_is_told_only_where_nothing_is_legal(options):
    state = position(f"{TOPS}stock TH 3C", options)
    assert legal(state, Draw())
    assert not stuck(state)
    assert stuck(position(TOPS, options))


def test_a_won_game_is_not_stuck():
    assert not stuck(position("stock 2S"))


def frees_something(state):
    """Whether any line of play, however long, removes a card of the pyramid."""
    seen, waiting = set(), [state]
    while waiting:
        one = waiting.pop()
        for command in PYRAMID.legal_commands(one, 0):
            then = after(one, command)
            if then.pyramid != state.pyramid:
                return True
            key = (then.stock, then.waste, then.just_drawn, then.options.passes and then.recycles)
            if key not in seen:
                seen.add(key)
                waiting.append(then)
    return False


def positions(options, seed):
    """Positions of a random game that removes what it can, from the draws in its second half."""
    choose, state = Random(seed), PYRAMID.initial(options, 1)
    for event in PYRAMID.deal(options, Chance(seed.to_bytes(32, "big")), 1):
        state = PYRAMID.evolve(state, event)
    for number in range(60):
        listed = PYRAMID.legal_commands(state, 0)
        if not listed:
            return
        removals = [command for command in listed if hasattr(command, "target")]
        state = after(state, choose.choice(removals if removals and choose.random() < 0.9 else listed))
        if number > 30:
            yield state


@pytest.mark.parametrize("options", [Options(), Options(passes=2), Options(tuts_tomb_pairing=True), Options(passes=1)])
def test_stuck_is_told_exactly_where_no_line_of_play_removes_a_card_of_the_pyramid(options):
    answers = set()
    for seed in range(12):
        for state in positions(options, seed):
            if PYRAMID.result(state) is None:
                answers.add(stuck(state))
                assert stuck(state) is not frees_something(state)
    assert answers == {True, False}


@pytest.mark.parametrize("options", [MICROSOFT, Options(passes=1, stock_top=True), Options(passes=2, waste_pairs=True)])
def test_stuck_is_never_told_where_a_line_of_play_removes_a_card_of_the_pyramid(options):
    told = 0
    for seed in range(8):
        for state in positions(options, seed):
            if stuck(state) and PYRAMID.result(state) is None:
                told += 1
                assert not frees_something(state)
    assert told
