"""What is seen and heard of a game of The Clock, and by whom."""

import pytest

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.the_clock import THE_CLOCK, Dealt, Exchange, Options, RunToEnd, Step
from domain.kit.cards import PACK
from domain.view import ALL_SEEING

from .positions import KINGS, after, dealt, events, position, showing, zones

START = dealt(PACK)
MEMBERS = [0, None]


def test_the_zones_are_always_the_same_in_the_same_order():
    ids = [*(f"pile_{place}" for place in range(13)), *(f"shown_{place}" for place in range(13)), "active"]
    assert list(zones(START)) == ids
    assert list(zones(THE_CLOCK.initial(Options(), 1), None)) == ids


def test_the_piles_lie_as_the_hours_do():
    x, y = zip(
        *[(zones(START)[f"pile_{place}"].x, zones(START)[f"pile_{place}"].y) for place in range(13)], strict=True
    )
    assert y[11] == min(y) == 0
    assert y[5] == max(y)
    assert y[2] == y[8] == y[12]
    assert x[2] == max(x)
    assert x[8] == min(x)
    assert x[11] == x[5] == x[12]


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_piles_are_shown_as_backs(viewer):
    assert all(zones(START, viewer)[f"pile_{place}"].face_down == 4 for place in range(13))
    assert not any(zone.cards for zone in zones(START, viewer).values())


def test_the_all_seeing_see_every_card():
    seen = zones(START, ALL_SEEING)
    assert sorted(card for zone in seen.values() for card in zone.cards) == sorted(PACK)
    assert not any(zone.face_down for zone in seen.values())


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_deal_shows_no_card(viewer):
    before, deal = THE_CLOCK.initial(Options(), 1), Dealt(PACK)
    assert THE_CLOCK.redact(before, deal, viewer).cards == ("#",) * 52
    assert THE_CLOCK.redact(before, deal, ALL_SEEING) == deal
    assert THE_CLOCK.tell(before, deal, viewer).startswith("Thirteen piles")


def test_the_facts_count_what_is_shown_and_say_where_the_next_card_comes_from():
    state = after(position("12 # # # KH"), Step())
    facts = THE_CLOCK.look(state, 0).facts
    assert (facts.revealed, facts.kings, facts.next_pile, facts.king_at) == (1, 1, "pile_12", None)
    over = THE_CLOCK.look(after(showing(KINGS), RunToEnd()), 0)
    assert (over.facts.revealed, over.facts.kings, over.facts.next_pile) == (4, 4, None)
    assert (over.phase, over.to_act, over.stuck) == ("finished", (), False)


def test_a_king_that_waits_to_be_exchanged_is_counted():
    facts = THE_CLOCK.look(after(showing(KINGS, Options(watch=True)), RunToEnd()), 0).facts
    assert (facts.revealed, facts.kings, facts.next_pile) == (4, 4, None)


def sentences(state, command):
    return [THE_CLOCK.tell(state, event, 0) for event in events(state, command)]


def test_turning_up_and_putting_in_place_are_told():
    assert sentences(position("12 # # # 5H"), Step()) == [
        "The player turns up the five of hearts from the pile in the middle.",
        "The five of hearts goes face up under the pile at 5 o'clock.",
    ]


def test_an_exchange_is_told():
    state = after(position("12 KS KH KD KC\n0 # # # 2S", Options(watch=True)), RunToEnd())
    assert sentences(state, Exchange("pile_0")) == [
        "The player lays the king of spades face down on the pile at 1 o'clock and turns up the two of spades for it.",
        "The two of spades goes face up under the pile at 2 o'clock.",
    ]


def test_positions_and_deals_do_not_print_their_cards():
    assert (repr(START), repr(Dealt(PACK))) == ("<State>", "<Dealt>")


def test_no_other_seat_may_play():
    assert THE_CLOCK.legal_commands(START, 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        THE_CLOCK.decide(START, 1, Step())


def test_a_given_deal_must_be_the_pack():
    with pytest.raises(Illegal, match="missing KC"):
        THE_CLOCK.deal(Options(), Chance(b"", given=PACK[:-1]), 1)
