"""What we ruled, each case in both directions, and what is refused."""

import pytest

from domain.capabilities import Spelling
from domain.game_type import Illegal
from domain.games.forty_thieves import FORTY_THIEVES, Draw, Move, Moved, Options, Recycle

from .positions import after, events, legal, move, position, rule_against


def canonical(state, command):
    return FORTY_THIEVES.get(Spelling).canonical(state, 0, command)


@pytest.mark.parametrize("home", ["", "home 4S 4S\n"])
def test_where_both_foundations_wait_for_a_card_it_goes_on_the_first_whichever_is_named(home):
    state = position(home + ("0 5S" if home else "0 AS"))
    first, second = move("0 S0"), move("0 S1")
    assert [said for said in FORTY_THIEVES.legal_commands(state, 0) if "foundation" in said.target] == [first]
    assert events(state, second) == events(state, first) == (Moved(state.columns[0], *("tableau_0", first.target)),)
    assert canonical(state, second) == canonical(state, first) == first


def test_a_foundation_that_alone_waits_for_a_card_is_the_one_that_takes_it():
    state = position("home 9S 4S\n0 5S")
    assert canonical(state, move("0 S1")) == move("0 S1")
    assert legal(state, move("0 S1"))
    assert not legal(state, move("0 S0"))


def test_what_is_no_move_home_has_one_spelling():
    state = position("0 5S\n1 6S\nstock 2D")
    assert canonical(state, move("0 1")) == move("0 1")
    assert canonical(state, Draw()) == Draw()


def test_the_two_copies_of_a_card_are_worth_the_same():
    state = position("0 8D\n1 8D\n2 9D\nwaste 8D")
    assert after(state, move("0 2")).columns[2] == after(state, move("waste 2")).columns[2] == ("9D", "8D")


def test_nothing_goes_home_by_itself_and_an_ace_may_wait():
    state = after(position("0 KC AS\n1 5D 2S\nstock AH 7H"), Draw(), Draw())
    assert sum(state.foundations) == 0
    assert legal(state, move("0 S0"))


def test_what_is_home_stays_home():
    state = position("home 4S\n0 5S")
    with pytest.raises(Exception, match="foundation"):
        FORTY_THIEVES.decide(state, 0, Move("foundation_spades_0", "tableau_0"))
    assert not any(said.source.startswith("foundation") for said in FORTY_THIEVES.legal_commands(state, 0))


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (move("0 0"), "same_zone"),
        (move("7 0"), "source_empty"),
        (move("waste 0"), "source_empty"),
        (move("0 1 x3"), "column_too_short"),
        (Draw(), "stock_empty"),
        (Recycle(), "waste_empty"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_rule(said, rule):
    assert rule_against(position("0 9H 8H\n1 TH", Options(runs=True, passes=2)), said) == rule


def test_no_other_seat_may_play():
    state = position("0 9H\n1 8H")
    assert FORTY_THIEVES.legal_commands(state, 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        FORTY_THIEVES.decide(state, 1, move("1 0"))
