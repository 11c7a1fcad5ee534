"""How a game of Seahaven Towers ends, and when it is told as stuck, in both directions."""

import pytest

from domain.game_type import Result
from domain.games.seahaven_towers import SEAHAVEN_TOWERS, Options

from .positions import PLAIN, after, legal, move, position, stuck

WITHOUT_UNDO = Options(undo=False)
BLOCKED = """
    0 9S
    1 9C
    2 7S
    3 7C
    4 5S
    5 5C
    6 3S
    7 3C
    8 JS
    9 {}
    home 2D
    towers {}
"""
"""Black odd cards everywhere: no column takes another's top card."""


def blocked(last="JC", towers="9H 7H 5H 3H", options=PLAIN):
    return position(BLOCKED.format(last, towers), options)


def test_without_undo_a_game_in_which_no_card_can_move_is_lost():
    assert SEAHAVEN_TOWERS.result(blocked(options=WITHOUT_UNDO)) == Result("lost", "no_moves", (), (2,))


def test_with_undo_it_stays_open_and_is_told_as_stuck():
    assert SEAHAVEN_TOWERS.result(blocked()) is None
    assert stuck(blocked())
    assert SEAHAVEN_TOWERS.legal_commands(blocked(), 0) == ()


@pytest.mark.parametrize(
    ("last", "towers", "options", "why"),
    [
        ("JC", "9H 7H 5H", WITHOUT_UNDO, "a free tower"),
        ("", "9H 7H 5H KH", WITHOUT_UNDO, "a king for the empty column"),
        ("JC KC", "9H 7H 5H 3D", WITHOUT_UNDO, "a tower's card goes home"),
        ("3D", "9H 7H 5H 3H", WITHOUT_UNDO, "a column's top goes home"),
        ("TS", "9H 7H 5H 3H", WITHOUT_UNDO, "a column takes another's top"),
        ("JC", "9H 7H 5H 8C", WITHOUT_UNDO, "a tower's card fits a column"),
        ("", "9H 7H 5H 3H", Options(any_card=True, undo=False), "an empty column for any card"),
    ],
)
def test_any_card_that_can_move_keeps_it_from_being_told(last, towers, options, why):
    state = blocked(last, towers, options)
    assert SEAHAVEN_TOWERS.legal_commands(state, 0), why
    assert not stuck(state)
    assert SEAHAVEN_TOWERS.result(state) is None


def test_an_empty_column_without_a_king_to_go_there_is_stuck():
    assert stuck(blocked(""))
    assert SEAHAVEN_TOWERS.result(blocked("", options=WITHOUT_UNDO)) == Result("lost", "no_moves", (), (2,))


def test_a_kings_column_that_only_changes_places_is_not_a_move():
    state = position(BLOCKED.replace("8 JS", "8 KH").format("", "9H 7H 5H 3H"), WITHOUT_UNDO)
    assert legal(state, move("8 9"))
    assert stuck(state)
    assert SEAHAVEN_TOWERS.result(state) is None


def test_a_king_that_uncovers_a_card_is_a_move():
    assert not stuck(position(BLOCKED.replace("8 JS", "8 JS KH").format("", "9H 7H 5H 3H")))


def test_the_last_move_into_the_last_tower_may_be_the_end():
    state = blocked("JC QH", "9H 7H 5H", WITHOUT_UNDO)
    assert SEAHAVEN_TOWERS.result(state) is None
    assert SEAHAVEN_TOWERS.result(after(state, move("9 d"))) == Result("lost", "no_moves", (), (2,))


@pytest.mark.parametrize("options", [PLAIN, WITHOUT_UNDO])
def test_before_the_deal_nothing_is_lost_and_nothing_stuck(options):
    start = SEAHAVEN_TOWERS.initial(options, 1)
    assert SEAHAVEN_TOWERS.result(start) is None
    assert not stuck(start)
    assert SEAHAVEN_TOWERS.legal_commands(start, 0) == ()


@pytest.mark.parametrize("options", [PLAIN, WITHOUT_UNDO])
def test_a_won_game_is_won_and_not_stuck(options):
    won = position("home KS KH KD KC", options)
    assert SEAHAVEN_TOWERS.result(won) == Result("won", "all_home", (0,), (52,))
    assert not stuck(won)
