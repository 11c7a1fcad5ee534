"""The worked cases of Spite & Malice, one test each."""

import msgspec
import pytest

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.spite_and_malice import SPITE_AND_MALICE as GAME
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.events import Discard
from domain.games.spite_and_malice.state import Options, Settings, pack

from .positions import given, opened, play, position, say

PZ = pack(Settings(jokers=True))


@pytest.mark.parametrize(
    ("preset", "tops", "first"),
    [("snm_a", "9S QS", 1), ("snm_a", "QS 9S", 0), ("snm_a", "KS QS", 0), ("snm_pz", "KS *1", 1)],
)
def test_the_higher_first_stock_card_begins_though_it_be_wild(preset: str, tops: str, first: int) -> None:
    cards = PZ if preset == "snm_pz" else pack(Settings())
    after = opened(given(tops[:2], tops[3:], cards), preset=preset)
    assert after.kinds() == ["Dealt", "TurnStarted", "Drawn"]
    assert after.state.turn == first
    assert [len(hand) for hand in after.state.hands] == ([0, 5] if first else [5, 0])


def test_equal_first_cards_have_everything_dealt_again() -> None:
    after = opened(given("7S", "7H"))
    first, second = (event for event in after.events if isinstance(event, ev.Dealt))
    assert after.kinds() == ["Dealt", "Dealt", "TurnStarted", "Drawn"]
    assert [stock[-1] for stock in first.stocks] == ["7S", "7H"]
    assert second.stocks != first.stocks
    assert after.state.stocks == second.stocks
    assert first.chance is not None
    assert second.chance is not None
    assert second.chance.number > first.chance.number


def test_an_empty_play_deck_takes_an_ace_or_a_wild_but_no_two() -> None:
    state = position("hand_0: AH KH 2H 3H")
    assert play(state, "hand_0", "AH", "play_1").state.play_decks[1] == ("AH",)
    assert play(state, "hand_0", "KH", "play_1").state.play_decks[1] == ("KH",)
    with pytest.raises(Illegal) as refused:
        play(state, "hand_0", "2H", "play_1")
    assert refused.value.rule == "not_next_in_sequence"


def test_a_wild_stands_for_its_place_so_that_a_four_follows_it() -> None:
    state = position("""
        play_0: AS 2S KH
        hand_0: 4H 3H
    """)
    assert play(state, "hand_0", "4H", "play_0").state.play_decks[0] == ("AS", "2S", "KH", "4H")
    with pytest.raises(Illegal):
        play(state, "hand_0", "3H", "play_0")


@pytest.mark.parametrize("last", ["QH", "KH"])
def test_where_kings_are_wild_a_queen_or_a_king_finishes_a_deck_of_eleven(last: str) -> None:
    state = position("""
        play_2: A-J
        hand_0: QH KH 3H
    """)
    after = play(state, "hand_0", last, "play_2")
    assert after.kinds() == ["Played", "DeckRemoved"]
    assert after.state.play_decks[2] == ()
    assert after.state.removed == (*state.play_decks[2], last)


@pytest.mark.parametrize("last", ["KH", "*3"])
def test_where_jokers_are_wild_a_king_or_a_joker_finishes_a_deck_of_twelve(last: str) -> None:
    state = position(
        """
        play_0: A-Q
        play_1: A-5
        hand_0: KH *3 3H
        """,
        preset="snm_pz",
    )
    assert play(state, "hand_0", last, "play_0").state.play_decks[0] == ()
    with pytest.raises(Illegal):
        play(state, "hand_0", "KH", "play_1")


def test_a_hand_emptied_by_plays_is_filled_at_once_and_the_turn_goes_on() -> None:
    state = position("""
        hand_0: AH 2H 3H 4H 5H
        draw: 10x
    """)
    for card in ("AH", "2H", "3H", "4H"):
        state = play(state, "hand_0", card, "play_0").state
    after = play(state, "hand_0", "5H", "play_0")
    assert after.kinds() == ["Played", "Drawn"]
    assert after.state.hands[0] == state.draw[:5]
    assert after.state.turn == 0


def test_the_last_hand_card_discarded_passes_the_turn_without_a_draw() -> None:
    state = position("""
        hand_0: 9H
        hand_1: 2H
        draw: 20x
    """)
    after = say(state, Discard("9H", "discard_0_0"))
    assert after.kinds() == ["Discarded", "TurnStarted", "Drawn"]
    assert after.state.turn == 1
    assert [len(hand) for hand in after.state.hands] == [0, 5]
    again = say(after.state, Discard("2H", "discard_1_0"))
    assert len(again.state.hands[0]) == 5


def test_a_stock_card_goes_to_a_play_deck_and_nowhere_else() -> None:
    state = position("""
        stock_0: 9H 6H
        play_1: A-5
        hand_0: 2H
    """)
    after = play(state, "stock_0", target="play_1")
    assert after.kinds() == ["Played", "StockTurned"]
    assert after.events[1] == ev.StockTurned(0, "9H")
    with pytest.raises(Illegal) as to_hand:
        play(state, "stock_0", target="hand_0")
    with pytest.raises(Illegal) as to_discard:
        say(state, Discard("6H", "discard_0_0", "stock_0"))
    with pytest.raises(Illegal) as unsaid:
        say(state, Discard("6H", "discard_0_0"))
    rules = [refused.value.rule for refused in (to_hand, to_discard, unsaid)]
    assert rules == ["play_decks_only", "discard_from_hand", "not_in_hand"]


def test_only_the_top_of_a_discard_pile_can_be_played_and_then_the_next() -> None:
    state = position("""
        discard_0_2: 9H 4H
        play_0: A-3
        play_1: A-8
        hand_0: 2H
    """)
    with pytest.raises(Illegal) as buried:
        play(state, "discard_0_2", "9H", "play_1")
    assert buried.value.rule == "top_card_only"
    state = play(state, "discard_0_2", target="play_0").state
    assert play(state, "discard_0_2", target="play_1").state.discards[0][2] == ()


def test_discards_lie_in_any_order_and_never_move_from_pile_to_pile() -> None:
    state = position("""
        discard_0_0: 3H
        hand_0: QH
        draw: 9x
    """)
    assert say(state, Discard("QH", "discard_0_0")).state.discards[0][0] == ("3H", "QH")
    with pytest.raises(Illegal) as refused:
        play(state, "discard_0_0", target="discard_0_1")
    assert refused.value.rule == "play_decks_only"


def test_a_draw_split_by_the_end_of_the_deck_takes_recycles_and_takes_the_rest() -> None:
    state = position("""
        hand_0: 9H
        hand_1: 2H
        draw: 8C 9C
        removed: 24x
    """)
    after = say(state, Discard("9H", "discard_0_0"))
    assert after.kinds() == ["Discarded", "TurnStarted", "Drawn", "Reshuffled", "Drawn"]
    assert after.state.hands[1][:3] == ("2H", "8C", "9C")
    assert [len(after.state.hands[1]), len(after.state.draw), len(after.state.removed)] == [5, 22, 0]
    assert sorted(after.state.hands[1][3:] + after.state.draw) == sorted(state.removed)


def test_a_draw_that_cannot_be_completed_draws_the_game_unless_partial_draws_are_played() -> None:
    drawing = """
        hand_0: 9H
        hand_1: 2H
        draw: 8C 9C
    """
    ended = say(position(drawing), Discard("9H", "discard_0_0"))
    assert ended.kinds() == ["Discarded", "TurnStarted", "Exhausted"]
    assert GAME.result(ended.state) == Result("drawn", "cannot_draw")
    partial = say(position(drawing, on_exhaustion="partial_draw"), Discard("9H", "discard_0_0"))
    assert partial.state.hands[1] == ("2H", "8C", "9C")
    assert GAME.result(partial.state) is None


def test_the_last_stock_card_wins_at_once() -> None:
    state = position("""
        stock_0: 7H
        play_0: A-6
        hand_0: 2H
    """)
    after = play(state, "stock_0")
    assert after.kinds() == ["Played"]
    assert GAME.result(after.state) == Result("won", "stock_played", (0,))
    assert GAME.legal_commands(after.state, 0) == ()


@pytest.mark.parametrize("seed", range(20))
def test_without_wilds_in_the_stocks_all_four_jokers_are_in_the_draw_deck(seed: int) -> None:
    dealt = opened(Chance(bytes([seed]) * 32), preset="snm_pz_nwis").events[0]
    assert isinstance(dealt, ev.Dealt)
    assert not any(card[0] == "*" for stock in dealt.stocks for card in stock)
    assert [len(dealt.stocks[0]), len(dealt.stocks[1]), len(dealt.draw)] == [20, 20, 68]
    assert sorted(card for card in dealt.draw if card[0] == "*") == ["*1", "*2", "*3", "*4"]


def test_autoplay_takes_the_lowest_numbered_deck_and_refuses_a_wild() -> None:
    state = position(
        """
        play_0: A-4
        play_1: A-4
        play_2: AS 2S
        hand_0: 5H *1
        """,
        preset="snm_pz",
    )
    assert play(state, "hand_0", "5H").events[0] == ev.Played(0, "hand_0", "5H", "play_0")
    with pytest.raises(Illegal) as refused:
        play(state, "hand_0", "*1")
    assert refused.value.rule == "wild_needs_target"


def test_the_literal_row_of_megiddo_cannot_be_opened() -> None:
    row = {
        "shuffle_type": "deck_removed", "stock": 0, "play_decks": 0, "discards": 0, "hand": 0, "jokers": False,
        "packs": 0, "minimum_wild": "A", "wilds_in_stock": False,
    }  # fmt: skip
    for name in ("stock", "play_decks", "discards", "hand", "packs", "minimum_wild"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({name: row[name]}, Options)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(row, Options)


def _finish_and_discard(drawing: str, shuffle_type: str) -> list[list[str]]:
    state = position(drawing, shuffle_type=shuffle_type)
    finished = play(state, "hand_0", "QH", "play_0")
    return [finished.kinds(), say(finished.state, Discard("9H", "discard_0_0")).kinds()]


def test_a_removed_deck_joins_the_draw_deck_shuffled_at_the_removal_or_before_the_draw() -> None:
    drawing = """
        draw: 8C 9C TC
        play_0: A-J
        hand_0: QH 9H
        hand_1: 2H
    """
    discards = ["Discarded", "TurnStarted", "Reshuffled", "Drawn"]
    assert _finish_and_discard(drawing, "any_draw") == [["Played", "DeckRemoved"], discards]
    assert _finish_and_discard(drawing, "deck_removed") == [
        ["Played", "DeckRemoved"],
        ["Discarded", "TurnStarted", "Drawn"],
    ]
    for shuffle_type in ("any_draw", "deck_removed"):
        finished = play(position(drawing, shuffle_type=shuffle_type), "hand_0", "QH", "play_0").state
        assert [len(finished.draw), len(finished.removed)] == [15, 0]
        assert (finished.draw[:3] == ("8C", "9C", "TC")) == (shuffle_type == "any_draw")
        assert len(say(finished, Discard("9H", "discard_0_0")).state.draw) == 11


@pytest.mark.parametrize("shuffle_type", ["any_draw", "deck_removed", "draw_empty"])
def test_with_three_cards_and_no_deck_removed_a_draw_of_four_draws_the_game(shuffle_type: str) -> None:
    drawing = """
        draw: 8C 9C TC
        hand_0: 9H
        hand_1: 2H
    """
    state = position(drawing, shuffle_type=shuffle_type)
    after = say(state, Discard("9H", "discard_0_0"))
    assert GAME.result(after.state) == Result("drawn", "cannot_draw")
