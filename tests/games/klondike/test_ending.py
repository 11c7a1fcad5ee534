"""How a game of Klondike ends."""

import msgspec
import pytest

from domain.game_type import Illegal, Result
from domain.games import REVISIONS
from domain.games.klondike import KLONDIKE, Draw
from domain.games.klondike import Options as Options1
from domain.games.klondike import Options2 as Options
from domain.games.klondike import State as State1

from .positions import after, legal, move, position, rule_against, stuck

LAST = Options(passes=2, end_on_last_pass=True)
LAST_WITHOUT_UNDO = Options(passes=2, end_on_last_pass=True, undo=False)


def lost(reason, score):
    return Result("lost", reason, (), (score,))


def test_the_game_is_won_with_52_cards_home_and_then_nothing_is_legal():
    state = position("""
        home KS KH KD QC
        3 KC""")
    assert KLONDIKE.result(state) is None
    won = after(state, move("3 C"))
    assert KLONDIKE.result(won) == Result("won", "all_home", (0,), (52,))
    assert KLONDIKE.legal_commands(won, 0) == ()
    assert rule_against(won, move("C 3")) == "game_over"
    assert KLONDIKE.look(won, 0).to_act == ()


@pytest.mark.parametrize("options", [LAST, LAST_WITHOUT_UNDO])
def test_the_last_card_home_wins_on_the_last_pass_too(options):
    state = position("home KS KH KD QC\nwaste KC", options, recycles=1)
    assert KLONDIKE.result(after(state, move("waste C"))) == Result("won", "all_home", (0,), (52,))


TABLE = """
    home 2S
    0 # KS
    1 # 9C
    2 # TD
    3 # 7H
    4 # 7D
    5 # KH
    6 # KD
"""


def test_the_last_pass_ends_the_game_when_the_top_of_the_waste_has_no_place():
    state = position(TABLE + "stock 4C", LAST_WITHOUT_UNDO, recycles=1)
    assert KLONDIKE.result(state) is None
    assert KLONDIKE.result(after(state, Draw())) == lost("last_pass", 2)


def test_the_last_pass_does_not_end_while_the_top_of_the_waste_has_a_place():
    state = after(position(TABLE + "stock 6C", LAST_WITHOUT_UNDO, recycles=1), Draw())
    assert KLONDIKE.result(state) is None
    assert legal(state, move("waste 3"))


@pytest.mark.parametrize("options", [LAST, LAST_WITHOUT_UNDO])
def test_with_the_waste_used_up_what_can_be_played_is_played(options):
    state = after(position(TABLE + "waste 6C", options, recycles=1), move("waste 3"))
    assert KLONDIKE.result(state) is None
    assert not stuck(state)
    assert legal(state, move("1 2"))


def test_a_game_with_an_empty_waste_is_won_to_its_end():
    state = position("home KS KH KD TC\n3 KC QC JC", LAST_WITHOUT_UNDO, recycles=1)
    state = after(state, move("3 C"), move("3 C"), move("3 C"))
    assert KLONDIKE.result(state) == Result("won", "all_home", (0,), (52,))


def test_with_the_waste_used_up_and_nothing_to_play_the_last_pass_has_ended_the_game():
    state = position(DEAD.replace("waste 2D", ""), LAST_WITHOUT_UNDO, recycles=1)
    assert KLONDIKE.result(state) == lost("last_pass", 0)


def test_revision_1_ends_with_the_waste():
    one = REVISIONS["klondike", 1]
    drawn = position(TABLE + "waste 6C", LAST_WITHOUT_UNDO, recycles=1)
    fields = {name: getattr(drawn, name) for name in State1.__struct_fields__}
    options = Options1(**msgspec.to_builtins(LAST_WITHOUT_UNDO))
    state = State1(**{**fields, "options": options})
    for event in one.decide(state, 0, move("waste 3")):
        state = one.evolve(state, event)
    assert one.result(state) == lost("last_pass", 2)
    with pytest.raises(Illegal, match="The last pass through the stock is over"):
        one.decide(state, 0, move("1 2"))


def test_what_is_refused_then_says_that_the_last_pass_is_over():
    state = after(position(TABLE + "stock 4C", LAST, recycles=1), Draw())
    with pytest.raises(Illegal, match="The last pass through the stock is over"):
        KLONDIKE.decide(state, 0, move("1 2"))


def test_the_last_pass_ends_when_a_move_takes_the_place_of_the_top_of_the_waste():
    state = position(TABLE + "waste 9S", LAST_WITHOUT_UNDO, recycles=1)
    assert KLONDIKE.result(state) is None
    assert KLONDIKE.result(after(state, move("1 2"))) == lost("last_pass", 2)


def test_an_earlier_pass_does_not_end_the_game():
    assert KLONDIKE.result(after(position(TABLE + "stock 4C", LAST_WITHOUT_UNDO), Draw())) is None


def test_without_that_option_the_end_of_the_last_pass_leaves_the_columns_to_be_played():
    state = after(position(TABLE + "stock 4C", Options(passes=2, undo=False), recycles=1), Draw())
    assert KLONDIKE.result(state) is None
    assert legal(state, move("1 2"))


def test_with_undo_the_end_of_the_last_pass_stays_open_stuck_and_closed_to_moves():
    state = after(position(TABLE + "stock 4C", LAST, recycles=1), Draw())
    assert KLONDIKE.result(state) is None
    assert stuck(state)
    assert KLONDIKE.legal_commands(state, 0) == ()
    assert rule_against(state, move("1 2")) == "game_over"


DEAD = """
    0 # KS
    1 # KC
    2 # KD
    3 # KH
    4 # 9S
    5 # 9C
    6 # 7S
    waste 2D
"""


def test_without_undo_a_game_in_which_nothing_is_legal_is_lost():
    assert KLONDIKE.result(position(DEAD, Options(passes=1, undo=False))) == lost("no_moves", 0)


def test_with_undo_it_stays_open_and_is_told_as_stuck():
    state = position(DEAD, Options(passes=1))
    assert KLONDIKE.result(state) is None
    assert stuck(state)
    assert KLONDIKE.legal_commands(state, 0) == ()


def test_stuck_is_not_lost_while_the_waste_may_still_be_turned_over():
    state = position(DEAD, Options(undo=False), recycles=1)
    assert stuck(state)
    assert KLONDIKE.result(state) is None


@pytest.mark.parametrize("options", [Options(undo=False), Options(passes=1, end_on_last_pass=True, undo=False)])
def test_before_the_deal_nothing_is_lost(options):
    assert KLONDIKE.result(KLONDIKE.initial(options, 1)) is None
