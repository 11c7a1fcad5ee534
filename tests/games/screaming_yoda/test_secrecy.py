"""Who sees and hears what at a table of Screaming Yoda."""

import msgspec
import pytest

from domain.chance import Chance
from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda import events as ev
from domain.view import ALL_SEEING, FACE_DOWN

from .positions import YODA, dealt, position

TABLE = """
    draw: 4C 5C 6C
    removed: TH TS
    pile: 5S 7S
    hand_0: 9H 2C
    up_0: 9S - KS
    down_0: QS QH QD
    hand_1: JH
    down_1: AH
"""

PUBLIC = {
    "draw": (3, ""), "removed": (2, ""), "pile": (0, "5S 7S"), "column_0_0": (1, "9S"), "column_0_1": (1, ""),
    "column_0_2": (1, "KS"), "column_1_0": (1, ""),
}  # fmt: skip


def test_a_seat_sees_its_hand_the_pile_and_what_lies_face_up_but_no_card_face_down() -> None:
    assert YODA.seen(position(TABLE), 0) == PUBLIC | {"hand_0": (0, "9H 2C"), "hand_1": (0, "#")}
    assert YODA.seen(position(TABLE), 1) == PUBLIC | {"hand_0": (0, "# #"), "hand_1": (0, "JH")}


def test_a_spectator_sees_no_hand() -> None:
    assert YODA.seen(position(TABLE), None) == PUBLIC | {"hand_0": (0, "# #"), "hand_1": (0, "#")}


def test_who_looks_at_a_finished_game_sees_everything() -> None:
    assert YODA.seen(position(TABLE), ALL_SEEING) == {
        "draw": (0, "6C 5C 4C"), "removed": (0, "TH TS"), "pile": (0, "5S 7S"), "hand_0": (0, "9H 2C"),
        "hand_1": (0, "JH"), "column_0_0": (0, "QS 9S"), "column_0_1": (0, "QH"), "column_0_2": (0, "QD KS"),
        "column_1_0": (0, "AH"),
    }  # fmt: skip


def test_the_facts_tell_what_is_to_beat_and_how_many_cards_each_has() -> None:
    view = GAME.look(position(TABLE, skips=(2,)), None)
    assert (view.phase, view.to_act, view.stuck) == ("play", (0,), False)
    assert view.facts == GAME.facts(0, "7", (7, 2, 0, 0), (), (2,), (), (), ())
    assert [GAME.look(position(pile), None).facts.to_beat for pile in ("pile:", "pile: 2S", "pile: AS")] == [
        None, None, "A",
    ]  # fmt: skip


def test_a_deal_is_told_without_what_lies_face_down() -> None:
    event, state = dealt(4).events[0], position(TABLE)
    assert isinstance(event, ev.Dealt)
    shown = GAME.redact(state, event, 2)
    assert isinstance(shown, ev.Dealt)
    assert shown.hands == ((FACE_DOWN,) * 3, (FACE_DOWN,) * 3, event.hands[2], (FACE_DOWN,) * 3)
    assert (shown.face_up, shown.face_down) == (event.face_up, ((FACE_DOWN,) * 4,) * 4)
    assert (shown.draw, shown.chance) == ((FACE_DOWN,) * 8, None)
    assert GAME.redact(state, event, ALL_SEEING) == msgspec.structs.replace(event, chance=None)


def test_a_draw_is_told_in_full_to_its_seat_alone() -> None:
    drawn, state = ev.Drawn(1, ("AH", "2S")), position(TABLE)
    assert GAME.redact(state, drawn, 1) == GAME.redact(state, drawn, ALL_SEEING) == drawn
    assert GAME.redact(state, drawn, 0) == GAME.redact(state, drawn, None) == ev.Drawn(1, (FACE_DOWN, FACE_DOWN))
    assert GAME.tell(state, drawn, 1) == "Player 2 draws ace of hearts, two of spades."
    assert GAME.tell(state, drawn, 0) == GAME.tell(state, drawn, None) == "Player 2 draws 2 cards."


def test_a_penalty_is_told_in_full_to_its_seat_alone_but_for_the_open_cards_of_the_pile() -> None:
    penalty, state = ev.Penalised(1, ("TH",), ("5S",), ("TS",), Chance(bytes(32))), position(TABLE)
    assert GAME.redact(state, penalty, 1) == ev.Penalised(1, ("TH",), ("5S",), ("#",))
    for viewer in (0, None):
        assert GAME.redact(state, penalty, viewer) == ev.Penalised(1, ("#",), ("5S",), ("#",))
    assert GAME.redact(state, penalty, ALL_SEEING) == ev.Penalised(1, ("TH",), ("5S",), ("TS",))
    taken = "has to take {} from the removed cards and five of spades from the pile."
    assert GAME.tell(state, penalty, 1) == f"Player 2 {taken.format('ten of hearts')}"
    assert GAME.tell(state, penalty, None) == f"Player 2 {taken.format('1 card')}"


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (ev.Played(0, ("9H", "9D")), "Player 1 plays nine of hearts, nine of diamonds."),
        (ev.Played(0, ("9H", "9S"), (0,)), "Player 1 plays nine of hearts, nine of spades, from the hand and face up."),
        (ev.Played(0, ("9S",), (0,)), "Player 1 plays nine of spades, face up."),
        (ev.Flipped(0, 0, "QS"), "Player 1 flips the queen of spades."),
        (ev.Flipped(0, 0, "4S"), "Player 1 flips the four of spades, which is too low."),
        (ev.PickedUp(0, ("5S", "7S")), "Player 1 picks up the pile: five of spades, seven of spades."),
        (ev.Cleared("ten", ("5S", "TS")), "A ten clears the pile: 2 cards removed from play."),
        (ev.Cleared("four_of_a_kind", ("5S",)), "Four of a kind clears the pile: 1 card removed from play."),
        (ev.TurnedUp("5S"), "The five of spades is turned up."),
        (ev.TurnStarted(1), "Player 2 is on turn."),
        (ev.TurnStarted(1, again=True), "Player 2 plays again."),
        (ev.Swapped(1, "5S", 0, "AS"), "Player 2 lays down the five of spades and takes up the ace of spades."),
        (ev.BecameReady(1), "Player 2 is ready."),
        (ev.WentOut(1), "Player 2 has played its last card."),
        (ev.OneLeft(1), "Player 2 has one card left and has not shouted."),
        (ev.Shouted(1), "Player 2 shouts Yoda."),
        (ev.Caught(1, 0), "Player 1 says Yoda first: Player 2 is caught."),
        (ev.FalselyCalled(1, 0), "Player 1 calls Player 2 without cause."),
        (ev.Skipped(1), "Player 2 loses a turn."),
        (ev.Withdrawn(1), "Player 2 is out of the game and its cards are out of play."),
    ],
)
def test_events_are_told_in_sentences(event: ev.Event, sentence: str) -> None:
    assert GAME.tell(position(TABLE), event, None) == sentence


def test_a_deal_is_told_by_its_counts() -> None:
    after = dealt(5, first_seat=3)
    assert GAME.tell(after.state, after.events[0], None) == (
        "Everybody is dealt 3 columns and 3 cards; Player 4 is the first."
    )
