"""Running out of time: recorded, judged by the times that are recorded, and worth what the leagues say."""

from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import Game, fold
from domain.play.deciding import Act, legal_commands, play
from domain.play.endings import late_seats, move_due_at, time_out
from domain.play.table import Opening, open_game
from domain.play.verify import verify

SECOND = 1_000_000
PLAYERS = tuple(UUID(int=number) for number in range(1, 6))
COMPANY = [key for key, found in GAME_TYPES.items() if found.seats[-1] > 2]
PAIRS = [key for key, found in GAME_TYPES.items() if 2 in found.seats]


def opened(key: str, seats: int, seconds: int | None = 60) -> tuple[Game, list[object]]:
    found = GAME_TYPES[key]
    opening = Opening(type=found, options=found.options(), players=PLAYERS[:seats], move_seconds=seconds)
    step = open_game(UUID(int=9), opening, ev.Sealed(bytes(32), bytes(32)), Act(PLAYERS[0], None, 0))
    return step.game, list(step.records)


def played_until_all_have_acted(key: str, seats: int) -> tuple[Game, list[object]]:
    game, records = opened(key, seats)
    lots = Random(5)
    while len(game.acted) < seats:
        seat = game.type.look(game.state, 0).to_act[0]
        listed = [said for said in legal_commands(game, seat) if not isinstance(said, ev.Resign)]
        step = play(game, lots.choice(listed), Act(game.players[seat], seat, game.updated_at))
        game, records = step.game, [*records, *step.records]
        assert game.status == "playing"
    return game, records


DAY = 86_400 * SECOND


def test_a_game_without_a_limit_is_due_a_day_after_the_last_move_once_it_has_begun() -> None:
    game, records = opened("klondike", 1, None)
    assert move_due_at(game) is None
    with pytest.raises(Illegal):
        time_out(game, 10**15)
    step = play(game, legal_commands(game, 0)[0], Act(PLAYERS[0], 0, 30 * SECOND))
    assert move_due_at(step.game) == 30 * SECOND + DAY
    with pytest.raises(Illegal):
        time_out(step.game, 30 * SECOND + DAY - 1)
    left = time_out(step.game, 30 * SECOND + DAY)
    assert (left.game.result and left.game.result.ending, left.game.result and left.game.result.reason) == (
        "lost", "timed_out",
    )  # fmt: skip
    assert verify([*records, *step.records, *left.records]) == []  # type: ignore[list-item]


def test_with_others_it_is_due_after_a_fortnight() -> None:
    game, _ = opened("spite_and_malice", 2, None)
    assert move_due_at(game) is None
    seat = late_seats(game)[0]
    said = next(one for one in legal_commands(game, seat) if not isinstance(one, ev.Resign))
    game = play(game, said, Act(PLAYERS[seat], seat, SECOND)).game
    assert move_due_at(game) == SECOND + 14 * DAY


@pytest.mark.parametrize("more", [
    {"rated": False}, {"visibility": "unlisted"}, {"contest": UUID(int=7)},
])  # fmt: skip
def test_what_counts_in_no_table_or_ends_with_its_contest_may_be_left(more: dict[str, Any]) -> None:
    found = GAME_TYPES["klondike"]
    opening = Opening(type=found, options=found.options(), players=PLAYERS[:1], **more)
    game = open_game(UUID(int=9), opening, ev.Sealed(bytes(32), bytes(32)), Act(PLAYERS[0], None, 0)).game
    assert move_due_at(play(game, legal_commands(game, 0)[0], Act(PLAYERS[0], 0, SECOND)).game) is None


def test_the_clock_runs_from_the_last_step_and_not_a_moment_sooner() -> None:
    game, _ = opened("klondike", 1)
    game = play(game, legal_commands(game, 0)[0], Act(PLAYERS[0], 0, 30 * SECOND)).game
    assert move_due_at(game) == 90 * SECOND
    with pytest.raises(Illegal):
        time_out(game, 90 * SECOND - 1)
    late = time_out(game, 90 * SECOND).game
    assert (late.status, late.result and late.result.reason) == ("finished", "timed_out")


@pytest.mark.parametrize("key", PAIRS)
def test_before_everybody_had_a_turn_it_is_abandoned_and_nobody_has_lost(key: str) -> None:
    game, _ = opened(key, 2)
    late = time_out(game, 60 * SECOND).game
    assert late.result is not None
    assert (late.result.ending, late.result.reason, late.result.winners) == ("abandoned", "not_begun", ())


@pytest.mark.parametrize("key", PAIRS)
def test_of_two_the_one_who_is_late_has_lost_and_the_record_verifies(key: str) -> None:
    game, records = played_until_all_have_acted(key, 2)
    late = late_seats(game)
    step = time_out(game, game.updated_at + 60 * SECOND)
    assert step.game.result is not None
    assert step.game.result.winners == tuple(seat for seat in (0, 1) if seat not in late)
    whole = [*records, *step.records]
    assert fold(whole) == step.game  # type: ignore[arg-type]
    assert verify(whole) == []  # type: ignore[arg-type]


@pytest.mark.parametrize("key", COMPANY)
def test_of_three_the_late_one_is_out_and_the_others_play_on(key: str) -> None:
    game, records = played_until_all_have_acted(key, 3)
    late = late_seats(game)
    step = time_out(game, game.updated_at + 60 * SECOND)
    assert step.game.out == late
    assert all(legal_commands(step.game, seat) == () for seat in late)
    assert len(late) > 1 or step.game.status == "playing"
    assert verify([*records, *step.records]) == []  # type: ignore[arg-type]
