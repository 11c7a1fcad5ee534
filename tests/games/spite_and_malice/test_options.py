"""Every setting of the table and every option, and the tables that cannot be dealt."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.spite_and_malice import SPITE_AND_MALICE as GAME
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.events import Discard, EndTurn, Play
from domain.games.spite_and_malice.rules import first_player
from domain.games.spite_and_malice.state import Options, Settings, State, pack, settings_of

from .positions import SEED, After, given, held, opened, play, position, say


@pytest.mark.parametrize(
    ("preset", "stock", "draw", "jokers", "minimum_wild", "wilds_in_stock", "finish"),
    [
        ("snm_a", 20, 64, False, "K", True, 12),
        ("snm_pz", 20, 68, True, "joker", True, 13),
        ("snm_pz_nwis", 20, 68, True, "joker", False, 13),
        ("snm_a_short", 5, 94, False, "K", True, 12),
    ],
)
def test_a_preset_fills_every_setting(
    preset: str, stock: int, draw: int, jokers: bool, minimum_wild: str, wilds_in_stock: bool, finish: int
) -> None:
    options = GAME.get(OptionRules).settle(msgspec.convert({"preset": preset}, Options), 2)
    assert options == msgspec.convert(
        {
            "preset": preset, "shuffle_type": "draw_empty", "stock": stock, "play_decks": 4, "discards": 4, "hand": 5,
            "jokers": jokers, "packs": 2, "minimum_wild": minimum_wild, "wilds_in_stock": wilds_in_stock,
        },
        Options,
    )  # fmt: skip
    after = opened(preset=preset)
    dealt = after.events[0]
    assert isinstance(dealt, ev.Dealt)
    assert [len(dealt.stocks[0]), len(dealt.stocks[1]), len(dealt.draw)] == [stock, stock, draw]
    assert settings_of(options).finish == finish
    assert held(after.state) == sorted(pack(settings_of(options)))


def test_a_setting_that_is_given_stands_against_the_preset() -> None:
    options = GAME.get(OptionRules).settle(Options(preset="snm_pz", jokers=False, hand=7, stock=3), 2)
    assert (options.jokers, options.hand, options.stock, options.minimum_wild) == (False, 7, 3, "joker")
    assert GAME.get(OptionRules).settle(options, 2) == options


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"packs": 1, "stock": 24}, "too_many_cards"),
        ({"packs": 1, "stock": 22, "hand": 9}, "too_many_cards"),
        ({"packs": 1, "stock": 21, "minimum_wild": "J", "wilds_in_stock": False}, "stocks_without_wilds"),
        ({"minimum_wild": "5", "wilds_in_stock": False}, "stocks_without_wilds"),
        ({"stock": 4, "minimum_wild": "2", "wilds_in_stock": False}, "first_cards_equal"),
    ],
)
def test_a_table_that_cannot_be_dealt_is_refused(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(Illegal) as refused:
        GAME.get(OptionRules).settle(msgspec.convert(changes, Options), 2)
    assert refused.value.rule == rule


def test_a_table_that_takes_the_very_last_card_is_dealt() -> None:
    after = opened(packs=1, stock=22, hand=8)
    assert after.state.draw == ()
    assert len(opened(packs=1, stock=20, minimum_wild="J", wilds_in_stock=False).state.draw) == 7


@pytest.mark.parametrize(
    ("name", "value"),
    [("stock", 41), ("play_decks", 9), ("discards", 9), ("hand", 11), ("packs", 5), ("on_exhaustion", "both")],
)
def test_a_setting_out_of_bounds_cannot_be_read(name: str, value: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({name: value}, Options)


def test_the_number_of_piles_and_of_hand_cards_is_as_set() -> None:
    after = opened(play_decks=2, discards=6, hand=8, stock=3)
    zones = [zone.id for zone in GAME.look(after.state, 0).zones]
    assert [zone for zone in zones if zone.startswith("play")] == ["play_0", "play_1"]
    assert sum(zone.startswith("discard") for zone in zones) == 12
    assert len(after.state.hands[after.state.turn or 0]) == 8


def test_two_jokers_come_with_each_pack() -> None:
    assert [card for card in pack(Settings(jokers=True, packs=1)) if card[0] == "*"] == ["*1", "*2"]
    assert len(pack(Settings(jokers=True, packs=3))) == 3 * 54
    assert not any(card[0] == "*" for card in pack(Settings(packs=4)))


def test_everything_from_the_minimum_wild_on_is_wild_and_the_value_below_finishes() -> None:
    state = position("play_0: A-8\nplay_1: AS\nhand_0: TH QH 9H 3H *1", minimum_wild="T", jokers=True)
    assert play(state, "hand_0", "QH", "play_1").state.play_decks[1] == ("AS", "QH")
    assert play(state, "hand_0", "*1", "play_1").state.play_decks[1] == ("AS", "*1")
    assert play(state, "hand_0", "9H").kinds() == ["Played", "DeckRemoved"]
    with pytest.raises(Illegal):
        play(state, "hand_0", "3H")


def test_with_two_as_lowest_wild_every_card_finishes_a_deck() -> None:
    state = position("hand_0: 2H AH 9H", minimum_wild="2")
    assert play(state, "hand_0", "2H", "play_3").kinds() == ["Played", "DeckRemoved"]
    assert play(state, "hand_0", "AH").kinds() == ["Played", "DeckRemoved"]


def test_a_minimum_wild_of_joker_without_jokers_leaves_nothing_wild() -> None:
    state = position("play_0: A-Q\nhand_0: KH 2H", minimum_wild="joker")
    assert play(state, "hand_0", "KH").kinds() == ["Played", "DeckRemoved"]
    with pytest.raises(Illegal):
        play(state, "hand_0", "KH", "play_1")


def test_a_wild_counts_lowest_for_the_first_player_where_that_is_chosen() -> None:
    kings_low = settings_of(GAME.get(OptionRules).settle(Options(wild_lowest=True, jokers=True), 2))
    assert first_player(kings_low, ev.Dealt((("KS",), ("2S",)), ())) == 1
    assert first_player(kings_low, ev.Dealt((("KS",), ("*1",)), ())) is None
    assert first_player(Settings(jokers=True), ev.Dealt((("KS",), ("*1",)), ())) == 1
    assert opened(given("KS", "2S"), wild_lowest=True).state.turn == 1


def test_an_ace_that_can_be_played_keeps_the_turn_open_where_that_is_chosen() -> None:
    drawing = "hand_0: 9H\ndiscard_0_1: AD\ndraw: 20x\nplay_0: A-8"
    state = position(drawing, must_play_ace=True)
    with pytest.raises(Illegal) as refused:
        say(state, Discard("9H", "discard_0_0"))
    assert refused.value.rule == "ace_first"
    assert set(GAME.legal_commands(state, 0)) == {
        Play("hand_0", "9H", "play_0"), *(Play("discard_0_1", None, deck) for deck in ("play_1", "play_2", "play_3")),
    }  # fmt: skip
    laid = play(state, "discard_0_1").state
    assert say(laid, Discard("9H", "discard_0_0")).state.turn == 1
    assert say(position(drawing), Discard("9H", "discard_0_0")).state.turn == 1


@pytest.mark.parametrize("zone", ["stock_0: AD", "hand_0: AD 9H"])
def test_a_waiting_ace_is_seen_on_the_stock_and_in_the_hand(zone: str) -> None:
    state = position(f"hand_0: 9H\n{zone}", must_play_ace=True)
    assert not any(isinstance(command, Discard) for command in GAME.legal_commands(state, 0))


def test_an_ace_without_an_empty_play_deck_may_wait() -> None:
    decks = "\n".join(f"play_{deck}: AS" for deck in range(4))
    state = position(f"hand_0: AD 9H\nhand_1: 2H\ndraw: 20x\n{decks}", must_play_ace=True)
    assert say(state, Discard("AD", "discard_0_0")).state.turn == 1


OUT_OF_CARDS = """
    stock_0: 2C 7C
    stock_1: 7D
    hand_0: 9H
    hand_1: 2H 3C
    discard_1_0: 4C 5C
    play_0: A-5
    draw: 8C 9C
"""


def test_the_fewest_stock_cards_win_where_that_is_chosen() -> None:
    after = say(position(OUT_OF_CARDS, on_exhaustion="fewest_stock_wins"), Discard("9H", "discard_0_0"))
    assert after.kinds() == ["Discarded", "TurnStarted", "Exhausted"]
    assert GAME.result(after.state) == Result("won", "fewest_stock_cards", (1,))
    level = position("hand_0: 9H", on_exhaustion="fewest_stock_wins")
    assert GAME.result(say(level, Discard("9H", "discard_0_0")).state) == Result("drawn", "equal_stocks")


def test_everything_outside_the_stocks_is_dealt_again_where_that_is_chosen() -> None:
    state = position(OUT_OF_CARDS, on_exhaustion="redeal_hands_and_discards")
    after = say(state, Discard("9H", "discard_0_0"))
    assert after.kinds() == ["Discarded", "TurnStarted", "Redealt", "Drawn"]
    assert [len(hand) for hand in after.state.hands] == [0, 5]
    assert after.state.stocks == state.stocks
    assert not any((*after.state.play_decks, *after.state.discards[0], *after.state.discards[1], after.state.removed))
    assert held(after.state) == held(state)


def _over(after: After) -> bool:
    return GAME.result(after.state) is not None


def test_after_three_redeals_without_a_stock_card_played_a_fourth_draws_the_game() -> None:
    after = say(position(OUT_OF_CARDS, on_exhaustion="redeal_hands_and_discards"), Discard("9H", "discard_0_0"))
    assert after.state.redeals == 1
    kinds: list[str] = []
    while not _over(after):
        after = _discard_once(after.state)
        kinds += after.kinds()
    assert kinds.count("Redealt") == 2
    assert kinds[-1] == "Deadlocked"
    assert GAME.result(after.state) == Result("drawn", "three_idle_redeals")


def _discard_once(state: State) -> After:
    seat = 0 if state.turn is None else state.turn
    return say(state, Discard(state.hands[seat][0], f"discard_{seat}_0"))


def test_a_stock_card_played_starts_the_count_of_redeals_anew() -> None:
    drawing = "hand_0: 9H AD\nstock_0: 9S AH\ndraw: 2C 3C 4C"
    state = position(drawing, on_exhaustion="redeal_hands_and_discards")
    state = replace(state, redeals=3)
    assert play(state, "hand_0", "AD").state.redeals == 3
    after = say(play(state, "stock_0").state, Discard("9H", "discard_0_0"))
    assert after.kinds()[-2:] == ["Redealt", "Drawn"]
    assert after.state.redeals == 1


def partial(drawing: str, **options: Any) -> Any:
    return position(drawing, on_exhaustion="partial_draw", **options)


def test_two_turns_in_a_row_ended_on_an_empty_hand_without_a_play_draw_the_game() -> None:
    first = say(partial("hand_0:\nstock_0: 9C 8C"), EndTurn())
    assert first.kinds() == ["TurnEnded", "TurnStarted"]
    assert GAME.legal_commands(first.state, 1) == (EndTurn(),)
    second = say(first.state, EndTurn())
    assert second.kinds() == ["TurnEnded", "Deadlocked"]
    assert GAME.result(second.state) == Result("drawn", "two_idle_turns")


def test_a_play_or_a_discard_in_between_lets_the_game_go_on() -> None:
    state = partial("stock_0: 9C 8C\nstock_1: 5D AD\nhand_1:")
    state = say(state, EndTurn()).state
    state = say(play(state, "stock_1").state, EndTurn()).state
    assert GAME.result(state) is None
    state = partial("hand_1: 9H\nstock_0: 9C 8C")
    state = say(say(state, EndTurn()).state, Discard("9H", "discard_1_0")).state
    assert GAME.result(say(state, EndTurn()).state) is None


def test_an_empty_hand_is_filled_as_soon_as_a_removed_deck_brings_cards_back() -> None:
    state = partial("stock_0: 9C QC\nplay_1: A-J\nhand_0:")
    after = play(state, "stock_0")
    assert after.kinds() == ["Played", "DeckRemoved", "StockTurned", "Reshuffled", "Drawn"]
    assert len(after.state.hands[0]) == 5


def test_any_draw_shuffles_before_the_hand_is_filled_in_mid_turn_too() -> None:
    state = position("hand_0: AH\ndraw: 30x", shuffle_type="any_draw")
    after = play(state, "hand_0", "AH")
    assert after.kinds() == ["Played", "Reshuffled", "Drawn"]
    assert opened(shuffle_type="any_draw").kinds()[-2:] == ["Reshuffled", "Drawn"]


def test_each_later_shuffle_is_another_one() -> None:
    state = position("hand_0: AH\ndraw: 30x", shuffle_type="any_draw")
    once = play(state, "hand_0", "AH").events[1]
    assert isinstance(once, ev.Reshuffled)
    assert once.chance == Chance(SEED, 1)
    assert once.draw != state.draw
    assert sorted(once.draw) == sorted(state.draw)


def test_a_given_deal_is_dealt_alternately_and_then_lies_in_the_draw_deck() -> None:
    cards = tuple(reversed(pack(Settings())))
    dealt = opened(Chance(SEED, given=cards)).events[0]
    assert dealt == ev.Dealt((cards[0:40:2], cards[1:40:2]), cards[40:], Chance(SEED, 1))


def test_a_given_deal_that_is_not_the_pack_is_refused() -> None:
    with pytest.raises(Illegal) as refused:
        opened(Chance(SEED, given=pack(Settings())), jokers=True)
    assert refused.value.rule == "given_deal"


def test_a_given_deal_may_put_no_wild_into_the_stocks_where_there_are_none() -> None:
    plain, jokers = pack(Settings()), ("*1", "*2", "*3", "*4")
    fits = opened(Chance(SEED, given=plain + jokers), preset="snm_pz_nwis").events[0]
    assert isinstance(fits, ev.Dealt)
    assert fits.draw[-4:] == jokers
    with pytest.raises(Illegal) as refused:
        opened(Chance(SEED, given=jokers + plain), preset="snm_pz_nwis")
    assert refused.value.rule == "given_deal"
    assert opened(Chance(SEED, given=jokers + plain), preset="snm_pz").state.turn is not None


def test_nothing_is_shuffled_before_a_draw_where_there_is_nothing_to_draw() -> None:
    after = say(partial("stock_0: 9C 8C", shuffle_type="any_draw"), EndTurn())
    assert after.kinds() == ["TurnEnded", "TurnStarted"]


def test_who_has_won_draws_no_more() -> None:
    after = play(partial("stock_0: QC\nplay_1: A-J\nhand_0:"), "stock_0")
    assert after.kinds() == ["Played", "DeckRemoved"]
    assert GAME.result(after.state) == Result("won", "stock_played", (0,))
