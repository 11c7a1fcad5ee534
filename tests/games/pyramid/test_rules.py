"""Options and refusals of Pyramid."""

import msgspec
import pytest

from domain.capabilities import Undoing
from domain.game_type import Illegal, Result
from domain.games.pyramid import PYRAMID, Draw, Drawn, Recycle, Remove, Removed, Turned
from domain.games.pyramid import Options as Options1
from domain.games.pyramid import Options2 as Options

from .positions import MICROSOFT, after, dealt, events, legal, position, remove, rule_against

TABLE = "QH\nAC 5H\nwaste 2D 8C\nstock 3S 8D"


def test_the_defaults_are_unlimited_single_draws_the_pyramid_alone_and_undo():
    assert Options() == Options(None, False, False, False, False, 1, False, True)


@pytest.mark.parametrize("passes", [1, 2, 3, 10])
def test_passes_allow_one_recycle_less(passes):
    state = position("5H\nstock 2S", Options(passes=passes))
    for _ in range(passes - 1):
        state = after(state, Draw(), Recycle())
    assert PYRAMID.look(state, 0).facts.recycles_left == 0
    assert rule_against(after(state, Draw()), Recycle()) == "passes_used_up"


@pytest.mark.parametrize(("draw", "drawn"), [(1, ("5S",)), (3, ("5S", "4S", "3S"))])
def test_draw_says_how_many_cards_come_at_once(draw, drawn):
    assert events(position("5H\nstock 2S 3S 4S 5S", Options(draw=draw)), Draw()) == (Drawn(drawn),)


def test_drawing_three_from_a_stock_of_two_brings_both():
    assert events(position("5H\nstock 2S 3S", Options(draw=3)), Draw()) == (Drawn(("3S", "2S")),)


def test_all_must_go_is_won_with_the_last_card():
    state = position("waste KD", Options(clear_all=True))
    assert PYRAMID.result(state) is None
    won = after(state, Remove("waste", "discard"))
    assert PYRAMID.result(won) == Result("won", "all_cleared", (0,), (0,))


def test_drawing_only_when_stuck_looks_at_the_pyramid_alone():
    strict = Options(draw_only_when_stuck=True)
    assert rule_against(position("5H\n8S 5C\nstock 2S", strict), Draw()) == "draw_only_when_stuck"
    assert rule_against(position("5H\n-- KC\nwaste 2S", strict), Recycle()) == "draw_only_when_stuck"
    assert legal(position("5H\n8S 6C\nwaste 7C\nstock 2S", strict), Draw())
    assert legal(position("5H\n8S 5C\nstock 2S"), Draw())


def test_a_tomb_pair_counts_as_an_offer_of_the_pyramid():
    strict = Options(draw_only_when_stuck=True, tuts_tomb_pairing=True)
    assert rule_against(position("5H\n8S --\nstock 2S", strict), Draw()) == "draw_only_when_stuck"


def test_the_last_pair_of_the_pyramid_may_be_a_tomb_pair():
    state = position("5H\n8S --", Options(tuts_tomb_pairing=True))
    assert PYRAMID.result(after(state, remove("00 10"))).ending == "won"


def test_by_microsofts_rules_the_stock_lies_open_and_pairs_with_the_pyramid_and_with_the_waste():
    state = position("TH\n8S 5C\nwaste 9D 5S\nstock 2S 8H", MICROSOFT)
    assert legal(state, remove("11 stock"))
    assert legal(state, remove("stock waste"))
    assert events(state, remove("waste stock")) == (Removed(("8H", "5S"), ("stock", "waste")), Turned("2S"))
    assert after(state, remove("stock waste")).waste == ("9D",)


def test_a_king_on_top_of_the_open_stock_goes_alone():
    state = position("TH\nstock 2S KH", MICROSOFT)
    assert events(state, remove("stock")) == (Removed(("KH",), ("stock",)), Turned("2S"))


def test_the_next_stock_card_is_turned_up_after_a_draw_and_after_turning_over():
    state = position("TH\nstock 2S 8H", MICROSOFT)
    assert events(state, Draw()) == (Drawn(("8H",)), Turned("2S"))
    last = after(state, Draw())
    assert events(last, Draw()) == (Drawn(("2S",)),)
    assert events(after(last, Draw()), Recycle())[1:] == (Turned("8H"),)


def test_between_the_draw_and_the_turning_nothing_of_the_stock_is_available():
    state = position("5H\nstock 8S 2S", MICROSOFT)
    between = PYRAMID.evolve(state, Drawn(("2S",)))
    assert PYRAMID.legal_commands(between, 0) == (Draw(),)
    assert PYRAMID.look(between, 0).zones[28].face_down == 1


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_offered_as_the_option_says(undo):
    assert PYRAMID.get(Undoing).allowed(Options(undo=undo)) is undo


@pytest.mark.parametrize("wrong", [{"draw": 2}, {"passes": 0}, {"passes": 101}, {"jokers": 1}])
def test_other_values_and_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("00", "covered"),
        ("00 10", "covered"),
        ("10", "kings_alone"),
        ("10 10", "two_cards"),
        ("20", "source_empty"),
        ("20 10", "source_empty"),
        ("10 11", "thirteen"),
        ("10 waste", "thirteen"),
        ("waste", "kings_alone"),
        ("stock", "stock_face_down"),
        ("11 stock", "stock_face_down"),
        ("stock waste", "stock_face_down"),
        ("waste waste", "waste_pairs"),
        ("stock stock", "two_cards"),
    ],
)
def test_a_removal_that_a_rule_forbids_is_refused_by_that_rule(command, rule):
    assert rule_against(position(TABLE), remove(command)) == rule


def test_drawing_and_recycling_are_refused_by_their_rules():
    assert rule_against(position(TABLE), Recycle()) == "stock_not_empty"
    assert rule_against(position("5H\nwaste 2S"), Draw()) == "stock_empty"
    assert rule_against(position("5H"), Recycle()) == "waste_empty"
    assert rule_against(position("5H"), remove("waste 00")) == "source_empty"
    assert rule_against(position("5H", MICROSOFT), remove("stock 00")) == "source_empty"


def test_no_other_seat_may_play():
    assert PYRAMID.legal_commands(dealt(), 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        PYRAMID.decide(dealt(), 1, Draw())


def test_before_the_deal_nothing_is_legal_to_remove_won_or_lost():
    start = PYRAMID.initial(Options(undo=False), 1)
    assert PYRAMID.legal_commands(start, 0) == ()
    assert PYRAMID.result(start) is None
    assert not PYRAMID.look(start, 0).stuck


@pytest.mark.parametrize(
    "said",
    [
        {"type": "pyramid/remove", "source": "discard", "target": "waste"},
        {"type": "pyramid/remove", "source": "pyramid_7_0", "target": "waste"},
        {"type": "pyramid/remove", "source": "waste"},
        {"type": "pyramid/draw", "count": 2},
    ],
)
def test_what_is_no_command_cannot_be_read(said):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(said, Draw | Recycle | Remove)


def test_a_hundred_passes_may_be_allowed_and_in_revision_1_ten():
    assert msgspec.convert({"passes": 100}, Options).passes == 100
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"passes": 11}, Options1)
