"""Whole games of Decs Building by random play: what holds at every step."""

from random import Random
from typing import Any

import pytest

from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building import events as ev
from domain.games.decs_building.events import Discard, TakeAction
from domain.games.decs_building.grid import bits_of, find_powered, hand_size, score
from domain.games.decs_building.state import PICTURE_STACK, State, spare_pawns, to_act
from tests.games.tables import Game

from .positions import DECS

TABLES: dict[str, tuple[int, dict[str, Any]]] = {
    "two": (2, {}), "two_short": (2, {"short": True, "two_player_tens": False}),
    "three": (3, {"tie_break": "fewest_empty_spaces"}), "three_short": (3, {"short": True}), "four": (4, {}),
    "four_short": (4, {"short": True}),
}  # fmt: skip


def game(table: str, number: int, resigning: float = 0) -> Game:
    """A random game of this table, to its end."""
    seats, named = TABLES[table]
    return DECS.played(f"{table} {number}", seats, named, _chosen, resigning, 2000)


def _chosen(choices: list[tuple[int, Any]], state: State, lots: Random) -> tuple[int, Any]:
    """The players like actions, and discard any number of cards."""
    actions = [choice for choice in choices if isinstance(choice[1], TakeAction)]
    seat, command = lots.choice(actions if actions and lots.random() < 0.8 else choices)
    if isinstance(command, Discard):
        rest = list(state.players[seat].hand)
        rest.remove(command.card)
        command = Discard(command.card, tuple(lots.sample(rest, lots.randint(0, len(rest)))))
    return seat, command


NUMBERS = range(6)


@pytest.fixture(scope="module", params=TABLES)
def games(request: pytest.FixtureRequest) -> list[Game]:
    return [game(request.param, number, resigning=0.02 * (number > 3)) for number in NUMBERS]


def test_every_game_ends_won_and_then_offers_nothing(games: list[Game]) -> None:
    for played in games:
        outcome = GAME.result(played.state)
        assert outcome is not None
        assert outcome.ending == "won"
        assert outcome.winners
        assert not any(GAME.legal_commands(played.state, seat) for seat in range(len(played.state.players)))


def test_a_game_that_nobody_resigns_is_counted_as_the_grids_are(games: list[Game]) -> None:
    for played in games[:4]:
        outcome = GAME.result(played.state)
        assert outcome is not None
        assert outcome.scores == tuple(score(played.state, seat) for seat in range(len(played.state.players)))
        assert {outcome.scores[seat] for seat in outcome.winners} == {max(outcome.scores)}


def test_there_is_always_somebody_to_act_with_something_to_say(games: list[Game]) -> None:
    for played in games:
        for step in played.steps:
            seat = to_act(step.state)
            assert seat is not None
            assert GAME.legal_commands(step.state, seat)


def test_features_never_overlap_and_power_is_never_lost(games: list[Game]) -> None:
    for played in games:
        for seat in range(len(played.state.players)):
            drawn = played.state.players[seat].features
            filled = [bits_of(one.cells) for one in drawn]
            assert sum(filled).bit_count() == sum(bits.bit_count() for bits in filled)
            for count in range(len(drawn)):
                assert find_powered(drawn[: count + 1])[:count] >= find_powered(drawn[:count])
            assert hand_size(drawn) == 3 + sum(
                works for one, works in zip(drawn, find_powered(drawn), strict=True) if one.feature == "santa"
            )


def test_no_space_has_two_pawns_and_nobody_more_than_there_are(games: list[Game]) -> None:
    for played in games:
        for step in played.steps:
            pawns = [space for player in step.state.players for space in player.pawns]
            assert len(set(pawns)) == len(pawns)
            assert all(spare_pawns(step.state, seat) >= 0 for seat in range(len(step.state.players)))


def test_the_stacks_of_pictures_hold_nothing_but_their_pictures(games: list[Game]) -> None:
    for played in games:
        for rank, stack in PICTURE_STACK.items():
            assert {card[0] for card in played.state.stacks[stack]} <= {rank}


def test_every_normal_round_takes_a_number_and_the_last_one_is_announced(games: list[Game]) -> None:
    for played in games[:4]:
        events = [event for _, event in played.moments()]
        starts = [event for event in events if isinstance(event, ev.RoundStarted)]
        assert [start.number for start in starts] == list(range(1, len(starts) + 1))
        assert [start.final for start in starts] == [False] * (len(starts) - 1) + [True]
        assert sum(isinstance(event, ev.EndAnnounced) for event in events) == 1
