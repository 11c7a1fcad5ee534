"""Whole games of Spite & Malice by random play: what holds at every step."""

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest

from domain.games.spite_and_malice import SPITE_AND_MALICE as GAME
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.events import Play
from domain.games.spite_and_malice.state import State
from tests.games.tables import Game

from .positions import SPITE

TABLES: dict[str, dict[str, Any]] = {
    "snm_a": {},
    "snm_pz": {"preset": "snm_pz"},
    "snm_pz_nwis": {"preset": "snm_pz_nwis"},
    "snm_a_short": {"preset": "snm_a_short"},
    "any_draw": {"shuffle_type": "any_draw", "jokers": True, "stock": 8},
    "deck_removed": {"shuffle_type": "deck_removed", "stock": 12, "hand": 6},
    "one_pack": {"packs": 1, "stock": 10, "jokers": True, "on_exhaustion": "partial_draw"},
    "one_pack_any_draw": {"packs": 1, "stock": 15, "shuffle_type": "any_draw", "on_exhaustion": "partial_draw"},
    "redeal_two_packs": {"on_exhaustion": "redeal_hands_and_discards", "stock": 12},
    "redeal": {"packs": 1, "stock": 18, "on_exhaustion": "redeal_hands_and_discards"},
    "redeal_nothing_wild": {
        "packs": 1, "stock": 20, "minimum_wild": "joker", "on_exhaustion": "redeal_hands_and_discards",
    },
    "fewest_stock": {"packs": 1, "stock": 20, "on_exhaustion": "fewest_stock_wins"},
    "must_play_ace": {"must_play_ace": True, "wild_lowest": True, "play_decks": 2, "stock": 6},
    "many_wilds": {"minimum_wild": "5", "wilds_in_stock": False, "stock": 10, "packs": 4, "hand": 10, "discards": 1},
    "twos_wild": {"minimum_wild": "2", "wild_lowest": True, "play_decks": 8, "discards": 8},
}  # fmt: skip


@cache
def game(table: str, number: int) -> Game:
    """A random game of this table, to its end."""
    return SPITE.played(f"{table} {number}", 2, TABLES[table], _chosen, most=6000)


def _chosen(choices: list[tuple[int, Any]], state: State, lots: Random) -> tuple[int, Any]:
    """The players like to play, their stock first."""
    plays = [choice for choice in choices if isinstance(choice[1], Play)]
    stock = [choice for choice in plays if choice[1].source.startswith("stock")]
    wish = lots.random()
    return lots.choice((stock if wish < 0.6 else plays if wish < 0.9 else None) or choices)


NUMBERS = range(4)


@pytest.fixture(scope="module", params=TABLES)
def games(request: pytest.FixtureRequest) -> list[Game]:
    return [game(request.param, number) for number in NUMBERS]


def test_every_game_ends_with_a_reason_and_then_offers_nothing(games: list[Game]) -> None:
    for played in games:
        ended = GAME.result(played.state)
        assert ended is not None
        assert (ended.ending, len(ended.winners)) in {("won", 1), ("drawn", 0)}
        assert [GAME.legal_commands(played.state, seat) for seat in (0, 1)] == [(), ()]


def test_a_turn_starts_with_a_full_hand_unless_the_cards_run_out(games: list[Game]) -> None:
    for played in games:
        for before, after in zip(played.steps, played.steps[1:], strict=False):
            if before.seat != after.seat and played.state.settings.on_exhaustion != "partial_draw":
                assert len(after.state.hands[after.seat]) == played.state.settings.hand


def test_an_empty_hand_on_turn_means_that_nothing_can_be_drawn(games: list[Game]) -> None:
    for played in games:
        for step in played.steps:
            if not step.state.hands[step.seat]:
                assert step.state.draw == step.state.removed == ()


def test_no_wild_reaches_a_stock_where_there_are_to_be_none(games: list[Game]) -> None:
    for played in games:
        settings = played.state.settings
        if not settings.wilds_in_stock:
            state = played.steps[0].state
            assert not any(settings.is_wild(card) for stock in state.stocks for card in stock)


def test_a_play_deck_never_holds_a_finished_run_between_commands(games: list[Game]) -> None:
    for played in games:
        assert all(len(deck) < played.state.settings.finish for step in played.steps for deck in step.state.play_decks)


@pytest.mark.parametrize(("tables", "kinds"), [
    (["snm_a", "snm_pz", "snm_pz_nwis"], {"Dealt", "TurnStarted", "Drawn", "Played", "DeckRemoved", "Discarded"}),
    (["snm_a_short", "deck_removed"], {"StockTurned"}),
    (["one_pack", "one_pack_any_draw"], {"TurnEnded", "Reshuffled"}), (["redeal"], {"Redealt"}),
    (["redeal_nothing_wild"], {"Deadlocked"}), (["fewest_stock"], {"Exhausted"}),
])  # fmt: skip
def test_the_tables_reach_every_kind_of_event(tables: list[str], kinds: set[str]) -> None:
    seen = Counter(
        type(event).__name__ for table in tables for number in NUMBERS for _, event in game(table, number).moments()
    )
    assert kinds <= set(seen)


def test_a_shuffle_happens_just_when_its_type_says_so() -> None:
    for table in ("snm_a_short", "any_draw", "deck_removed"):
        for step in game(table, 1).steps:
            for state, event in SPITE.unfolded(step.state, step.events):
                kind = state.settings.shuffle_type
                if isinstance(event, ev.Reshuffled):
                    assert kind != "deck_removed"
                    assert bool(state.draw) == (kind == "any_draw")
                if isinstance(event, ev.DeckRemoved):
                    assert (event.draw is not None) == (kind == "deck_removed")
