"""The Clock as it is commonly told, case by case."""

import pytest

from domain.game_type import Result
from domain.games.the_clock import THE_CLOCK, Placed, RunToEnd, Step, Turned
from domain.kit.cards import PACK

from .positions import after, dealt, events, position, ranks, rule_against, showing, turned, zones

ROUND = "A23456789TJQK" * 4
ALL_AT_ONCE = "12 AC AD AH AS\n" + "\n".join(
    f"{pile} {rank}C {rank}D {rank}H {rank}S" for pile, rank in enumerate("23456789TJQK")
)


def test_four_kings_in_the_middle_lose_at_once():
    state = position("12 KS KH KD KC")
    assert turned(state, RunToEnd()) == ["KC", "KD", "KH", "KS"]
    assert THE_CLOCK.result(after(state, RunToEnd())) == Result("lost", "fourth_king", (), (0,))


def test_piles_that_hold_the_next_rank_show_every_card_and_win():
    state = position(ALL_AT_ONCE)
    assert "".join(card[0] for card in turned(state, RunToEnd())) == ROUND
    assert THE_CLOCK.result(after(state, RunToEnd())) == Result("won", "all_face_up", (0,), (48,))


def test_a_five_goes_under_the_pile_at_five_oclock_whose_top_card_is_next():
    state = position("12 # # # 5H\n4 # # # 9C")
    assert events(state, Step()) == (Turned("pile_12", "5H"), Placed("5H", "pile_4"))
    five = after(state, Step())
    assert zones(five)["shown_4"].cards == ("5H",)
    assert events(five, Step())[0] == Turned("pile_4", "9C")


def test_a_king_that_comes_first_stays_in_the_middle_which_gives_the_next_card_too():
    state = position("12 # # QD KS")
    assert events(state, Step()) == (Turned("pile_12", "KS"), Placed("KS", "pile_12"))
    assert events(after(state, Step()), Step())[0] == Turned("pile_12", "QD")


@pytest.mark.parametrize(("card", "pile"), [("QS", 11), ("JS", 10), ("AS", 0), ("TS", 9), ("2S", 1), ("KS", 12)])
def test_a_card_belongs_at_the_hour_of_its_rank(card, pile):
    assert events(position(f"12 # # # {card}"), Step())[1] == Placed(card, f"pile_{pile}")


def test_the_fourth_king_as_51st_card_loses_with_47():
    order = ranks(ROUND)
    state = showing([*order[:50], order[51]])
    assert len(turned(state, RunToEnd())) == 51
    assert THE_CLOCK.result(after(state, RunToEnd())) == Result("lost", "fourth_king", (), (47,))


def test_the_deal_goes_round_the_clock_with_the_middle_last_and_the_last_card_on_top():
    piles = [zone.cards for zone in THE_CLOCK.look(dealt(PACK), -1).zones[:13]]
    assert piles[0] == (PACK[0], PACK[13], PACK[26], PACK[39])
    assert piles[11] == (PACK[11], PACK[24], PACK[37], PACK[50])
    assert piles[12] == (PACK[12], PACK[25], PACK[38], PACK[51])


def test_running_to_the_end_shows_what_single_steps_show():
    state = position(ALL_AT_ONCE)
    steps = state
    for _ in range(52):
        steps = after(steps, Step())
    assert steps == after(state, RunToEnd())
    halfway = after(state, *[Step()] * 20)
    assert after(halfway, RunToEnd()) == steps


@pytest.mark.parametrize("command", [Step(), RunToEnd()])
def test_a_finished_game_turns_up_nothing_more(command):
    lost = after(position("12 KS KH KD KC"), RunToEnd())
    assert rule_against(lost, command) == "game_over"
    assert THE_CLOCK.legal_commands(lost, 0) == ()
    won = after(position(ALL_AT_ONCE), RunToEnd())
    assert rule_against(won, command) == "game_over"


def test_before_the_deal_nothing_is_legal_and_nothing_has_ended():
    start = THE_CLOCK.initial(THE_CLOCK.options(), 1)
    assert rule_against(start, Step()) == "game_over"
    assert THE_CLOCK.result(start) is None
    assert THE_CLOCK.look(start, 0).phase == "deal"
