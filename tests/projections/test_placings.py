"""How the seats of a game are placed: who left, who agreed, and when a game was none."""

import pytest
from seasons import ended, game_id, member

from domain import rulings
from domain.play import events as ev
from projections.games.counted_games import Departure, Play, RulingsOfGame, places, units

FOUR = [member(number) for number in range(4)]


def play(finish: ev.Finished, *left: tuple[int, int], kind: str = "decs_building") -> Play:
    """A game that ended so; who left, each with the step."""
    gone = tuple(Departure(seat, step) for seat, step in left)
    return Play(game_id(1), kind, finish.players, finish=finish, left=gone)


@pytest.mark.parametrize(("players", "placed_"), [(2, (0, 1)), (3, (0, 1, 2)), (4, (0, 0, 2, 3)), (5, (0, 1, 1, 1, 4))])
def test_units_run_from_24_to_0_and_ties_share(players: int, placed_: tuple[int, ...]) -> None:
    assert sum(units(placed_)) == 12 * players
    assert max(units(placed_)) <= 24
    assert min(units(placed_)) >= 0


def test_leavers_come_last_the_first_to_leave_at_the_very_end() -> None:
    assert places(play(ended(FOUR, [2], (5, 9, 7, 8)), (1, 7), (3, 9))) == (1, 3, 0, 2)


def test_who_runs_out_of_time_in_the_same_step_shares_the_last_place() -> None:
    assert places(play(ended(FOUR, [0, 2]), (1, 7), (3, 7))) == (0, 2, 0, 2)


def test_where_a_table_cannot_go_on_without_a_leaver_the_rest_share_the_first_place() -> None:
    assert places(play(ended(FOUR, [0, 2, 3]), (1, 7))) == (0, 3, 0, 0)


def test_the_fewest_points_are_first_where_the_lowest_score_wins() -> None:
    finish = ended(FOUR[:2], [], (7, 3), ending="lost")
    assert places(play(finish, kind="golf")) == (1, 0)
    assert places(play(finish)) == (0, 1)


@pytest.mark.parametrize(("moves", "placed"), [(1, None), (2, (0, 0))])
def test_a_game_closed_by_all_is_a_tie_once_everybody_had_a_turn_and_none_before(
    moves: int, placed: tuple[int, ...] | None
) -> None:
    assert places(play(ended(FOUR[:2], [], ending="abandoned", reason="agreed", moves=moves))) == placed


@pytest.mark.parametrize(("moves", "placed"), [(0, None), (1, None), (2, (1, 0))])
def test_a_game_left_before_everybody_can_have_had_a_turn_was_none(moves: int, placed: tuple[int, ...] | None) -> None:
    assert places(play(ended(FOUR[:2], [1], moves=moves, reason="resigned"), (0, 3))) == placed


def test_a_table_closed_by_those_who_remain_is_their_tie_and_the_leaver_stays_last() -> None:
    assert places(play(ended(FOUR, [], ending="abandoned", reason="agreed"), (1, 7))) == (0, 3, 0, 0)


def test_a_game_that_the_clock_found_not_begun_was_none() -> None:
    assert places(play(ended(FOUR, [], ending="abandoned", reason="not_begun"), (1, 7))) is None


def test_a_correction_places_as_it_says_and_by_winners_and_scores_where_it_does_not() -> None:
    wrong = play(ended(FOUR, [0]), (3, 7))
    said = rulings.ResultCorrected(game=game_id(1), ending="won", winners=(3,), scores=(1, 2, 3, 9), reason="typo")
    assert places(_with(wrong, said)) == (3, 2, 1, 0)
    placed = rulings.ResultCorrected(game=game_id(1), ending="won", winners=(1,), places=(1, 0, 1, 3), reason="typo")
    assert places(_with(wrong, placed)) == (1, 0, 1, 3)
    none = rulings.ResultCorrected(game=game_id(1), ending="abandoned", winners=(), reason="a fault")
    assert places(_with(wrong, none)) is None


def _with(one: Play, said: rulings.ResultCorrected) -> Play:
    return Play(
        one.game, one.game_type, one.players, finish=one.finish, left=one.left, said=RulingsOfGame(correction=said)
    )
