"""Foreknowledge at a deal: a planted attempt that knows the hidden cards stands out, honest ones do not."""

from hashlib import sha256
from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain.contest.foreknowledge import Choices, _turnable_groups, choices, count_same_moves, sum_choices
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord
from domain.play.deciding import Act, legal_commands, play
from domain.play.table import Opening, open_game

ANN = UUID(int=1)
KIND = GAME_TYPES["klondike"]


def attempt(deal: int, lots: Random, *, knows: bool, steps: int = 150) -> list[AnyRecord]:
    """Turns cards up wherever that can be done, by lot or, where the cards are known, one that can be moved on."""
    secret = ev.Sealed(sha256(b"deal %d" % deal).digest(), bytes(32))
    step = open_game(UUID(int=9), Opening(type=KIND, options=KIND.options(), players=(ANN,)), secret, Act(ANN, None, 0))
    records = [*step.records]
    for _ in range(steps):
        if step.game.status != "playing":
            break
        said = [one for one in legal_commands(step.game, 0) if not isinstance(one, ev.Resign | ev.Undo)]
        if not said:
            break
        turning = [one for one in said if _turnable_groups(step.game, one)[0] and _tag(one) == "klondike/move"]
        paying = [one for one in turning if knows and _pays(step.game, one)]
        chosen = lots.choice(paying or turning or said)
        step = play(step.game, chosen, Act(ANN, 0, 0))
        records += step.records
    return records


def _tag(command: Any) -> str:
    return str(command.__struct_config__.tag)


def _pays(game: Any, command: Any) -> bool:
    found, own = _turnable_groups(game, command)
    return found.get(own, False)


DEALS = range(12)


@pytest.fixture(scope="module")
def honest() -> list[Choices]:
    return [choices(attempt(deal, Random(deal), knows=False)) for deal in DEALS]


@pytest.fixture(scope="module")
def planted() -> list[Choices]:
    return [choices(attempt(deal, Random(deal), knows=True)) for deal in DEALS]


def test_of_honest_attempts_none_is_worth_a_look(honest: list[Choices]) -> None:
    assert not [one for one in honest if one.is_worth_a_look]
    assert abs(sum_choices(honest).surprise) < 2, "neither more nor less often than luck finds what pays"


def test_attempts_of_some_days_that_know_the_cards_stand_out(planted: list[Choices]) -> None:
    assert sum_choices(planted).is_worth_a_look


def test_what_is_turned_up_is_counted(honest: list[Choices]) -> None:
    assert all(one.shown > 5 for one in honest)
    assert choices(attempt(1, Random(1), knows=False, steps=0)) == Choices()


def test_with_how_many_moves_two_games_begin_alike() -> None:
    one, other = (attempt(3, Random(seed), knows=False, steps=20) for seed in (1, 2))
    assert count_same_moves(one, one) == 20
    assert count_same_moves(one, other) < 20
