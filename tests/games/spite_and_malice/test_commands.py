"""What can be said, how it may be spelled, and by which rule the rest is refused."""

import msgspec
import pytest

from domain.capabilities import Spelling
from domain.game_type import Illegal
from domain.games.spite_and_malice import SPITE_AND_MALICE as GAME
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.events import COMMANDS, Command, Discard, EndTurn, Play
from domain.games.spite_and_malice.state import DISCARD, HAND, PLAY, STOCK

from .positions import play, position, say

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


def refusal(command: Command, drawing: str = TABLE, seat: int = 0) -> str:
    """The rule by which seat 0's position refuses this command."""
    with pytest.raises(Illegal) as refused:
        say(position(drawing), command, seat)
    return refused.value.rule


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (Play("play_0", "5S", "play_1"), "play_decks_stay"),
        (Play("discard_1_0", None, "play_1"), "own_cards_only"),
        (Play("stock_1", None, "play_1"), "own_cards_only"),
        (Play("hand_1", "AH", "play_1"), "own_cards_only"),
        (Play("discard_0_7", None, "play_1"), "own_cards_only"),
        (Play("draw"), "no_such_source"),
        (Play("removed"), "no_such_source"),
        (Play("nowhere"), "no_such_source"),
        (Play("discard_0_1", None, "play_1"), "empty_pile"),
        (Play("discard_0_0", "8S", "play_1"), "top_card_only"),
        (Play("hand_0", None, "play_1"), "name_the_card"),
        (Play("hand_0", "3D", "play_1"), "not_in_hand"),
        (Play("hand_0", "#", "play_1"), "not_in_hand"),
        (Play("hand_0", "3H", "play_4"), "no_such_play_deck"),
        (Play("hand_0", "3H", "draw"), "no_such_play_deck"),
        (Play("hand_0", "3H", "discard_0_0"), "play_decks_only"),
        (Play("hand_0", "3H", "stock_0"), "play_decks_only"),
        (Play("hand_0", "3H", "play_0"), "not_next_in_sequence"),
        (Play("hand_0", "AD"), "no_deck_takes_it"),
        (Play("hand_0", "KS"), "wild_needs_target"),
        (Play("discard_0_3"), "wild_needs_target"),
        (Discard("3D", "discard_0_0"), "not_in_hand"),
        (Discard("3H", "discard_1_0"), "own_discard_pile"),
        (Discard("3H", "discard_0_4"), "own_discard_pile"),
        (Discard("3H", "play_1"), "own_discard_pile"),
        (Discard("3H", "stock_0"), "own_discard_pile"),
        (Discard("2D", "discard_0_1", "discard_0_0"), "discard_from_hand"),
        (Discard("AH", "discard_1_0", "hand_1"), "discard_from_hand"),
        (EndTurn(), "discard_to_end"),
    ],
)
def test_what_cannot_be_done_is_refused_by_the_rule_it_breaks(command: Command, rule: str) -> None:
    assert refusal(command) == rule


def test_the_other_seat_waits_for_its_turn() -> None:
    assert refusal(Play("hand_1", "AH", "play_1"), seat=1) == "not_your_turn"
    assert GAME.legal_commands(position(TABLE), 1) == ()


def test_nothing_is_legal_once_the_game_is_over() -> None:
    over = play(position("stock_0: AH\nhand_0: 2H"), "stock_0").state
    with pytest.raises(Illegal) as refused:
        say(over, Play("hand_0", "2H", "play_0"), 0)
    assert refused.value.rule == "game_over"


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
    assert GAME.get(Spelling).canonical(state, 0, spelled) == listed
    assert listed in GAME.legal_commands(state, 0)
    assert say(state, spelled).events == say(state, listed).events


def _everything() -> list[Command]:
    zones = [*HAND, *STOCK, *DISCARD[0][:5], *DISCARD[1][:2], *PLAY[:5], "draw", "removed"]
    cards = ["3H", "AD", "KS", "6H", "2D", "8S", "KC", "QH"]
    plays = [Play(source, card, target) for source in zones for card in (None, *cards) for target in (None, *zones)]
    discards = [Discard(card, target, source) for card in cards for target in zones for source in (None, *zones)]
    return [*plays, *discards, EndTurn()]


def test_of_all_that_can_be_spelled_just_what_is_listed_is_accepted() -> None:
    state = position(TABLE)
    listed = set(GAME.legal_commands(state, 0))
    accepted = {command for command in _everything() if _accepted(state, command)}
    assert {GAME.get(Spelling).canonical(state, 0, command) for command in accepted} == listed
    assert all(
        command in accepted or GAME.get(Spelling).canonical(state, 0, command) not in listed
        for command in _everything()
    )


def _accepted(state: object, command: Command) -> bool:
    try:
        GAME.decide(state, 0, command)  # type: ignore[arg-type]
    except Illegal:
        return False
    return True


def test_a_card_played_leaves_one_of_its_copies_in_hand() -> None:
    after = play(position(TABLE), "hand_0", "3H")
    assert after.state.hands[0] == ("3H", "AD", "KS")
    assert after.events == (ev.Played(0, "hand_0", "3H", "play_1"),)


def test_wilds_follow_one_another_and_open_a_deck() -> None:
    state = position("""
        hand_0: KS KH KD 4S 9H
        draw: 9x
    """)
    for card in ("KS", "KH", "KD"):
        state = play(state, "hand_0", card, "play_0").state
    assert play(state, "hand_0", "4S").state.play_decks[0] == ("KS", "KH", "KD", "4S")


def test_a_wild_lies_on_a_discard_pile_until_it_is_played_as_anything() -> None:
    state = position("""
        hand_0: KS 9H
        hand_1: 2H
        draw: 20x
        play_3: A-6
    """)
    state = say(state, Discard("KS", "discard_0_1")).state
    state = say(state, Discard("2H", "discard_1_1")).state
    assert play(state, "discard_0_1", target="play_3").state.play_decks[3][-1] == "KS"


def test_a_deck_finished_by_the_last_hand_card_is_removed_before_the_hand_is_filled() -> None:
    state = position("""
        hand_0: QH
        play_0: A-J
        draw: 8C 9C
    """)
    after = play(state, "hand_0", "QH")
    assert after.kinds() == ["Played", "DeckRemoved", "Drawn", "Reshuffled", "Drawn"]
    assert [len(after.state.hands[0]), len(after.state.draw)] == [5, 9]


def test_a_stock_card_that_finishes_a_deck_is_followed_by_the_removal_then_by_the_next_card() -> None:
    after = play(position("stock_0: 2H QH\nplay_0: A-J\nhand_0: 9H"), "stock_0")
    assert after.kinds() == ["Played", "DeckRemoved", "StockTurned"]
    won = play(position("stock_0: QH\nplay_0: A-J\nhand_0: 9H"), "stock_0")
    assert won.kinds() == ["Played", "DeckRemoved"]
    assert GAME.result(won.state) is not None


def test_the_draw_deck_is_not_recycled_before_a_card_is_needed() -> None:
    state = position("""
        hand_0: 9H
        hand_1: 2H
        draw: 8C 9C TC JC
        removed: 12x
    """)
    after = say(state, Discard("9H", "discard_0_0"))
    assert after.kinds() == ["Discarded", "TurnStarted", "Drawn"]
    assert [len(after.state.draw), len(after.state.removed)] == [0, 12]


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
