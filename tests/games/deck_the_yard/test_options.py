"""What each option of Deck the Yard changes."""

import msgspec
import pytest

from domain.game_type import Result
from domain.games.deck_the_yard import DECK_THE_YARD
from domain.games.deck_the_yard.events import EndGame, UsePlug
from domain.games.deck_the_yard.state import Options

from .positions import after, discard, legal, names, play, position, rule_against

FREE = Options(free_first_bulb=True)
ON = Options(play_on=True)


def test_by_default_the_first_bulb_begins_a_pattern_and_the_eighth_claim_wins():
    assert Options() == Options(free_first_bulb=False, play_on=False)


def test_a_free_first_bulb_may_have_any_colour():
    drawn = "hand BLUE RED GREEN\nstock RED RED RED"
    assert [legal(position(drawn), play(colour)) for colour in ("BLUE", "RED", "GREEN")] == [False, True, False]
    assert all(legal(position(drawn, FREE), play(colour)) for colour in ("BLUE", "RED", "GREEN"))


def test_a_free_first_bulb_that_begins_no_pattern_can_be_followed_by_nothing():
    state = after(position("hand BLUE RED GREEN BUBBLE\nstock RED RED RED", FREE), play("BLUE"))
    assert rule_against(state, play("RED")) == rule_against(state, play("BUBBLE")) == "next_in_pattern"


def test_a_broken_bulb_clears_a_free_first_bulb_away():
    state = after(position("hand BLUE RED GREEN BUBBLE YELLOW\nstock BROKEN RED", FREE), play("BLUE"))
    assert (names(state.discard), state.bulbs) == ("BROKEN BLUE", ())


def test_the_second_bulb_is_not_free():
    state = position("hand BLUE GREEN\nlineup RED\nstock RED RED", FREE)
    assert [legal(state, play(colour)) for colour in ("BLUE", "GREEN")] == [False, True]


def test_a_first_bulb_before_a_bubble_is_free_too():
    assert legal(position("hand BLUE\nlineup BUBBLE\nstock RED", FREE), play("BLUE"))


SEVEN = "hand PLUG RED BLUE PINK\nstock SANTA GREEN BLUE\nclaims P02 P03 P04 P05 P06 MRS_CLAUS FROSTY"


def test_playing_on_the_eighth_claim_is_followed_by_more_cards():
    state = after(position(SEVEN, ON), discard("PINK"), UsePlug(True))
    assert DECK_THE_YARD.result(state) is None
    assert names(state.hand) == "RED BLUE GREEN BLUE"
    assert DECK_THE_YARD.result(after(state, EndGame())) == Result("won", "eight_claims", (0,), (8,))


def test_playing_on_a_hand_played_out_wins_with_eight_and_loses_with_fewer():
    eight = position("hand RED\nclaims P02 P03 P04 P05 P06 MRS_CLAUS FROSTY SANTA", ON)
    assert DECK_THE_YARD.result(after(eight, discard("RED"))).ending == "won"
    seven = position("hand RED\nclaims P02 P03 P04 P05 P06 MRS_CLAUS FROSTY", ON)
    assert DECK_THE_YARD.result(after(seven, discard("RED"))) == Result("lost", "hand_empty", (), (7,))


@pytest.mark.parametrize("wrong", [{"undo": True}, {"play_on": 1}, {"free_first_bulb": "yes"}])
def test_other_values_and_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)
