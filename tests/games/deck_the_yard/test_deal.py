"""The deal of Deck the Yard: the opening hand, cards set aside, given deals."""

import pytest

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.deck_the_yard import DECK_THE_YARD
from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.state import KEPT, PATTERNS, STOCK, Options

from .positions import after, cards, dealt, discard, events, names

FIRST = cards("RED SANTA PLUG EVENT BUBBLE BLUE BROKEN RED")


def in_front(first, whole):
    """The whole pack with these cards in front."""
    rest = list(whole)
    for card in first:
        rest.remove(card)
    return (*first, *rest)


GIVEN = (*PATTERNS, *in_front(FIRST, STOCK))


def test_an_opening_hand_may_hold_plugs_and_bubbles_but_nothing_that_happens():
    state = dealt(GIVEN)
    assert names(state.hand) == "RED PLUG BUBBLE BLUE RED"
    for seed in range(30):
        assert set(dealt(seed=bytes([seed]) * 32).hand) <= KEPT


def test_cards_set_aside_are_shuffled_back_before_the_next_card_is_drawn():
    state = dealt(GIVEN)
    assert names(state.stock[:3]) == "SANTA EVENT BROKEN"
    first, second, third, *_ = events(state, discard("BLUE"))
    assert [type(first), type(second), type(third)] == [ev.Discarded, ev.StockShuffled, ev.Drawn]
    assert sorted(second.stock) == sorted(state.stock)  # type: ignore[attr-defined]
    assert second.stock[:3] != state.stock[:3]  # type: ignore[attr-defined]
    assert third.card == second.stock[-1]  # type: ignore[attr-defined]
    assert not after(state, discard("BLUE")).unshuffled


def test_nothing_is_shuffled_where_nothing_was_set_aside():
    clean = cards("RED PLUG BUBBLE BLUE RED GREEN")
    state = dealt((*PATTERNS, *in_front(clean, STOCK)))
    assert not state.unshuffled
    assert events(state, discard("BLUE")) == (ev.Discarded(*cards("BLUE")), ev.Drawn(*cards("GREEN")))


def test_the_first_two_patterns_lie_face_up_and_the_third_comes_next():
    state = dealt(GIVEN)
    assert state.face_up == cards("P01 P02")
    assert (names(state.pattern_stock[-1:]), len(state.pattern_stock)) == ("P03", 16)


def test_a_given_deal_may_name_patterns_and_other_cards_in_any_mixture():
    mixed = [card for pair in zip(GIVEN[:18], GIVEN[18:36], strict=True) for card in pair]
    assert dealt([*mixed, *GIVEN[36:]]).stock == dealt(GIVEN).stock


@pytest.mark.parametrize("wrong", [GIVEN[1:], GIVEN[:-1], (*GIVEN, "AS"), (*GIVEN, "QD"), STOCK, ()])
def test_a_given_deal_that_is_not_all_88_cards_is_refused(wrong):
    with pytest.raises(Illegal) as refusal:
        dealt(wrong)
    assert refusal.value.rule == "given_deal"


def test_patterns_and_stock_are_shuffled_apart_and_the_chance_that_remains_is_recorded():
    deal = DECK_THE_YARD.deal(Options(), Chance(bytes(32)), 1)[0]
    assert sorted(deal.patterns) == sorted(PATTERNS)
    assert sorted(deal.cards) == sorted(STOCK)
    assert deal.chance == Chance(bytes(32), 2)
