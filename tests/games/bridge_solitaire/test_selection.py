from math import comb

from domain.capabilities import Spelling
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire.events import HandShown, HouseCalled, Pass, Select, Selected

from .positions import after, dealing, hand, opened, refused, run, say, zone

ONE_JOKER = dealing(run("2C 3C 4C 5C 6C 7C 8C"), hand("AKQ S, *1, 432 H, 9876 D, 95 S"))
EXAMPLE = dealing(hand("QJ C, 7 H, 94 S, 3 D, *1"), hand("JT72 S, 9 D, AKT8 C, Q854 H"))


def test_seven_are_hidden_thirteen_offered_and_the_stock_follows():
    state = opened(ONE_JOKER)
    assert state.hidden == ONE_JOKER[:7]
    assert state.offered == ONE_JOKER[7:20]
    assert state.stock == ONE_JOKER[20:]
    assert len(state.stock) == 34


def test_a_selection_without_the_joker_among_the_thirteen_is_refused():
    state = opened(ONE_JOKER)
    assert refused(state, Select(hand("AKQ S, 432 H"))) == "jokers_compulsory"
    assert refused(state, Select(hand("AKQ S, *1, 43 H"))) == ""


def test_with_one_joker_offered_five_of_the_other_twelve_are_chosen():
    assert len(GAME.legal_commands(opened(ONE_JOKER), 0)) == comb(12, 5)


def test_with_two_jokers_offered_both_are_kept_and_four_more_chosen():
    state = opened(dealing(run("2C 3C 4C 5C 6C 7C 8C"), hand("AKQ S, *1, *2, 432 H, 9876 D, 9 S")))
    listed = GAME.legal_commands(state, 0)
    assert len(listed) == comb(11, 4)
    assert all({"*1", "*2"} <= set(select.cards) for select in listed)
    assert refused(state, Select(hand("AKQ S, *1, 43 H"))) == "jokers_compulsory"


def test_without_jokers_every_six_of_thirteen_is_listed_once_and_accepted():
    state = opened(EXAMPLE)
    listed = GAME.legal_commands(state, 0)
    assert len({frozenset(select.cards) for select in listed}) == len(listed) == comb(13, 6)
    assert all(refused(state, select) == "" for select in listed)


def test_the_order_of_the_six_does_not_matter():
    state = opened(EXAMPLE)
    one, other = Select(hand("AKT8 C, Q8 H")), Select(hand("8Q H, 8TKA C"))
    assert GAME.get(Spelling).canonical(state, 0, one) == GAME.get(Spelling).canonical(state, 0, other)
    assert GAME.get(Spelling).canonical(state, 0, other) in GAME.legal_commands(state, 0)
    assert after(state, one) == after(state, other)


def test_a_listed_selection_stands_for_every_choice_of_the_top_discard():
    state = opened(EXAMPLE)
    chosen = Select(hand("8 C, Q H, AKT C, 8 H"), "JS")
    assert GAME.get(Spelling).canonical(state, 0, chosen) in GAME.legal_commands(state, 0)
    wrong = GAME.get(Spelling).canonical(state, 0, Select(hand("AKT8 C, Q8 H"), "AC"))
    assert wrong not in GAME.legal_commands(state, 0)


def test_the_chosen_discard_lies_on_top_and_the_six_others_under_it():
    state = after(opened(EXAMPLE), Select(hand("AKT8 C, Q8 H"), "JS"))
    assert zone(state, "discard") == (6, ("JS",))
    assert state.discard == run("TS 7S 2S 9D 5H 4H JS")
    assert GAME.look(state, 0).facts.discard_top == "JS"


def test_without_a_choice_the_last_dealt_discard_lies_on_top():
    assert after(opened(EXAMPLE), Select(hand("AKT8 C, Q8 H"))).discard == run("JS TS 7S 2S 9D 5H 4H")


def test_selecting_shows_the_hidden_seven_and_the_house_calls():
    state, events = say(opened(EXAMPLE), Select(hand("AKT8 C, Q8 H"), "JS"))
    assert [type(event) for event in events] == [Selected, HandShown, HouseCalled]
    assert sorted(state.hand) == sorted(hand("AKQJT8 C, Q87 H, 94 S, 3 D, *1"))
    assert state.phase == "auction"


def test_selections_that_are_not_six_offered_cards_are_refused():
    state = opened(EXAMPLE)
    assert refused(state, Select(hand("AKT8 C, Q H"))) == "six_cards"
    assert refused(state, Select(hand("AKT8 C, QQ H"))) == "six_cards"
    assert refused(state, Select(hand("AKTQ C, Q8 H"))) == "card_not_offered"
    assert refused(state, Select(hand("AKT8 C, Q8 H"), "AC")) == "top_not_discarded"
    assert refused(state, Select(hand("AKT8 C, Q8 H"), "QC")) == "top_not_discarded"


def test_nothing_but_a_selection_may_be_said_before_it():
    assert refused(opened(EXAMPLE), Pass()) == "not_bidding"
    assert (
        refused(after(opened(EXAMPLE), Select(hand("AKT8 C, Q8 H"))), Select(hand("AKT8 C, Q8 H"))) == "not_selecting"
    )
