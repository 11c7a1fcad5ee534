"""What each option of The Clock changes."""

from random import Random

import msgspec
import pytest

from domain.capabilities import PureLuck, Undoing
from domain.game_type import Result
from domain.games.the_clock import THE_CLOCK, Exchange, Exchanged, Options, Placed, RunToEnd, Step, Turned
from domain.kit.cards import PACK

from .positions import KINGS, after, dealt, events, position, rule_against, showing, turned, zones

WATCH = Options(watch=True)


def test_the_defaults_are_the_top_card_dealt_round_the_clock_and_no_exchange():
    assert Options() == Options(take_from="top", pile_by_pile=False, watch=False)


def test_taken_from_the_bottom_the_lowest_card_of_a_pile_is_next():
    state = position("12 5H # # #\n4 9C # # 2D", Options(take_from="bottom"))
    assert [events(state, Step())[0], turned(after(state, Step()), Step())] == [Turned("pile_12", "5H"), ["9C"]]
    assert zones(after(state, Step(), Step()), -1)["pile_4"].cards[-1] == "2D"


def test_dealt_pile_by_pile_four_cards_in_a_row_make_a_pile():
    state = dealt(PACK, Options(pile_by_pile=True))
    assert [zones(state, -1)[f"pile_{pile}"].cards for pile in (0, 12)] == [PACK[:4], PACK[48:]]


@pytest.mark.parametrize("options", [Options(), Options(take_from="bottom"), Options(pile_by_pile=True)])
def test_nothing_is_to_be_exchanged_without_watch(options):
    state = showing(KINGS, options)
    assert rule_against(state, Exchange("pile_3")) == "no_king_to_exchange"
    assert THE_CLOCK.result(after(state, RunToEnd())).reason == "fourth_king"


def kings_shown(options=WATCH):
    return after(showing(KINGS, options), RunToEnd())


def test_watching_the_run_stops_at_the_fourth_king_which_lies_in_hand():
    state = kings_shown()
    assert THE_CLOCK.result(state) is None
    assert zones(state)["active"].cards == ("KC",)
    assert THE_CLOCK.look(state, 0).phase == "exchange"
    assert THE_CLOCK.legal_commands(state, 0) == tuple(Exchange(f"pile_{pile}") for pile in range(12))
    assert [rule_against(state, command) for command in (Step(), RunToEnd())] == ["exchange_first"] * 2
    assert rule_against(state, Exchange("pile_12")) == "pile_face_up"


def test_the_king_takes_the_place_of_the_top_card_which_is_played_instead():
    state = kings_shown()
    card = zones(state, -1)["pile_3"].cards[-1]
    exchanged, placed = events(state, Exchange("pile_3"))
    assert exchanged == Exchanged("KC", "pile_3", card)
    assert placed == Placed(card, f"pile_{'A23456789TJQ'.index(card[0])}")
    after_it = after(state, Exchange("pile_3"))
    assert zones(after_it, -1)["pile_3"].cards[-1] == "KC"
    assert zones(after_it)["pile_3"].face_down == 4
    assert THE_CLOCK.look(after_it, 0).facts.king_at == "pile_3"
    assert THE_CLOCK.look(after_it, 0).facts.revealed == 4


def test_taken_from_the_bottom_it_is_still_the_top_card_that_the_king_replaces():
    state = kings_shown(Options(watch=True, take_from="bottom"))
    top = zones(state, -1)["pile_3"].cards[-1]
    assert events(state, Exchange("pile_3"))[0] == Exchanged("KC", "pile_3", top)


def test_the_exchanged_king_decides_the_game_when_it_shows_again():
    state = position("12 KS KH KD KC\n0 # # # 2S\n1 # # # AS", WATCH)
    state = after(state, RunToEnd(), Exchange("pile_0"), Step())
    assert [card for pile in (0, 1) for card in zones(state)[f"shown_{pile}"].cards] == ["AS", "2S"]
    lost = after(state, Step())
    assert THE_CLOCK.result(lost) == Result("lost", "fourth_king", (), (2,))


def test_an_exchange_can_win():
    results = []
    for seed in range(40):
        cards = list(PACK)
        Random(seed).shuffle(cards)
        state = after(dealt(cards, WATCH), RunToEnd())
        if THE_CLOCK.result(state) is None:
            ends = [THE_CLOCK.result(after(state, choice, RunToEnd())) for choice in THE_CLOCK.legal_commands(state, 0)]
            assert all(end is not None for end in ends)
            results += ends
    assert Result("won", "all_face_up", (0,), (48,)) in results


def test_watching_a_fourth_king_that_comes_last_wins_without_an_exchange():
    order = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    assert THE_CLOCK.result(after(showing(order, WATCH), RunToEnd())).ending == "won"


@pytest.mark.parametrize("wrong", [{"take_from": "middle"}, {"undo": True}, {"watch": 1}])
def test_other_values_and_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


def test_nothing_can_be_taken_back_and_there_is_no_ranking():
    assert THE_CLOCK.get(Undoing).allowed(Options()) is False
    assert THE_CLOCK.has(PureLuck)
