"""The rules of Spite & Malice: plays, discards, draws, wilds and options."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.game_type import Result
from domain.games.spite_and_malice import SPITE_AND_MALICE as GAME
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.events import COMMANDS, Command, Discard, EndTurn, Play
from domain.games.spite_and_malice.rules import first_player, settle
from domain.games.spite_and_malice.state import DISCARD, HAND, PLAY, STOCK, Options, Settings, pack, settings_of
from domain.games.spite_and_malice.view import MATERIAL
from tests.domain.played import refusal

from .positions import SEED, SPITE, given, held, opened, play, position, say

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


DRAWN, KINGS = Result("drawn", "cannot_draw"), "play_2: A-J\nhand_0: QH KH 3H"
JOKERS = "play_0: A-Q\nplay_1: A-5\nhand_0: KH *3 3H"
OPENING = "hand_0: AH KH 2H 3H"
FINISH = "stock_0: 2H QH\nplay_0: A-J\nhand_0: 9H"
SHORT = "hand_0: 9H\nhand_1: 2H\ndraw: 8C 9C"
TENS = "play_0: A-8\nplay_1: AS\nhand_0: TH QH 9H 3H *1"
FOLLOWS: dict[str, tuple[str, dict[str, Any], str, list[str], dict[str, Any]]] = {
    "an ace opens a deck": (OPENING, {}, "hand_0 AH play_1", ["Played"], {"play_decks": ((), ("AH",), (), ())}),
    "a wild opens a deck": (OPENING, {}, "hand_0 KH play_1", ["Played"], {"play_decks": ((), ("KH",), (), ())}),
    "a four follows a wild that stands for a three": (
        "play_0: AS 2S KH\nhand_0: 4H 3H", {}, "hand_0 4H play_0", ["Played"],
        {"play_decks": (("AS", "2S", "KH", "4H"), (), (), ())},
    ),
    **{f"where kings are wild {card} finishes a deck": (
        KINGS, {}, f"hand_0 {card} play_2", ["Played", "DeckRemoved"],
        {"play_decks": ((),) * 4, "removed": (*pack(Settings())[:11], card)},
    ) for card in ("QH", "KH")},
    **{f"where jokers are wild {card} finishes a deck": (
        JOKERS, {"preset": "snm_pz"}, f"hand_0 {card} play_0", ["Played", "DeckRemoved"], {},
    ) for card in ("KH", "*3")},
    "the last card discarded passes the turn without a draw": (
        "hand_0: 9H\nhand_1: 2H 3H 4H 5H\ndraw: 8C 9C", {}, "discard 9H discard_0_0",
        ["Discarded", "TurnStarted", "Drawn"],
        {"turn": 1, "hands": ((), ("2H", "3H", "4H", "5H", "8C")), "draw": ("9C",)},
    ),
    "a hand emptied by plays is filled at once": (
        "hand_0: AH\ndraw: 2C 3C 4C 5C 6C 7C", {}, "hand_0 AH play_0", ["Played", "Drawn"],
        {"turn": 0, "hands": (("2C", "3C", "4C", "5C", "6C"), ()), "draw": ("7C",)},
    ),
    "a stock card goes to a play deck": (
        "stock_0: 9H 6H\nplay_1: A-5\nhand_0: 2H", {}, "stock_0 - play_1", ["Played", "StockTurned"],
        {"stocks": (("9H",), ("7D",))},
    ),
    "discards lie in any order": (
        "discard_0_0: 3H\nhand_0: QH\ndraw: 9x", {}, "discard QH discard_0_0", ["Discarded", "TurnStarted", "Drawn"],
        {"discards": ((("3H", "QH"), (), (), ()), ((),) * 4)},
    ),
    "a draw that cannot be completed": (
        SHORT, {}, "discard 9H discard_0_0", ["Discarded", "TurnStarted", "Exhausted"], {},
    ),
    "a partial draw": (
        SHORT, {"on_exhaustion": "partial_draw"}, "discard 9H discard_0_0", ["Discarded", "TurnStarted", "Drawn"],
        {"hands": ((), ("2H", "8C", "9C"))},
    ),
    "the last stock card wins at once": ("stock_0: 7H\nplay_0: A-6\nhand_0: 2H", {}, "stock_0", ["Played"], {}),
    "autoplay takes the lowest deck": (
        "play_0: A-4\nplay_1: A-4\nplay_2: AS 2S\nhand_0: 5H *1", {"preset": "snm_pz"}, "hand_0 5H", ["Played"],
        {"play_decks": (("AS", "2S", "3S", "4S", "5H"), ("AS", "2S", "3S", "4S"), ("AS", "2S"), ())},
    ),
    "a deck finished by the last hand card goes before the hand is filled": (
        "hand_0: QH\nplay_0: A-J\ndraw: 8C 9C", {}, "hand_0 QH",
        ["Played", "DeckRemoved", "Drawn", "Reshuffled", "Drawn"], {},
    ),
    "a stock card that finishes a deck": (FINISH, {}, "stock_0", ["Played", "DeckRemoved", "StockTurned"], {}),
    "the draw deck is not recycled before a card is needed": (
        f"{SHORT} TC JC\nremoved: 12x", {}, "discard 9H discard_0_0", ["Discarded", "TurnStarted", "Drawn"],
        {"draw": ()},
    ),
    "from the minimum wild on all are wild": (
        TENS, {"minimum_wild": "T", "jokers": True}, "hand_0 QH play_1", ["Played"], {},
    ),
    "jokers, too": (TENS, {"minimum_wild": "T", "jokers": True}, "hand_0 *1 play_1", ["Played"], {}),
    "the value below finishes": (
        TENS, {"minimum_wild": "T", "jokers": True}, "hand_0 9H", ["Played", "DeckRemoved"], {},
    ),
    "with two as lowest wild a two finishes": (
        "hand_0: 2H AH 9H", {"minimum_wild": "2"}, "hand_0 2H play_3", ["Played", "DeckRemoved"], {},
    ),
    "and an ace": ("hand_0: 2H AH 9H", {"minimum_wild": "2"}, "hand_0 AH", ["Played", "DeckRemoved"], {}),
    "a king finishes where nothing is wild": (
        "play_0: A-Q\nhand_0: KH 2H", {"minimum_wild": "joker"}, "hand_0 KH", ["Played", "DeckRemoved"], {},
    ),
    "any draw shuffles before the hand is filled": (
        "hand_0: AH\ndraw: 30x", {"shuffle_type": "any_draw"}, "hand_0 AH", ["Played", "Reshuffled", "Drawn"], {},
    ),
    "nothing is shuffled where there is nothing to draw": (
        "stock_0: 9C 8C", {"shuffle_type": "any_draw", "on_exhaustion": "partial_draw"}, "end",
        ["TurnEnded", "TurnStarted"], {},
    ),
    "an empty hand is filled when a removed deck brings cards back": (
        "stock_0: 9C QC\nplay_1: A-J\nhand_0:", {"on_exhaustion": "partial_draw"}, "stock_0",
        ["Played", "DeckRemoved", "StockTurned", "Reshuffled", "Drawn"], {},
    ),
    "who has won draws no more": (
        "stock_0: QC\nplay_1: A-J\nhand_0:", {"on_exhaustion": "partial_draw"}, "stock_0",
        ["Played", "DeckRemoved"], {},
    ),
}  # fmt: skip


def command(text: str) -> Command:
    """`hand_0 4H play_0` (a play), `discard 9H discard_0_0`, `end`."""
    first, *more = text.split()
    if first == "discard":
        return Discard(*more)
    return EndTurn() if first == "end" else Play(first, *(None if word == "-" else word for word in more))


@pytest.mark.parametrize(("drawing", "options", "said", "kinds", "left"), FOLLOWS.values(), ids=FOLLOWS)
def test_what_a_command_leads_to(
    drawing: str, options: dict[str, Any], said: str, kinds: list[str], left: dict[str, Any]
) -> None:
    state = position(drawing, **options)
    after = say(state, command(said))
    assert after.kinds() == kinds
    assert {name: getattr(after.state, name) for name in left} == left
    won, drawn = not after.state.stocks[0], kinds[-1] == "Exhausted"
    expected = Result("won", "stock_played", (0,)) if won else DRAWN if drawn else None
    assert GAME.result(after.state) == expected
    assert not won or GAME.legal_commands(after.state, 0) == ()


REFUSALS = [
    (OPENING, {}, "hand_0 2H play_1", "not_next_in_sequence"),
    ("play_0: AS 2S KH\nhand_0: 4H 3H", {}, "hand_0 3H play_0", "not_next_in_sequence"),
    (JOKERS, {"preset": "snm_pz"}, "hand_0 KH play_1", "not_next_in_sequence"),
    ("stock_0: 9H 6H\nplay_1: A-5\nhand_0: 2H", {}, "stock_0 - hand_0", "play_decks_only"),
    ("stock_0: 9H 6H\nhand_0: 2H", {}, "discard 6H discard_0_0 stock_0", "discard_from_hand"),
    ("stock_0: 9H 6H\nhand_0: 2H", {}, "discard 6H discard_0_0", "not_in_hand"),
    ("discard_0_2: 9H 4H\nplay_1: A-8\nhand_0: 2H", {}, "discard_0_2 9H play_1", "top_card_only"),
    ("discard_0_0: 3H\nhand_0: QH", {}, "discard_0_0 - discard_0_1", "play_decks_only"),
    ("play_0: A-4\nhand_0: 5H *1", {"preset": "snm_pz"}, "hand_0 *1", "wild_needs_target"),
    (TENS, {"minimum_wild": "T", "jokers": True}, "hand_0 3H", "no_deck_takes_it"),
    ("play_0: A-Q\nhand_0: KH 2H", {"minimum_wild": "joker"}, "hand_0 KH play_1", "not_next_in_sequence"),
]


@pytest.mark.parametrize(("drawing", "options", "said", "slug"), REFUSALS)
def test_what_may_not_be_played_is_refused(drawing: str, options: dict[str, Any], said: str, slug: str) -> None:
    assert SPITE.refused(position(drawing, **options), command(said)) == slug


def test_a_draw_split_by_the_end_of_the_deck_takes_recycles_and_takes_the_rest() -> None:
    state = position(f"{SHORT}\nremoved: 24x")
    after = say(state, Discard("9H", "discard_0_0"))
    assert after.kinds() == ["Discarded", "TurnStarted", "Drawn", "Reshuffled", "Drawn"]
    assert after.state.hands[1][:3] == ("2H", "8C", "9C")
    assert [len(after.state.hands[1]), len(after.state.draw), len(after.state.removed)] == [5, 22, 0]
    assert sorted(after.state.hands[1][3:] + after.state.draw) == sorted(state.removed)


def test_discards_are_played_from_the_top() -> None:
    state = position("discard_0_2: 9H 4H\nplay_0: A-3\nplay_1: A-8\nhand_0: 2H")
    state = play(state, "discard_0_2", target="play_0").state
    assert play(state, "discard_0_2", target="play_1").state.discards[0][2] == ()
    state = position("hand_0: KS 9H\nhand_1: 2H\ndraw: 20x\nplay_3: A-6")
    state = say(say(state, Discard("KS", "discard_0_1")).state, Discard("2H", "discard_1_1")).state
    assert play(state, "discard_0_1", target="play_3").state.play_decks[3][-1] == "KS"
    state = position("hand_0: KS KH KD 4S 9H\ndraw: 9x")
    for card in ("KS", "KH", "KD"):
        state = play(state, "hand_0", card, "play_0").state
    assert play(state, "hand_0", "4S").state.play_decks[0] == ("KS", "KH", "KD", "4S")


@pytest.mark.parametrize("seed", range(20))
def test_without_wilds_in_the_stocks_all_four_jokers_are_in_the_draw_deck(seed: int) -> None:
    dealt = opened(Chance(bytes([seed]) * 32), preset="snm_pz_nwis").events[0]
    assert not any(card[0] == "*" for stock in dealt.stocks for card in stock)
    assert [len(dealt.stocks[0]), len(dealt.stocks[1]), len(dealt.draw)] == [20, 20, 68]
    assert sorted(card for card in dealt.draw if card[0] == "*") == ["*1", "*2", "*3", "*4"]


@pytest.mark.parametrize(
    ("shuffle_type", "kinds"),
    [
        ("any_draw", ["Discarded", "TurnStarted", "Reshuffled", "Drawn"]),
        ("deck_removed", ["Discarded", "TurnStarted", "Drawn"]),
    ],
)
def test_a_removed_deck_joins_the_draw_deck_shuffled_at_the_removal_or_before_the_draw(
    shuffle_type: str, kinds: list[str]
) -> None:
    state = position("draw: 8C 9C TC\nplay_0: A-J\nhand_0: QH 9H\nhand_1: 2H", shuffle_type=shuffle_type)
    finished = play(state, "hand_0", "QH", "play_0")
    assert finished.kinds() == ["Played", "DeckRemoved"]
    assert [len(finished.state.draw), len(finished.state.removed)] == [15, 0]
    assert (finished.state.draw[:3] == ("8C", "9C", "TC")) == (shuffle_type == "any_draw")
    discarded = say(finished.state, Discard("9H", "discard_0_0"))
    assert (discarded.kinds(), len(discarded.state.draw)) == (kinds, 11)


@pytest.mark.parametrize("shuffle_type", ["any_draw", "deck_removed", "draw_empty"])
def test_with_three_cards_and_no_deck_removed_a_draw_of_four_draws_the_game(shuffle_type: str) -> None:
    state = position(f"{SHORT} TC", shuffle_type=shuffle_type)
    assert GAME.result(say(state, Discard("9H", "discard_0_0")).state) == DRAWN


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


TABLE = """
    stock_0: 9D 6H
    hand_0: 3H 3H AD KS
    discard_0_0: 8S 2D
    discard_0_3: KC
    stock_1: 2S 3S
    hand_1: AH
    discard_1_0: AC
    play_0: A-5
    play_1: A-2
    play_2: AS
    play_3: A-2
    draw: 20x
"""


@pytest.mark.parametrize(("command", "rule"), [
    (Play("play_0", "5S", "play_1"), "play_decks_stay"), (Play("discard_1_0", None, "play_1"), "own_cards_only"),
    (Play("stock_1", None, "play_1"), "own_cards_only"), (Play("hand_1", "AH", "play_1"), "own_cards_only"),
    (Play("discard_0_7", None, "play_1"), "own_cards_only"), (Play("draw"), "no_such_source"),
    (Play("removed"), "no_such_source"), (Play("nowhere"), "no_such_source"),
    (Play("discard_0_1", None, "play_1"), "empty_pile"), (Play("discard_0_0", "8S", "play_1"), "top_card_only"),
    (Play("hand_0", None, "play_1"), "name_the_card"), (Play("hand_0", "3D", "play_1"), "not_in_hand"),
    (Play("hand_0", "#", "play_1"), "not_in_hand"), (Play("hand_0", "3H", "play_4"), "no_such_play_deck"),
    (Play("hand_0", "3H", "draw"), "no_such_play_deck"), (Play("hand_0", "3H", "discard_0_0"), "play_decks_only"),
    (Play("hand_0", "3H", "stock_0"), "play_decks_only"), (Play("hand_0", "3H", "play_0"), "not_next_in_sequence"),
    (Play("hand_0", "AD"), "no_deck_takes_it"), (Play("hand_0", "KS"), "wild_needs_target"),
    (Play("discard_0_3"), "wild_needs_target"), (Discard("3D", "discard_0_0"), "not_in_hand"),
    (Discard("3H", "discard_1_0"), "own_discard_pile"), (Discard("3H", "discard_0_4"), "own_discard_pile"),
    (Discard("3H", "play_1"), "own_discard_pile"), (Discard("3H", "stock_0"), "own_discard_pile"),
    (Discard("2D", "discard_0_1", "discard_0_0"), "discard_from_hand"),
    (Discard("AH", "discard_1_0", "hand_1"), "discard_from_hand"), (EndTurn(), "discard_to_end"),
])  # fmt: skip
def test_what_cannot_be_done_is_refused_by_the_rule_it_breaks(command: Command, rule: str) -> None:
    assert SPITE.refused(position(TABLE), command) == rule


def test_nothing_is_legal_out_of_turn_nor_once_the_game_is_over() -> None:
    assert SPITE.refused(position(TABLE), Play("hand_1", "AH", "play_1"), seat=1) == "not_your_turn"
    assert GAME.legal_commands(position(TABLE), 1) == ()
    over = play(position("stock_0: AH\nhand_0: 2H"), "stock_0").state
    assert SPITE.refused(over, Play("hand_0", "2H", "play_0"), 0) == "game_over"


def test_each_meaning_is_listed_once() -> None:
    hand = ("3H", "AD", "KS")
    wilds = [("hand_0", "KS"), ("discard_0_3", None)]
    assert set(GAME.legal_commands(position(TABLE), 0)) == {
        Play("stock_0", None, "play_0"),
        *(Play("hand_0", "3H", deck) for deck in ("play_1", "play_3")),
        Play("discard_0_0", None, "play_2"),
        *(Play(source, card, deck) for source, card in wilds for deck in PLAY[:4]),
        *(Discard(card, pile, "hand_0") for card in hand for pile in DISCARD[0][:4]),
    }
    assert len(GAME.legal_commands(position(TABLE), 0)) == 12 + 12


@pytest.mark.parametrize(
    ("spelled", "listed"),
    [
        (Play("hand_0", "3H"), Play("hand_0", "3H", "play_1")),
        (Play("stock_0"), Play("stock_0", None, "play_0")),
        (Play("stock_0", "6H"), Play("stock_0", None, "play_0")),
        (Play("discard_0_3", "KC", "play_3"), Play("discard_0_3", None, "play_3")),
        (Discard("AD", "discard_0_1"), Discard("AD", "discard_0_1", "hand_0")),
    ],
)
def test_a_spelling_means_what_is_listed(spelled: Command, listed: Command) -> None:
    state = position(TABLE)
    assert SPITE.spelt(state, spelled) == listed
    assert listed in GAME.legal_commands(state, 0)
    assert say(state, spelled).events == say(state, listed).events


def _everything() -> list[Command]:
    zones = [*HAND, *STOCK, *DISCARD[0][:5], *DISCARD[1][:2], *PLAY[:5], "draw", "removed"]
    cards = ["3H", "AD", "KS", "6H", "2D", "8S", "KC", "QH"]
    plays = [Play(source, card, target) for source in zones for card in (None, *cards) for target in (None, *zones)]
    discards = [Discard(card, target, source) for card in cards for target in zones for source in (None, *zones)]
    return [*plays, *discards, EndTurn()]


def test_of_all_that_can_be_spelled_just_what_is_listed_is_accepted() -> None:
    SPITE.lists(position(TABLE), _everything())


def test_a_card_played_leaves_one_of_its_copies_in_hand() -> None:
    after = play(position(TABLE), "hand_0", "3H")
    assert after.state.hands[0] == ("3H", "AD", "KS")
    assert after.events == (ev.Played(0, "hand_0", "3H", "play_1"),)


def test_commands_are_read_from_json_and_zones_that_cannot_be_are_not() -> None:
    decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Play | Discard | EndTurn)
    spoken = b'{"type":"spite_and_malice/play","source":"hand_0","card":"3H"}'
    assert decoder.decode(spoken) == Play("hand_0", "3H")
    for command in _everything():
        assert decoder.decode(msgspec.json.encode(command)) == command
    with pytest.raises(msgspec.ValidationError):
        decoder.decode(b'{"type":"spite_and_malice/play","source":"HAND 0; DROP"}')
    assert {command.__struct_config__.tag for command in COMMANDS} == {
        "spite_and_malice/play", "spite_and_malice/discard", "spite_and_malice/end_turn",
    }  # fmt: skip


@pytest.mark.parametrize(("preset", "stock", "draw", "jokers", "minimum_wild", "wilds_in_stock", "finish"), [
    ("snm_a", 20, 64, False, "K", True, 12), ("snm_pz", 20, 68, True, "joker", True, 13),
    ("snm_pz_nwis", 20, 68, True, "joker", False, 13), ("snm_a_short", 5, 94, False, "K", True, 12),
])  # fmt: skip
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
    assert refusal(GAME.get(OptionRules).settle, msgspec.convert(changes, Options), 2) == rule


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


def test_a_wild_counts_lowest_for_the_first_player_where_that_is_chosen() -> None:
    kings_low = settings_of(GAME.get(OptionRules).settle(Options(wild_lowest=True, jokers=True), 2))
    assert first_player(kings_low, ev.Dealt((("KS",), ("2S",)), ())) == 1
    assert first_player(kings_low, ev.Dealt((("KS",), ("*1",)), ())) is None
    assert first_player(Settings(jokers=True), ev.Dealt((("KS",), ("*1",)), ())) == 1
    assert opened(given("KS", "2S"), wild_lowest=True).state.turn == 1


def test_an_ace_that_can_be_played_keeps_the_turn_open_where_that_is_chosen() -> None:
    drawing = "hand_0: 9H\ndiscard_0_1: AD\ndraw: 20x\nplay_0: A-8"
    state = position(drawing, must_play_ace=True)
    assert SPITE.refused(state, Discard("9H", "discard_0_0")) == "ace_first"
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


def test_after_three_redeals_without_a_stock_card_played_a_fourth_draws_the_game() -> None:
    after = say(position(OUT_OF_CARDS, on_exhaustion="redeal_hands_and_discards"), Discard("9H", "discard_0_0"))
    assert after.state.redeals == 1
    kinds: list[str] = []
    while GAME.result(after.state) is None:
        seat = 0 if after.state.turn is None else after.state.turn
        after = say(after.state, Discard(after.state.hands[seat][0], f"discard_{seat}_0"))
        kinds += after.kinds()
    assert kinds.count("Redealt") == 2
    assert kinds[-1] == "Deadlocked"
    assert GAME.result(after.state) == Result("drawn", "three_idle_redeals")


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


def test_a_given_deal_may_put_no_wild_into_the_stocks_where_there_are_none() -> None:
    plain, jokers = pack(Settings()), ("*1", "*2", "*3", "*4")
    fits = opened(Chance(SEED, given=plain + jokers), preset="snm_pz_nwis").events[0]
    assert isinstance(fits, ev.Dealt)
    assert fits.draw[-4:] == jokers
    assert refusal(opened, Chance(SEED, given=jokers + plain), preset="snm_pz_nwis") == "given_deal"
    assert opened(Chance(SEED, given=jokers + plain), preset="snm_pz").state.turn is not None


def test_a_named_table_is_what_the_preset_opens() -> None:
    assert [table.name for table in MATERIAL.tables] == ["SNM A", "SNM PZ", "SNM PZ_NWIS", "SNM A-SHORT"]
    for table in MATERIAL.tables:
        assert table.options == settle(Options(preset=table.id), 2)


def test_values_and_the_lowest_wild_tell_what_is_wild() -> None:
    value = {card.id: card.value for card in MATERIAL.cards}
    for lowest in MATERIAL.wilds:
        settings = settings_of(settle(Options(minimum_wild=lowest.id), 2))
        assert {card for card in value if settings.is_wild(card)} == {
            card for card in value if value[card] >= lowest.wild_from
        }
        assert settings.finish == lowest.finish
