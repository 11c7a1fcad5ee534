"""What a box league's table goes by, case by case."""

from uuid import UUID

import pytest
from box_tables import A, B, C, D, fixture, rows, table, win
from msgspec.structs import replace
from seasons import ORGANISER, Founded, ended, game_id, member

from domain import rulings
from domain.league import decide
from domain.league.rules import BOX_2
from projections.games.counted_games import units
from projections.leagues.boxes import Met, order_tied

BREAKS = ("head_to_head", "sonneborn_berger", "score_difference", "wins")


def met(one: UUID, other: UUID, result: int, difference: int = 0) -> Met:
    """Who met whom: 1 the first won, 0 neither, -1 the second."""
    placed = (0, 0) if result == 0 else (0, 1) if result == 1 else (1, 0)
    return Met((one, other), placed, units(placed), (difference, 0))


def places(made: Founded) -> dict[UUID, int | None]:
    return {player: row.place for player, row in rows(made).items()}


def test_head_to_head_is_looked_at_again_among_those_it_leaves_tied() -> None:
    games = [met(A, B, 1), met(A, B, 1), met(A, C, 1), met(A, C, -1), met(B, C, 1), met(B, C, 0), met(C, D, 1)]
    earned = dict.fromkeys((A, B, C, D), 48)
    assert list(order_tied([C, B, A], earned, games, BREAKS)) == [[A], [B], [C]]


def test_sonneborn_berger_counts_in_halves() -> None:
    made = Founded(3)
    win(made, 1, A, B)
    drawn = fixture(made, A, C)
    made.play(drawn, 2, ended(drawn.players, []))
    found = rows(made)
    assert {player: found[player].points for player in (A, B, C)} == {A: 36, B: 0, C: 12}
    assert {player: found[player].sonneborn_berger for player in (A, B, C)} == {A: 2 * 0 + 12, B: 0, C: 36}


def test_the_score_difference_parts_those_whom_the_games_among_them_do_not() -> None:
    made = Founded(3)
    for number, (winner, loser, scores) in enumerate([(A, B, (9, 1)), (B, C, (9, 5)), (C, A, (9, 8))], 1):
        win(made, number, winner, loser, scores)
    assert places(made) == {A: 1, B: 3, C: 2}
    assert {player: row.score_difference for player, row in rows(made).items()} == {A: 7, B: -4, C: -3}


def test_what_nothing_parts_shares_the_place() -> None:
    made = Founded(4)
    for number, (winner, loser) in enumerate([(A, B), (B, C), (C, A), (A, D), (B, D), (C, D)], 1):
        win(made, number, winner, loser)
    assert places(made) == {A: 1, B: 1, C: 1, D: 4}


def test_under_earlier_rules_what_is_given_without_a_game_is_in_the_points_and_nowhere_else() -> None:
    made = Founded(3, rules=BOX_2)
    win(made, 1, A, B)
    given = fixture(made, B, C)
    made.say(*decide.give_walkover(made.it, given.id, B, "nobody came", ORGANISER))
    found = rows(made)
    assert (found[B].points, found[B].games, found[B].wins, found[B].score_difference) == (24, 2, 0, 0)
    assert found[A].sonneborn_berger == 0, "B has earned nothing at the table"


def test_a_forfeit_counts_as_a_game_without_scores_at_a_table_of_three_too() -> None:
    made = Founded(3, table=3)
    one = made.fixtures[0]
    made.say(*decide.give_walkover(made.it, one.id, A, "nobody came", ORGANISER))
    found = rows(made)
    assert [(found[player].games, found[player].wins, found[player].losses) for player in (A, B, C)] == [
        (1, 1, 0), (1, 0, 1), (1, 0, 1),
    ]  # fmt: skip
    assert (found[A].sonneborn_berger, found[B].sonneborn_berger, found[A].place, found[B].place) == (0, 0, 1, None)
    assert {row.score_difference for row in found.values()} == {0}


def test_who_did_not_show_has_no_game_by_it_and_is_unranked_without_one() -> None:
    made = Founded(2)
    made.say(*decide.give_walkover(made.it, made.fixtures[0].id, A, "nobody came", ORGANISER))
    assert places(made) == {A: 1, B: None}


def test_a_fixture_that_was_not_played_gives_nobody_anything() -> None:
    made = Founded(3)
    win(made, 1, A, B)
    made.say(*decide.declare_not_played(made.it, fixture(made, A, C).id, [], "no date was found", ORGANISER))
    found = rows(made)
    assert {(part.kind, part.points) for part in found[C].contributions} == {("not_played", 0), ("to_play", 0)}
    assert found[C].place is None


def test_at_the_closing_what_was_not_played_is_not_played() -> None:
    made = Founded(3)
    win(made, 1, A, B)
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    assert {part.kind for part in rows(made)[C].contributions} == {"not_played"}


def test_a_game_after_the_last_day_counts_until_the_closing_and_not_after_it() -> None:
    made = Founded(3)
    made.records[-1] = replace(made.records[-1], event=replace(made.records[-1].event, ends=made.records[-1].time))
    win(made, 1, A, B)
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    win(made, 2, A, C)
    after = table(made)
    assert {row.player: row.points for row in after.rows} == {A: 24, B: 0, C: 0}
    assert len(after.published) == 1, "and nothing is amended"


def test_a_resignation_before_everybody_had_a_turn_counts_for_nothing() -> None:
    made = Founded(2)
    one = made.fixtures[0]
    made.play(one, 1, ended(one.players, [1], moves=1, reason="resigned"), 0)
    assert {row.points for row in table(made).rows} == {0}
    assert {part.kind for row in table(made).rows for part in row.contributions} == {"void"}
    made.play(one, 2, ended(one.players, [0]))
    assert [row.points for row in table(made).rows] == [24, 0]


def test_of_two_games_for_a_fixture_the_first_to_finish_counts() -> None:
    made = Founded(2)
    one = made.fixtures[0]
    made.play(one, 2, ended(one.players, [0]))
    made.play(one, 1, ended(one.players, [1]))
    assert rows(made)[one.players[0]].points == 24
    made.rule(rulings.GamesVoided((game_id(2),), "abuse"))
    assert rows(made)[one.players[1]].points == 24


def test_the_replaced_keeps_what_was_played_and_the_substitute_plays_the_rest() -> None:
    made = Founded(3)
    made.say(*decide.join(made.it, member(9)), by=member(9))
    win(made, 1, A, B)
    made.say(*decide.replace_player(made.it, 1, A, member(9), ORGANISER))
    left = fixture(made, A, C)
    made.play(replace(left, players=(member(9), C)), 2, ended((member(9), C), [0]))
    found = rows(made)
    assert (found[A].points, found[member(9)].points, found[C].points) == (24, 24, 0)
    assert [part.opponents for part in found[member(9)].contributions] == [(C,)]


@pytest.mark.parametrize(("played", "points"), [(1, {A: 0, D: 0}), (2, {A: 48, D: 24})])
def test_who_leaves_before_half_is_struck_and_from_half_on_what_is_left_goes_to_the_opponents(
    played: int, points: dict[UUID, int]
) -> None:
    made = Founded(5)
    for number, loser in enumerate([B, C][:played], 1):
        win(made, number, A, loser)
    made.say(*decide.leave(made.it, A))
    found = rows(made)
    assert {player: found[player].points for player in points} == points
    assert {part.kind for part in found[D].contributions} == {"struck" if played == 1 else "left", "to_play"}
