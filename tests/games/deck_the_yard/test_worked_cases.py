"""Deck the Yard as it is played, case by case. Face up lie P01 and P07 unless a test says otherwise.

P01 is red, green, pink, yellow, purple; P07 is red, yellow, purple, green, pink.
"""

from msgspec.structs import replace

from domain.game_type import Result
from domain.games.deck_the_yard import DECK_THE_YARD
from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.events import EndGame, UsePlug
from domain.games.deck_the_yard.state import BUBBLE, COLOUR, PATTERNS, STOCK

from .positions import after, cards, dealt, discard, events, legal, names, play, position, rule_against, zones


def test_the_stock_of_70_cards_has_65_left_after_the_deal_however_many_were_replaced():
    assert len(STOCK) == 70
    for seed in range(30):
        state = dealt(seed=bytes([seed]) * 32)
        assert (len(state.hand), len(state.stock)) == (5, 65)
        assert sorted(state.hand + state.stock) == sorted(STOCK)


def test_only_the_beginning_of_a_face_up_pattern_a_bubble_and_discards_can_be_played_first():
    state = position("hand RED BLUE GREEN BUBBLE PLUG\nstock RED")
    discards = [discard(name) for name in ("RED", "BLUE", "GREEN", "BUBBLE", "PLUG")]
    assert DECK_THE_YARD.legal_commands(state, 0) == (play("RED"), play("BUBBLE"), *discards)
    assert rule_against(state, play("BLUE")) == rule_against(state, play("GREEN")) == "next_in_pattern"


def test_while_both_patterns_are_open_both_may_be_continued_and_then_only_one():
    state = position("hand GREEN YELLOW PINK RED\nlineup RED\nstock BLUE BLUE")
    assert legal(state, play("GREEN"))
    assert legal(state, play("YELLOW"))
    green = after(state, play("GREEN"))
    assert rule_against(green, play("YELLOW")) == "next_in_pattern"
    assert legal(green, play("PINK"))


def test_four_bulbs_and_a_bubble_complete_a_pattern():
    state = position("hand PINK YELLOW BLUE BLUE\nlineup RED GREEN BUBBLE\nstock RED RED RED RED")
    done = after(state, play("PINK"), play("YELLOW"))
    assert names(done.claims) == "P01"
    assert names(done.discard) == "RED GREEN PINK YELLOW BUBBLE"
    assert (done.bulbs, done.bubble) == ((), None)
    assert len([card for card in done.face_up if card in PATTERNS]) == 2
    assert done.face_up == (state.pattern_stock[-1], cards("P07")[0])


def test_a_bubble_as_the_fifth_bulb_completes_a_pattern():
    state = position("hand BUBBLE RED RED RED\nlineup RED GREEN PINK YELLOW\nstock RED")
    assert events(state, play("BUBBLE"))[:2] == (
        ev.BubblePlayed("*1"),
        ev.PatternClaimed("pattern_0", "AS", cards("RED GREEN PINK YELLOW BUBBLE")),
    )
    assert names(after(state, play("BUBBLE")).claims) == "P01"


def test_there_is_one_bubble_in_a_pattern_and_no_fifth_colour_beside_it():
    state = position("hand BUBBLE PURPLE YELLOW RED\nlineup RED GREEN PINK BUBBLE\nstock RED")
    assert rule_against(state, play("BUBBLE")) == "one_bubble"
    assert rule_against(state, play("PURPLE")) == "next_in_pattern"
    assert legal(state, play("YELLOW"))


OUTAGE = "stock EVENT BROKEN RED SANTA BLUE PLUG BUBBLE EVENT GREEN PINK YELLOW"


def test_an_event_without_a_plug_discards_the_hand_and_sets_specials_of_the_new_one_aside():
    state = position("hand RED RED BLUE PINK PURPLE\n" + OUTAGE)
    dark = after(state, discard("PURPLE"))
    assert names(dark.hand) == "RED BLUE PLUG BUBBLE GREEN"
    assert names(dark.discard) == "PURPLE EVENT RED RED BLUE PINK"
    assert sorted(names(dark.stock).split()) == ["BROKEN", "EVENT", "PINK", "SANTA", "YELLOW"]
    assert [type(event) for event in events(state, discard("PURPLE"))] == [
        ev.Discarded,
        ev.Drawn,
        ev.EventCardResolved,
        ev.HandRedrawn,
        ev.StockShuffled,
    ]


def test_a_plug_cancels_an_event_and_two_more_cards_are_drawn():
    state = after(position("hand PLUG RED BLUE PINK PURPLE\nstock EVENT GREEN YELLOW BLUE"), discard("PURPLE"))
    assert DECK_THE_YARD.legal_commands(state, 0) == (UsePlug(True), UsePlug(False))
    assert events(state, UsePlug(True))[0] == ev.EventCardResolved("*4", False, "*2")
    used = after(state, UsePlug(True))
    assert names(used.hand) == "RED BLUE PINK GREEN YELLOW"
    assert names(used.discard) == "PURPLE EVENT PLUG"


def test_a_plug_kept_back_from_an_event_goes_with_the_whole_hand():
    state = after(position("hand PLUG RED BLUE PINK PURPLE\n" + OUTAGE), discard("PURPLE"))
    assert events(state, UsePlug(False))[0] == ev.EventCardResolved("*4", True, None, cards("PLUG RED BLUE PINK"))
    assert names(after(state, UsePlug(False)).hand) == "RED BLUE PLUG BUBBLE GREEN"


def test_a_broken_bulb_that_meets_no_line_up_asks_for_no_plug():
    state = position("hand PLUG RED BLUE PINK PURPLE\nstock BROKEN GREEN BLUE")
    kept = after(state, discard("PURPLE"))
    assert names(kept.hand) == "PLUG RED BLUE PINK GREEN"
    assert names(kept.discard) == "PURPLE BROKEN"


def test_a_broken_bulb_without_a_plug_takes_the_whole_line_up_and_the_bubble():
    state = position("hand RED BLUE PINK PURPLE YELLOW\nlineup RED GREEN BUBBLE\nstock BROKEN GREEN BLUE")
    broken = after(state, discard("PURPLE"))
    assert (broken.bulbs, broken.bubble) == ((), None)
    assert names(broken.discard) == "PURPLE BROKEN RED GREEN BUBBLE"
    assert names(broken.hand) == "RED BLUE PINK YELLOW GREEN"


def test_a_character_as_the_eighth_claim_wins_before_any_further_card_is_drawn():
    drawn = "hand PLUG RED BLUE PINK PURPLE\nstock SANTA GREEN BLUE\nclaims P02 P03 P04 P05 P06 MRS_CLAUS FROSTY"
    won = after(position(drawn), discard("PURPLE"), UsePlug(True))
    assert DECK_THE_YARD.result(won) == Result("won", "eight_claims", (0,), (8,))
    assert names(won.hand) == "RED BLUE PINK"
    assert names(won.stock) == "BLUE GREEN"
    assert DECK_THE_YARD.legal_commands(won, 0) == ()


def test_a_character_without_a_plug_is_discarded_and_drawing_goes_on():
    state = after(position("hand RED RED BLUE PINK PURPLE\nstock SANTA GREEN BLUE"), discard("PURPLE"))
    assert names(state.hand) == "RED RED BLUE PINK GREEN"
    assert names(state.discard) == "PURPLE SANTA"
    assert state.claims == ()


def test_with_an_empty_stock_a_useless_bulb_can_be_discarded_or_the_game_ended():
    state = position("hand BLUE\nlineup RED GREEN PINK\nclaims P02 P03")
    assert DECK_THE_YARD.legal_commands(state, 0) == (discard("BLUE"), EndGame())
    assert DECK_THE_YARD.result(after(state, discard("BLUE"))) == Result("lost", "hand_empty", (), (2,))
    assert DECK_THE_YARD.result(after(state, EndGame())) == Result("lost", "ended_by_player", (), (2,))


def test_48_bulbs_make_nine_strands_so_that_the_patterns_cannot_run_out():
    bulbs = [card for card in STOCK if card in COLOUR or card == BUBBLE]
    assert len(bulbs) // 5 == 9 < len(PATTERNS)


def test_with_no_pattern_to_come_a_claimed_one_leaves_its_place_empty():
    state = replace(position("hand PURPLE BLUE\nlineup RED GREEN PINK YELLOW\nstock RED RED"), pattern_stock=())
    last = after(state, play("PURPLE"))
    assert last.face_up == (None, *cards("P07"))
    assert [legal(last, play(colour)) for colour in ("RED", "BLUE")] == [True, False]
    assert zones(last)["pattern_0"].cards == ()


def test_an_outage_that_finds_only_specials_empties_the_hand_and_ends_the_game():
    state = position("hand RED BLUE PINK PINK GREEN\nstock EVENT BROKEN SANTA\nclaims P02")
    over = after(state, discard("GREEN"))
    assert DECK_THE_YARD.result(over) == Result("lost", "hand_empty", (), (1,))
    assert sorted(names(over.stock).split()) == ["BROKEN", "SANTA"]
    assert names(over.discard) == "GREEN EVENT RED BLUE PINK PINK"


def test_a_bubble_alone_is_a_line_up_for_a_broken_bulb():
    state = position("hand RED BLUE PINK PURPLE YELLOW\nlineup BUBBLE\nstock BROKEN GREEN BLUE")
    broken = after(state, discard("PURPLE"))
    assert broken.bubble is None
    assert names(broken.discard) == "PURPLE BROKEN BUBBLE"
    assert zones(broken)["lineup"].cards == ()
