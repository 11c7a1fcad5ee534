"""Whole games of Screaming Yoda by random play: what holds at every step."""

from functools import cache
from random import Random
from typing import Any

import pytest

from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda.events import Call, PickUp
from domain.games.screaming_yoda.plays import clearing
from domain.games.screaming_yoda.state import State, playing, total
from domain.view import Viewer
from tests.games.tables import Game

from .positions import YODA

TABLES: dict[str, tuple[int, dict[str, Any]]] = {
    "three": (3, {}), "four": (4, {}), "five": (5, {}), "penalties_from_the_pile": (4, {"yoda_penalty_source": "pile"}),
    "single_combinations": (3, {"combo_only_single": True, "first_seat": 2}),
    "false_calls": (5, {"false_call_penalty": 2}),
    "false_calls_from_the_pile": (3, {"false_call_penalty": 5, "yoda_penalty_source": "pile"}),
    "swaps": (4, {"swap_phase": True}), "places": (5, {"play_for_places": True}),
    "places_with_swaps": (3, {"play_for_places": True, "swap_phase": True, "false_call_penalty": 1}),
}  # fmt: skip


@cache
def game(table: str, number: int, resigning: float = 0) -> Game:
    """A random game of this table, to its end."""
    seats, given = TABLES[table]
    return YODA.played(f"{table} {number}", seats, given, _chosen, resigning)


def _chosen(choices: list[tuple[int, Any]], state: State, lots: Random) -> tuple[int, Any]:
    """The players like neither to pick up the pile nor to call without cause."""
    liked = [
        (seat, command)
        for seat, command in choices
        if (command.seat in state.exposed if isinstance(command, Call) else not isinstance(command, PickUp))
    ]
    return lots.choice(liked if liked and lots.random() < 0.8 else choices)


def offered(state: State) -> list[tuple[int, Any]]:
    return YODA.offered(state, len(state.hands))


NUMBERS = range(6)


@pytest.fixture(scope="module", params=TABLES)
def games(request: pytest.FixtureRequest) -> list[Game]:
    return [game(request.param, number, 0.005 * (number % 2)) for number in NUMBERS]


def test_every_game_ends_with_one_winner_and_then_offers_nothing(games: list[Game]) -> None:
    for played in games:
        ended = GAME.result(played.state)
        assert ended is not None
        assert (ended.ending, len(ended.winners)) == ("won", 1)
        assert ended.reason == ("last_card" if played.state.out else "resigned")
        assert not offered(played.state)


def test_somebody_can_always_act_and_who_is_listed_is_to_act(games: list[Game]) -> None:
    for played in games:
        for step in played.steps:
            listed = {seat for seat, _ in offered(step.state)}
            assert listed
            assert GAME.look(step.state, None).to_act == tuple(sorted(listed))


def test_between_commands_hands_are_full_while_the_draw_pile_lasts_and_no_pile_waits_to_be_cleared(
    games: list[Game],
) -> None:
    for played in games:
        for step in played.steps:
            assert clearing(step.state.pile) is None
            if step.state.draw:
                assert all(len(step.state.hands[seat]) >= 3 for seat in playing(step.state))


def test_only_seats_with_one_card_are_exposed(games: list[Game]) -> None:
    for played in games:
        for step in played.steps:
            assert all(total(step.state, seat) == 1 for seat in step.state.exposed)


def test_every_moment_can_be_looked_at_and_told_to_everybody(games: list[Game]) -> None:
    for played in games:
        for state, event in list(played.moments())[::7]:
            viewers: tuple[Viewer, ...] = (*range(len(state.hands)), None, -1)
            for viewer in viewers:
                assert GAME.tell(state, event, viewer).endswith(".")
                assert GAME.look(state, viewer).phase in ("deal", "swap", "play", "finished")
                assert type(GAME.redact(state, event, viewer)) is type(event)
            assert all(seat in range(len(state.hands)) for seat, _ in offered(state))


def test_the_games_reach_every_kind_of_event() -> None:
    walks = [game(table, number, 0.005 * (number % 2)) for table in TABLES for number in NUMBERS]
    assert {type(event) for walk in walks for _, event in walk.moments()} == set(GAME.events)
