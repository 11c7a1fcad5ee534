"""Tables of leagues: by whole seasons made by lot, case by case, as published, and as worked out by hand."""

from fractions import Fraction
from hashlib import sha256
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace
from projection_logs import folded
from seasons import LEAGUE, ORGANISER, Founded, ended, game_id, log, member

from domain import rulings
from domain.league import decide
from domain.league import events as lg
from domain.league.rules import BOX, BOX_1, BOX_2, BOX_TWO, BOX_TWO_1, BOX_TWO_2, BoxRules
from projections.games.counted_games import units
from projections.leagues.boxes import Met, Row, order_tied
from projections.leagues.league_projection import LEAGUES_PROJECTION, TABLES, Table
from service.web.rule_sets import PLAYERS, work_out_season

A, B, C, D = (member(number) for number in range(4))


def table(made: Founded) -> Table:
    return next(table for _, table in folded(LEAGUES_PROJECTION, log(made)).scan(TABLES(LEAGUE)))


def rows(made: Founded) -> dict[UUID, Row]:
    return {row.player: row for row in table(made).rows}


def fixture(made: Founded, *players: UUID) -> lg.Fixture:
    return next(one for one in made.fixtures if set(one.players) == set(players))


def win(made: Founded, number: int, winner: UUID, loser: UUID, scores: tuple[int, int] = (0, 0)) -> None:
    """A game between the two; the scores are the winner's and the loser's."""
    one = fixture(made, winner, loser)
    seat = one.players.index(winner)
    made.play(one, number, ended(one.players, [seat], (scores[seat], scores[1 - seat]) if any(scores) else ()))


def test_a_void_may_come_before_the_finish() -> None:
    made = Founded(4)
    for number, one in enumerate(made.fixtures, 1):
        made.play(one, number, ended(one.players, [number % 2]))
    made.rule(rulings.GamesVoided((game_id(1),), "abuse"))
    late = rows(made)
    ruling = made.records.pop()
    opened = next(at for at, record in enumerate(made.records) if record.stream == game_id(1))
    made.records.insert(opened + 1, ruling)
    assert rows(made) == late


def test_a_correction_does_not_revive_a_voided_game_and_a_withdrawal_does() -> None:
    made = Founded(2)
    one = made.fixtures[0]
    made.play(one, 1, ended(one.players, [0]))
    made.rule(rulings.GamesVoided((game_id(1),), "abuse"))
    made.rule(rulings.ResultCorrected(game=game_id(1), ending="won", winners=(1,), reason="typo"))
    assert {row.points for row in table(made).rows} == {0}
    made.rule(rulings.VoidsWithdrawn((game_id(1),), "it was none"))
    assert [(row.player, row.points) for row in table(made).rows] == [(one.players[1], 24), (one.players[0], 0)]


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


@pytest.mark.parametrize(("rules", "points"), [(BOX_2, 24), (BOX_TWO_2, 2)])
def test_under_earlier_rules_what_is_given_without_a_game_is_in_the_points_and_nowhere_else(
    rules: BoxRules, points: int
) -> None:
    made = Founded(3, rules=rules)
    win(made, 1, A, B)
    given = fixture(made, B, C)
    made.say(*decide.give_walkover(made.it, given.id, B, "nobody came", ORGANISER))
    found = rows(made)
    assert (found[B].points, found[B].games, found[B].wins, found[B].score_difference) == (points, 2, 0, 0)
    assert {part.kind for part in found[B].contributions} == {"played", "walkover"}
    assert (found[A].sonneborn_berger, found[B].sonneborn_berger, found[B].head_to_head) == (0, 0, 0)
    made.say(*decide.reopen_fixture(made.it, given.id, "they did come", ORGANISER))
    assert rows(made)[B].points == 0


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


def test_organisers_cannot_lift_a_moderators_void_and_of_two_corrections_the_moderators_counts() -> None:
    made = Founded(2)
    one = made.fixtures[0]
    made.play(one, 1, ended(one.players, [0]))
    said = rulings.GamesVoided((game_id(1),), "abuse")
    made.records.append(rulings.ruling_record(1, said, ORGANISER, made.records[-1].time))
    made.rule(rulings.VoidsWithdrawn((game_id(1),), "it was none"))
    assert {row.points for row in table(made).rows} == {0}
    back = rulings.VoidsWithdrawn((game_id(1),), "it was none")
    made.records.append(rulings.ruling_record(2, back, ORGANISER, made.records[-1].time))
    assert {row.points for row in table(made).rows} == {24, 0}
    drawn = rulings.ResultCorrected(game=game_id(1), ending="drawn", winners=(), reason="adjudged")
    made.records.append(rulings.ruling_record(3, drawn, ORGANISER, made.records[-1].time))
    made.rule(rulings.ResultCorrected(game=game_id(1), ending="won", winners=(1,), reason="typo"))
    assert {row.points for row in table(made).rows} == {12}


def test_the_hash_of_a_published_table_follows_from_its_canonical_form_alone() -> None:
    made = Founded(2)
    one = made.fixtures[0]
    made.play(one, 1, ended(one.players, [], (5, 3)))
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    seats = {player: 2 if seat == 0 else -2 for seat, player in enumerate(one.players)}
    part = [one.id, "played", 12, 1, game_id(1)]
    order = sorted(seats, key=lambda player: (-seats[player], player))
    canonical = [[player, place, 12, 1, 0, 1, 0, 1, 12, seats[player], [part]] for place, player in enumerate(order, 1)]
    assert table(made).published[0].hash == sha256(msgspec.json.encode(canonical)).hexdigest()


@pytest.mark.parametrize("say", [
    rulings.GamesVoided((game_id(1),), "abuse"),
    rulings.ResultCorrected(game=game_id(1), ending="drawn", winners=(), reason="adjudged"),
])  # fmt: skip
def test_amendments_are_numbered_beside_the_published_table_and_what_was_decided_stands(say: msgspec.Struct) -> None:
    made = Founded(2)
    win(made, 1, A, B)
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    first = table(made).published[0]
    made.say(*decide.decide_promotions(made.it, 1, first.hash, [], ORGANISER))
    decided = made.it.season
    made.rule(say)
    back = rulings.VoidsWithdrawn if isinstance(say, rulings.GamesVoided) else rulings.CorrectionWithdrawn
    made.rule(back((game_id(1),) if back is rulings.VoidsWithdrawn else game_id(1), "it was right"))
    published = table(made).published
    assert [one.number for one in published] == [0, 1, 2]
    assert published[1].because in ("games voided: abuse", "result corrected: adjudged")
    assert published[1].rows != published[2].rows == table(made).rows
    assert (published[0], published[2].hash) == (first, first.hash)
    assert made.it.season == decided


# player, place, points, games, wins, ties, losses, among equals, Sonneborn-Berger, difference
COUNTED = [
    ("B", 1, 48, 3, 2, 0, 1, 4, 96, 5), ("A", 2, 48, 3, 2, 0, 1, 2, 72, 2), ("C", 3, 48, 4, 2, 0, 2, 2, 72, 0),
    ("D", 4, 48, 4, 2, 0, 2, 2, 72, -6), ("E", 5, 24, 4, 1, 0, 3, 0, 48, -1),
]  # fmt: skip
POINTS_ALONE = [
    ("B", 1, 48, 3, 2, 0, 1, 4, 48, 5), ("D", 2, 48, 3, 1, 0, 1, 2, 24, -6), ("C", 3, 48, 4, 1, 0, 2, 2, 24, 0),
    ("A", 4, 48, 3, 1, 0, 1, 0, 24, 2), ("E", 5, 24, 2, 1, 0, 1, 0, 48, -1),
]  # fmt: skip


@pytest.mark.parametrize("rules", [BOX, BOX_TWO, BOX_2, BOX_TWO_2, BOX_1, BOX_TWO_1], ids=lambda rules: rules.id)
def test_the_season_on_the_page_is_as_worked_out_by_hand(rules: BoxRules) -> None:
    unit = 12 if rules.points == "two_one_zero" else 1
    worked = [
        (
            PLAYERS[row.player.int], row.place, row.points * unit, row.games, row.wins, row.ties, row.losses,
            row.head_to_head, Fraction(row.sonneborn_berger, 2) * unit, row.score_difference,
        )
        for row in work_out_season(rules)
    ]  # fmt: skip
    assert worked == (COUNTED if rules.forfeits_count else POINTS_ALONE)
