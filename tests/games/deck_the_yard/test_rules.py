"""Every rule of Deck the Yard that refuses a command, by its slug, and the rulings that the worked cases leave out."""

import pytest

from domain.capabilities import Undoing
from domain.game_type import Illegal
from domain.games.deck_the_yard import DECK_THE_YARD
from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.events import ClaimPattern, EndGame, PlayColour, UsePlug
from domain.games.deck_the_yard.state import PATTERNS

from .positions import after, cards, discard, events, legal, names, play, position, rule_against

TABLE = position("hand RED PURPLE PLUG BLUE\nlineup RED GREEN\nstock SANTA GREEN YELLOW")
ASKED = after(TABLE, discard("BLUE"))


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (play("YELLOW"), "not_in_hand"),
        (play("BUBBLE"), "not_in_hand"),
        (discard("GREEN"), "not_in_hand"),
        (PlayColour("QD"), "not_in_hand"),
        (PlayColour("*2"), "not_a_colour_bulb"),
        (play("PURPLE"), "next_in_pattern"),
        (UsePlug(True), "no_plug_asked"),
        (ClaimPattern("pattern_0"), "not_completed"),
        (EndGame(), "stock_not_empty"),
    ],
)
def test_what_a_rule_forbids_is_refused_by_that_rule(command, rule):
    assert rule_against(TABLE, command) == rule


@pytest.mark.parametrize("command", [play("RED"), play("BUBBLE"), discard("RED"), ClaimPattern("pattern_1"), EndGame()])
def test_nothing_else_can_be_said_before_the_word_on_the_plug(command):
    assert rule_against(ASKED, command) == "plug_first"


def test_a_plug_is_never_a_duty():
    assert [legal(ASKED, UsePlug(use)) for use in (True, False)] == [True, True]
    declined = after(ASKED, UsePlug(False))
    assert names(declined.discard) == "BLUE SANTA"
    assert names(declined.hand) == "RED PURPLE PLUG GREEN YELLOW"


def test_a_plug_for_a_broken_bulb_saves_the_line_up_and_drawing_goes_on():
    state = after(position("hand PLUG RED BLUE PINK\nlineup RED\nstock BROKEN GREEN YELLOW RED"), discard("PINK"))
    assert events(state, UsePlug(True))[0] == ev.BrokenBulbResolved("*3", "*2")
    saved = after(state, UsePlug(True))
    assert names(saved.bulbs) == "RED"
    assert names(saved.discard) == "PINK BROKEN PLUG"
    assert names(saved.hand) == "RED BLUE GREEN YELLOW RED"


def test_a_bubble_alone_is_worth_a_plug():
    state = after(position("hand PLUG RED BLUE PINK\nlineup BUBBLE\nstock BROKEN GREEN YELLOW RED"), discard("PINK"))
    assert DECK_THE_YARD.legal_commands(state, 0) == (UsePlug(True), UsePlug(False))
    assert after(state, UsePlug(True)).bubble == "*1"


def test_a_plug_declined_for_a_broken_bulb_is_kept_and_the_line_up_lost():
    state = after(position("hand PLUG RED BLUE PINK\nlineup RED BUBBLE\nstock BROKEN GREEN YELLOW"), discard("PINK"))
    assert events(state, UsePlug(False))[0] == ev.BrokenBulbResolved("*3", None, cards("RED BUBBLE"))
    assert names(after(state, UsePlug(False)).hand) == "PLUG RED BLUE GREEN YELLOW"


def test_a_plug_that_has_just_been_drawn_serves_for_the_next_card():
    state = after(position("hand RED BLUE PINK PINK GREEN\nstock PLUG RED"), discard("PINK"), discard("PINK"))
    assert names(state.hand) == "RED BLUE GREEN PLUG RED"
    asked = after(position("hand RED BLUE PINK\nstock PLUG SANTA RED RED RED"), discard("PINK"))
    assert names([asked.drawn]) == "SANTA"
    assert names(after(asked, UsePlug(True)).claims) == "SANTA"


def test_several_cards_drawn_at_once_may_each_ask_for_a_plug():
    state = after(position("hand PLUG PLUG RED BLUE\nstock SANTA FROSTY RED GREEN PINK BLUE"), discard("BLUE"))
    both = after(state, UsePlug(True), UsePlug(True))
    assert names(both.claims) == "SANTA FROSTY"
    assert names(both.hand) == "RED RED GREEN PINK BLUE"


def test_plugs_are_not_asked_for_when_there_is_none():
    state = position("hand RED BLUE PINK PINK\nstock SANTA GREEN BLUE")
    resolved = [event for event in events(state, discard("PINK")) if isinstance(event, ev.CharacterResolved)]
    assert resolved == [ev.CharacterResolved("KC", claimed=False)]


def test_a_plug_can_be_discarded_like_any_card():
    assert legal(position("hand PLUG\nstock RED"), discard("PLUG"))


def test_a_bubble_can_be_the_first_of_a_line_up_and_the_rest_fills_in_before_it():
    state = after(position("hand BUBBLE RED BLUE BLUE\nstock GREEN GREEN BLUE BLUE"), play("BUBBLE"), play("RED"))
    assert (names(state.bulbs), state.bubble) == ("RED", "*1")
    assert legal(state, play("GREEN"))


def test_after_an_outage_the_drawing_of_this_turn_ends_with_what_came():
    state = after(position("hand RED BLUE PINK PINK\nstock EVENT BROKEN RED"), discard("PINK"))
    assert (names(state.hand), names(state.stock)) == ("RED", "BROKEN")
    drawn = after(position("hand RED BLUE PINK PINK\nlineup RED\nstock EVENT BROKEN GREEN"), discard("PINK"))
    later = after(drawn, play("GREEN"))
    assert later.bulbs == ()
    assert DECK_THE_YARD.result(later).reason == "hand_empty"


def test_an_outage_with_an_empty_hand_and_an_empty_stock_ends_the_game():
    state = position("hand RED\nstock EVENT")
    assert [type(event) for event in events(state, discard("RED"))] == [
        ev.Discarded,
        ev.Drawn,
        ev.EventCardResolved,
        ev.PlayEnded,
    ]


def test_the_stock_is_shuffled_only_if_cards_were_set_aside():
    state = position("hand RED BLUE PINK PINK\nstock EVENT RED GREEN BLUE PINK YELLOW PURPLE")
    assert ev.StockShuffled not in map(type, events(state, discard("PINK")))
    assert names(after(state, discard("PINK")).stock) == "PURPLE"


def test_the_outcome_of_a_shuffle_is_recorded_with_the_chance_that_remains():
    state = position("hand RED BLUE PINK PINK\nstock EVENT SANTA RED GREEN BLUE PINK YELLOW PURPLE")
    shuffled = events(state, discard("PINK"))[-1]
    assert isinstance(shuffled, ev.StockShuffled)
    assert shuffled.chance.number == state.chance.number + 1
    assert after(state, discard("PINK")).chance == shuffled.chance
    assert sorted(names(shuffled.stock).split()) == ["PURPLE", "SANTA"]


def test_a_pattern_completed_as_the_eighth_claim_wins_before_anything_is_drawn():
    state = position(
        "hand PURPLE RED\nlineup RED GREEN PINK YELLOW\nclaims P02 P03 P04 P05 P06 SANTA FROSTY\nstock RED"
    )
    won = after(state, play("PURPLE"))
    assert (DECK_THE_YARD.result(won).ending, len(won.hand)) == ("won", 1)
    assert rule_against(won, discard("RED")) == "game_over"


def test_a_seventh_claim_does_not_end_the_game():
    state = position("hand PURPLE RED\nlineup RED GREEN PINK YELLOW\nclaims P02 P03 P04 P05 SANTA FROSTY\nstock RED")
    assert DECK_THE_YARD.result(after(state, play("PURPLE"))) is None


TWINS = "hand PURPLE BLUE PINK\nlineup RED GREEN PINK YELLOW\nstock RED GREEN BLUE PINK"


def test_with_other_patterns_the_player_chooses_between_two_that_are_completed(monkeypatch):
    monkeypatch.setitem(PATTERNS, *cards("P07"), PATTERNS[cards("P01")[0]])
    state = position(TWINS)
    assert events(state, play("PURPLE")) == (ev.ColourPlayed(*cards("PURPLE")),)
    both = after(state, play("PURPLE"))
    assert DECK_THE_YARD.look(both, 0).phase == "claim_pattern"
    assert DECK_THE_YARD.legal_commands(both, 0) == (ClaimPattern("pattern_0"), ClaimPattern("pattern_1"))
    assert rule_against(both, discard("BLUE")) == "claim_first"
    claimed = after(both, ClaimPattern("pattern_1"))
    assert names(claimed.claims) == "P07"
    assert names(claimed.hand) == "BLUE PINK RED GREEN BLUE"
    assert claimed.face_up == (*cards("P01"), both.pattern_stock[-1])


def test_a_chosen_pattern_as_the_eighth_claim_wins_at_once(monkeypatch):
    monkeypatch.setitem(PATTERNS, *cards("P07"), PATTERNS[cards("P01")[0]])
    state = position(TWINS + "\nclaims P02 P03 P04 P05 P06 SANTA FROSTY")
    won = after(state, play("PURPLE"), ClaimPattern("pattern_1"))
    assert (DECK_THE_YARD.result(won).ending, names(won.hand)) == ("won", "BLUE PINK")


def test_a_choice_of_patterns_with_an_empty_hand_is_still_open(monkeypatch):
    monkeypatch.setitem(PATTERNS, *cards("P07"), PATTERNS[cards("P01")[0]])
    both = after(position("hand PURPLE\nlineup RED GREEN PINK YELLOW"), play("PURPLE"))
    assert DECK_THE_YARD.result(both) is None
    assert DECK_THE_YARD.result(after(both, ClaimPattern("pattern_0"))).scores == (1,)


def test_no_other_seat_may_play():
    assert DECK_THE_YARD.legal_commands(TABLE, 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        DECK_THE_YARD.decide(TABLE, 1, discard("RED"))


def test_nothing_can_be_taken_back():
    assert DECK_THE_YARD.get(Undoing).allowed(DECK_THE_YARD.options()) is False


def test_before_the_deal_nothing_is_legal_and_nothing_has_ended():
    start = DECK_THE_YARD.initial(DECK_THE_YARD.options(), 1)
    assert rule_against(start, EndGame()) == "game_over"
    assert DECK_THE_YARD.result(start) is None
    assert DECK_THE_YARD.look(start, 0).phase == "deal"
