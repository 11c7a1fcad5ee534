"""Endings that nobody plays to: time that runs out, seats that resigned, games that had not begun."""

from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, evolve, fold
from domain.play.deciding import Step, legal_commands, play
from domain.play.endings import late_seats, move_due_at, time_out
from domain.play.table import CONVENTIONS, join
from domain.play.verify import verify
from projections.engine.contract import Placed
from projections.games.counted_games import Play, evolve_play, places

from .played import START, act, opened, refusal, seated, until_all_have_acted

SECOND = 1_000_000
DAY = 86_400 * SECOND
COMPANY = [key for key, found in GAME_TYPES.items() if found.seats[-1] > 2]
PAIRS = [key for key, found in GAME_TYPES.items() if 2 in found.seats]


def moved(step: Step, seconds: int) -> Step:
    """A move of the seat that is to act, so many seconds after the opening."""
    seat = late_seats(step.game)[0]
    said = next(one for one in legal_commands(step.game, seat) if not isinstance(one, ev.Resign))
    after = play(step.game, said, act(seat, seconds))
    return Step((*step.records, *after.records), after.game)


def test_a_game_without_a_limit_is_due_a_day_after_the_last_move_once_it_has_begun() -> None:
    dealt = seated(GAME_TYPES["klondike"])
    assert move_due_at(dealt.game) is None
    assert refusal(time_out, dealt.game, 2 * START) == "not_due"
    step, due = moved(dealt, 30), START + 30 * SECOND + DAY
    assert move_due_at(step.game) == due
    assert refusal(time_out, step.game, due - 1) == "not_due"
    left = time_out(step.game, due)
    assert left.game.result is not None
    assert (left.game.result.ending, left.game.result.reason) == ("lost", "timed_out")
    assert verify([*step.records, *left.records]) == []


def test_with_others_it_is_due_after_a_fortnight() -> None:
    dealt = seated(GAME_TYPES["spite_and_malice"])
    assert move_due_at(dealt.game) is None
    assert move_due_at(moved(dealt, 1).game) == START + SECOND + 14 * DAY


@pytest.mark.parametrize("more", [
    {"rated": False}, {"visibility": "unlisted"}, {"contest": UUID(int=7)},
])  # fmt: skip
def test_what_counts_in_no_table_or_ends_with_its_contest_may_be_left(more: dict[str, Any]) -> None:
    assert move_due_at(moved(seated(GAME_TYPES["klondike"], **more), 1).game) is None


def test_the_clock_runs_from_the_last_step_and_not_a_moment_sooner() -> None:
    game, due = moved(seated(GAME_TYPES["klondike"], move_seconds=60), 30).game, START + 90 * SECOND
    assert move_due_at(game) == due
    assert refusal(time_out, game, due - 1) == "not_due"
    late = time_out(game, due).game
    assert (late.status, late.result and late.result.reason) == ("finished", "timed_out")


@pytest.mark.parametrize("key", PAIRS)
def test_before_everybody_had_a_turn_it_is_abandoned_and_nobody_has_lost(key: str) -> None:
    late = time_out(seated(GAME_TYPES[key], 2, move_seconds=60).game, START + 60 * SECOND).game
    assert late.result is not None
    assert (late.result.ending, late.result.reason, late.result.winners) == ("abandoned", "not_begun", ())


@pytest.mark.parametrize("key", PAIRS)
def test_of_two_the_one_who_is_late_has_lost_and_the_record_verifies(key: str) -> None:
    records, game = until_all_have_acted(GAME_TYPES[key], 2)
    late = late_seats(game)
    step = time_out(game, game.updated_at + 60 * SECOND)
    assert step.game.result is not None
    assert step.game.result.winners == tuple(seat for seat in (0, 1) if seat not in late)
    whole = [*records, *step.records]
    assert fold(whole) == step.game
    assert verify(whole) == []


@pytest.mark.parametrize("key", COMPANY)
def test_of_three_the_late_one_is_out_and_the_others_play_on(key: str) -> None:
    records, game = until_all_have_acted(GAME_TYPES[key], 3)
    late = late_seats(game)
    step = time_out(game, game.updated_at + 60 * SECOND)
    assert step.game.out == late
    assert all(legal_commands(step.game, seat) == () for seat in late)
    assert len(late) > 1 or step.game.status == "playing"
    assert verify([*records, *step.records]) == []


def _begun(turns: int, resigning: int) -> tuple[AnyRecord, ...]:
    """Spite & Malice: so many whole turns, however many moves they take, then a seat resigns."""
    step = join(opened("spite_and_malice", 2).game, ev.Join(), act(1, 0)._replace(seat=None))
    number = 1
    for _ in range(turns):
        seat = step.game.type.look(step.game.state, None).to_act[0]
        while seat in step.game.type.look(step.game.state, None).to_act:
            listed = [one for one in legal_commands(step.game, seat) if not isinstance(one, ev.Undo | ev.Resign)]
            step = play(step.game, listed[0], act(seat, number))
            number += 1
    return play(step.game, ev.Resign(), act(resigning, number)).records


def _finished(records: tuple[AnyRecord, ...]) -> ev.Finished:
    return next(record.event for record in records if isinstance(record.event, ev.Finished))


def _places(records: tuple[AnyRecord, ...]) -> tuple[int, ...] | None:
    """As tables place the game."""
    game = Play(records[0].stream, "spite_and_malice")
    for position, record in enumerate(records, 1):
        game = evolve_play(game, Placed(position, record))
    return places(game)


def test_a_game_given_up_before_the_other_had_a_turn_had_not_begun() -> None:
    for turns, resigning in ((0, 0), (1, 0), (1, 1)):
        records = _begun(turns, resigning)
        assert (_finished(records).begun, _places(records)) == (False, None), (turns, resigning)
    records = _begun(2, 1)
    assert (_finished(records).begun, _places(records)) == (True, (0, 1))


def test_a_solo_game_and_one_under_the_first_conventions_say_nothing_of_it() -> None:
    assert _finished(play(opened("klondike").game, ev.Resign(), act(0, 1)).records).begun
    game = join(opened("spite_and_malice", 2).game, ev.Join(), act(1, 0)._replace(seat=None)).game
    old = replace(game, opening=replace(game.opening, conventions=1))
    assert _finished(play(old, ev.Resign(), act(0, 1)).records).begun


def test_a_game_opened_before_there_were_conventions_is_under_the_first() -> None:
    records = opened("klondike").records
    assert fold(records).opening.conventions == CONVENTIONS
    assert evolve(None, replace(records[0], event=replace(records[0].event, conventions=1))).opening.conventions == 1


@pytest.mark.parametrize("key", COMPANY)
def test_it_is_offered_nothing_and_says_nothing_and_the_last_one_left_wins(key: str) -> None:
    game = play(seated(GAME_TYPES[key], 3).game, ev.Resign(), act(1, 2)).game
    assert game.status == "playing"
    assert legal_commands(game, 1) == ()
    assert refusal(play, game, ev.Resign(), act(1, 3)) == "seat_is_out"
    game = play(game, ev.Resign(), act(0, 4)).game
    assert game.status == "finished"
    assert game.result is not None
    assert game.result.winners == (2,)
