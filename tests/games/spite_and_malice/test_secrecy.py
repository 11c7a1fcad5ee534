"""Who sees and hears what at a table of Spite & Malice."""

from random import Random
from typing import Any

import pytest

from domain.capabilities import Resample
from domain.chance import Chance
from domain.games.spite_and_malice import SPITE_AND_MALICE as GAME
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.state import State
from domain.view import ALL_SEEING, FACE_DOWN, Viewer

from .positions import SPITE, held, opened, play, position
from .test_whole_games import game

TABLE = """
    stock_0: 9D 6H
    hand_0: 3H KS
    discard_0_0: 8S 2D
    stock_1: 2S 3S 5S
    hand_1: AH QC
    play_0: A-5
    draw: 4C 5C 6C
    removed: 7H 8H
"""


PUBLIC = {
    "stock_0": (1, "6H"), "stock_1": (2, "5S"), "discard_0_0": (0, "8S 2D"), "play_0": (0, "AS 2S 3S 4S 5S"),
    "draw": (3, ""), "removed": (2, ""),
}  # fmt: skip


def test_a_seat_sees_its_hand_the_tops_and_counts() -> None:
    assert SPITE.seen(position(TABLE), 0) == PUBLIC | {"hand_0": (0, "3H KS"), "hand_1": (0, "# #")}
    assert SPITE.seen(position(TABLE), 1) == PUBLIC | {"hand_0": (0, "# #"), "hand_1": (0, "AH QC")}


def test_a_spectator_sees_no_hand() -> None:
    assert SPITE.seen(position(TABLE), None) == PUBLIC | {"hand_0": (0, "# #"), "hand_1": (0, "# #")}


def test_who_looks_at_a_finished_game_sees_everything() -> None:
    assert SPITE.seen(position(TABLE), ALL_SEEING) == PUBLIC | {
        "stock_0": (0, "9D 6H"), "stock_1": (0, "2S 3S 5S"), "hand_0": (0, "3H KS"), "hand_1": (0, "AH QC"),
        "draw": (0, "6C 5C 4C"), "removed": (0, "7H 8H"),
    }  # fmt: skip


def test_the_next_stock_card_stays_hidden_until_it_is_turned() -> None:
    after = play(position(TABLE), "stock_0", target="play_0")
    between = GAME.evolve(position(TABLE), after.events[0])
    assert SPITE.seen(between, 0)["stock_0"] == (1, "")
    assert SPITE.seen(after.state, None)["stock_0"] == (0, "9D")


def test_the_facts_tell_the_next_ranks_and_the_cards_left() -> None:
    view = GAME.look(position(TABLE), None)
    assert view.facts.next_ranks == ("6", "A", "A", "A")
    assert view.facts.stock_left == (2, 3)
    assert (view.phase, view.to_act, view.stuck) == ("play", (0,), False)


def test_a_draw_is_told_in_full_to_its_seat_alone() -> None:
    drawn, state = ev.Drawn(1, ("AH", "*2")), position(TABLE)
    assert GAME.redact(state, drawn, 1) == GAME.redact(state, drawn, ALL_SEEING) == drawn
    assert GAME.redact(state, drawn, 0) == GAME.redact(state, drawn, None) == ev.Drawn(1, (FACE_DOWN, FACE_DOWN))
    assert GAME.tell(state, drawn, 1) == "Player 2 draws ace of hearts, joker."
    assert GAME.tell(state, drawn, 0) == GAME.tell(state, drawn, None) == "Player 2 draws 2 cards."


def test_a_deal_is_told_without_what_lies_face_down() -> None:
    after = opened(stock=3)
    dealt = after.events[0]
    assert isinstance(dealt, ev.Dealt)
    tops = [stock[-1] for stock in dealt.stocks]
    shown = GAME.redact(after.state, dealt, after.state.turn)
    assert shown == ev.Dealt((("#", "#", tops[0]), ("#", "#", tops[1])), ("#",) * 98)
    assert GAME.redact(after.state, dealt, ALL_SEEING) == ev.Dealt(dealt.stocks, dealt.draw)


@pytest.mark.parametrize("event", [
    ev.Reshuffled(("AS", "2S"), Chance(bytes(32))), ev.Redealt(("AS", "2S"), Chance(bytes(32))),
    ev.DeckRemoved("play_0", ("AS",), ("AS", "2S"), Chance(bytes(32))),
])  # fmt: skip
def test_a_shuffle_is_told_without_its_order_and_its_chance(event: Any) -> None:
    for viewer in (0, 1, None):
        shown: Any = GAME.redact(position(TABLE), event, viewer)
        assert (shown.draw, shown.chance) == (("#", "#"), None)
    known: Any = GAME.redact(position(TABLE), event, ALL_SEEING)
    assert (known.draw, known.chance) == (("AS", "2S"), None)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (ev.Played(0, "hand_0", "KS", "play_0"),
         "Player 1 plays the king of spades as a six from the hand to play deck 1."),
        (ev.Played(0, "hand_0", "KS", "play_1"),
         "Player 1 plays the king of spades as an ace from the hand to play deck 2."),
        (ev.Played(0, "stock_0", "6H", "play_0"), "Player 1 plays the six of hearts from the stock to play deck 1."),
        (ev.Played(1, "discard_1_2", "AH", "play_1"),
         "Player 2 plays the ace of hearts from the discard pile 3 to play deck 2."),
        (ev.Discarded(0, "3H", "discard_0_3"), "Player 1 discards the three of hearts on discard pile 4."),
        (ev.StockTurned(0, "9D"), "Player 1 turns up the nine of diamonds."),
        (ev.DeckRemoved("play_0", ("AS",)), "Play deck 1 is complete and leaves the table."),
        (ev.DeckRemoved("play_0", ("AS",), ("AS",)),
         "Play deck 1 is complete and leaves the table, shuffled into the draw deck."),
        (ev.Reshuffled(("AS",)), "The draw deck is shuffled."),
        (ev.TurnStarted(1), "Player 2 is on turn."),
        (ev.TurnEnded(1), "Player 2 has no card left and ends the turn."),
        (ev.Exhausted(1), "Player 2 cannot complete its draw: the game is over."),
        (ev.Dealt((("2S", "9H"), ("3S", "*1")), ()),
         "2 cards each are dealt to the stocks: Player 1 turns up the nine of hearts and Player 2 turns up the joker."),
    ],
)  # fmt: skip
def test_events_are_told_in_sentences(event: ev.Event, sentence: str) -> None:
    assert GAME.tell(position(TABLE), event, None) == sentence


def test_the_recycled_heap_is_told_by_its_size() -> None:
    state = position("removed: 3x")
    assert GAME.tell(state, ev.Reshuffled(("AS", "2S", "3S")), 0) == (
        "The 3 cards removed from the table are shuffled into a new draw deck."
    )


def resampled(state: State, viewer: Viewer, lots: Random) -> State:
    assert GAME.has(Resample)
    return GAME.get(Resample).draw(state, viewer, Chance(lots.randbytes(32)))


def test_changing_places_keeps_the_cards_the_counts_and_what_the_viewer_holds() -> None:
    lots = Random(5)
    for state, _ in list(game("snm_pz_nwis", 3).moments())[3::9]:
        other = resampled(state, 0, lots)
        assert held(other) == held(state)
        assert [len(hand) for hand in other.hands] == [len(hand) for hand in state.hands]
        assert (other.hands[0], other.removed, other.play_decks) == (state.hands[0], state.removed, state.play_decks)
        assert not any(card[0] == "*" for stock in other.stocks for card in stock)


def test_every_hidden_place_is_reached() -> None:
    state = position(TABLE)
    reached = [resampled(state, 0, Random(number)) for number in range(30)]
    for places in ({other.draw[0] for other in reached}, {other.stocks[1][0] for other in reached},
                   {other.stocks[0][0] for other in reached}, {other.hands[1][0] for other in reached}):  # fmt: skip
        assert len(places) > 3
    assert all(other.stocks[1][-1] == "5S" for other in reached)


def test_for_who_sees_everything_nothing_changes_places() -> None:
    state = position(TABLE)
    assert resampled(state, ALL_SEEING, Random(1)) == state
