"""How a game of FreeCell ends, and when it is told as stuck, in both directions."""

import pytest

from domain.game_type import Result
from domain.games.freecell import FREECELL, Options

from .positions import FULL, PLAIN, after, legal, move, position, stuck

WITHOUT_UNDO = Options(undo=False)
BLOCKED = """
    0 9S
    1 9C
    2 7S
    3 7C
    4 5S
    5 5C
    6 3S
    7 {}
    home 2D
    cells {}
"""
"""Black odd cards everywhere: no column takes another's top card."""


def blocked(last="3C", cells="JS JC KS KC", options=PLAIN):
    return position(BLOCKED.format(last, cells), options)


def test_without_undo_a_game_in_which_no_card_can_move_is_lost():
    assert FREECELL.result(blocked(options=WITHOUT_UNDO)) == Result("lost", "no_moves", (), (2,))


def test_with_undo_it_stays_open_and_is_told_as_stuck():
    assert FREECELL.result(blocked()) is None
    assert stuck(blocked())
    assert FREECELL.legal_commands(blocked(), 0) == ()


@pytest.mark.parametrize(
    ("last", "cells", "why"),
    [
        ("3C", "JS JC KS", "a free cell"),
        ("", "JS JC KS KC", "an empty column"),
        ("3D", "JS JC KS KC", "a column's top goes home"),
        ("3C", "JS JC KS 3D", "a cell's card goes home"),
        ("8H", "JS JC KS KC", "a column takes another's top"),
        ("3C", "JS JC KS 8D", "a cell's card fits a column"),
    ],
)
def test_any_card_that_can_move_keeps_it_from_being_told(last, cells, why):
    state = blocked(last, cells, WITHOUT_UNDO)
    assert FREECELL.legal_commands(state, 0), why
    assert not stuck(state)
    assert FREECELL.result(state) is None


def test_a_card_that_can_come_back_from_a_foundation_keeps_it_from_being_told():
    assert not stuck(position(BLOCKED.format("3C", "JS JC KS KC"), Options(foundation_return=True)))


def test_a_card_alone_in_its_column_may_pointlessly_change_columns():
    assert legal(position("0 KS\n1 9H"), move("0 5"))


def test_the_last_move_into_the_last_cell_may_be_the_end():
    state = position("0 9S\n1 9C\n2 7S\n3 7C\n4 5S\n5 5C\n6 3S\n7 3C AS\nhome\ncells JS JC KS", WITHOUT_UNDO)
    assert FREECELL.result(state) is None
    home = after(state, move("7 S"))
    assert FREECELL.result(home) is None
    assert FREECELL.result(after(state, move("0 d"))) is None
    dead = position("0 9S 9D\n1 9C\n2 7S\n3 7C\n4 5S\n5 5C\n6 3S\n7 3C\ncells JS JC KS", WITHOUT_UNDO)
    assert FREECELL.result(after(dead, move("0 d"))) == Result("lost", "no_moves", (), (0,))


@pytest.mark.parametrize("options", [Options(), WITHOUT_UNDO])
def test_before_the_deal_nothing_is_lost_and_nothing_stuck(options):
    start = FREECELL.initial(options, 1)
    assert FREECELL.result(start) is None
    assert not stuck(start)
    assert FREECELL.legal_commands(start, 0) == ()


@pytest.mark.parametrize("options", [Options(), Options(foundation_return=True), WITHOUT_UNDO])
def test_a_won_game_is_won_and_not_stuck(options):
    won = position("home KS KH KD KC", options)
    assert FREECELL.result(won) == Result("won", "all_home", (0,), (52,))
    assert not stuck(won)


def test_full_cells_alone_do_not_end_a_game():
    assert not stuck(position("0 9S\n1 8H" + FULL))
