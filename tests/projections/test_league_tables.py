"""Tables of leagues over seasons made by lot: exact however the log came about."""

from random import Random
from uuid import UUID

import pytest
from projection_logs import folded, placed
from seasons import LEAGUE, Founded, ended, game_id, log, member, season, shuffled

from domain import rulings
from domain.league import decide
from domain.league.rules import BOX_TWO_2
from domain.play import events as ev
from projections.engine.contract import Placed
from projections.leagues.boxes import Row
from projections.leagues.league_projection import LEAGUES_PROJECTION, TABLES, Table

SEEDS = pytest.mark.parametrize("seed", range(8))


def tables(log_: list[Placed]) -> list[Table]:
    return [table for _, table in folded(LEAGUES_PROJECTION, log_).scan(TABLES(LEAGUE))]


def bare(rows: tuple[Row, ...]) -> list[tuple[object, ...]]:
    """What orders people, without the story of it."""
    return [tuple(getattr(row, name) for name in row.__struct_fields__ if name != "contributions") for row in rows]


def voided(made: Founded, *games: UUID) -> list[Placed]:
    made.rule(rulings.GamesVoided(games, "abuse"))
    return log(made)


@SEEDS
@pytest.mark.parametrize(("table", "members"), [(2, 9), (3, 6), (4, 6)])
def test_the_units_of_a_game_come_to_twelve_times_its_seats_and_a_row_to_its_contributions(
    seed: int, table: int, members: int
) -> None:
    for one in tables(log(season(Random(seed), members, table))):
        points: dict[UUID, int] = {}
        for row in one.rows:
            assert row.points == sum(part.points for part in row.contributions)
            for part in row.contributions:
                if part.kind == "played" and part.game is not None:
                    points[part.game] = points.get(part.game, 0) + part.points
        assert set(points.values()) <= {12 * table}


@SEEDS
def test_the_order_of_delivery_of_different_games_does_not_change_a_table(seed: int) -> None:
    made = season(Random(seed))
    early = [record for record in made.records if not isinstance(record.event, type(made.records[-1].event))]
    opened = next(n for n, record in enumerate(early) if isinstance(record.event, ev.Opened))
    games = [record for record in early[opened:] if record.stream != LEAGUE]
    rulings_ = [record for record in early[opened:] if record.stream == LEAGUE]
    straight = tables(placed([*early[:opened], *games, *rulings_]))
    mixed = tables(placed([*early[:opened], *shuffled(games, Random(seed)), *rulings_]))
    assert [bare(one.rows) for one in straight] == [bare(one.rows) for one in mixed]


@SEEDS
def test_void_then_withdraw_equals_never(seed: int) -> None:
    made = season(Random(seed))
    before = [bare(one.rows) for one in tables(log(made))]
    games = tuple(game_id(number) for number in range(1, 40, 3))
    countable = tuple(game for game in games if not _is_void(made, game))
    voided(made, *countable)
    made.rule(rulings.VoidsWithdrawn(countable, "it was none"))
    after = tables(log(made))
    assert [bare(one.rows) for one in after] == before
    assert all(len(one.published) == 1 or one.published[-1].rows == one.rows for one in after)


def _is_void(made: Founded, game: UUID) -> bool:
    state = False
    for record in made.records:
        if isinstance(record.event, rulings.GamesVoided) and game in record.event.games:
            state = True
        if isinstance(record.event, rulings.VoidsWithdrawn) and game in record.event.games:
            state = False
    return state


def test_a_void_may_come_before_the_finish() -> None:
    made = Founded(4)
    for number, fixture in enumerate(made.fixtures, 1):
        made.play(fixture, number, ended(fixture.players, [number % 2]))
    late = tables(voided(made, game_id(1)))
    ruling = made.records.pop()
    opened = next(at for at, record in enumerate(made.records) if record.stream == game_id(1))
    made.records.insert(opened + 1, ruling)
    assert [bare(one.rows) for one in tables(log(made))] == [bare(one.rows) for one in late]


@SEEDS
def test_permuting_the_ids_of_players_permutes_the_rows_and_nothing_else(seed: int) -> None:
    places_of = [
        {(row.place, row.points, row.wins, row.sonneborn_berger) for row in one.rows}
        for one in tables(log(_with_ids(seed, 0)))
    ]
    permuted = [
        {(row.place, row.points, row.wins, row.sonneborn_berger) for row in one.rows}
        for one in tables(log(_with_ids(seed, 7)))
    ]
    assert places_of == permuted


def _with_ids(seed: int, shift: int) -> Founded:
    import seasons

    kept = seasons.member
    seasons.member = lambda number: UUID(int=0xA000 + (number * 5 + shift) % 12)
    try:
        return season(Random(seed))
    finally:
        seasons.member = kept


@SEEDS
def test_nobody_stands_twice_in_a_table_and_places_are_those_of_competition_ranking(seed: int) -> None:
    for one in tables(log(season(Random(seed)))):
        assert len({row.player for row in one.rows}) == len(one.rows)
        ranked = [row.place for row in one.rows if row.place is not None]
        assert all(place == 1 + sum(other < place for other in ranked) for place in ranked)


def test_a_second_finish_changes_nothing_only_a_correction_does() -> None:
    made = Founded(2)
    made.play(made.fixtures[0], 1, ended(made.fixtures[0].players, [0]))
    first = [bare(one.rows) for one in tables(log(made))]
    again = made.records[-2].__class__(*[getattr(made.records[-2], f) for f in made.records[-2].__struct_fields__])
    made.records.append(again.__class__(
        *[{"version": 99, "event": ended(made.fixtures[0].players, [1])}.get(f, getattr(again, f))
          for f in again.__struct_fields__]
    ))  # fmt: skip
    assert [bare(one.rows) for one in tables(log(made))] == first
    made.rule(rulings.ResultCorrected(game=game_id(1), ending="won", winners=(1,), reason="wrong way round"))
    rows = tables(log(made))[0].rows
    assert rows[0].player == made.fixtures[0].players[1]


def test_a_correction_does_not_revive_a_voided_game_and_a_withdrawal_does() -> None:
    made = Founded(2)
    made.play(made.fixtures[0], 1, ended(made.fixtures[0].players, [0]))
    voided(made, game_id(1))
    made.rule(rulings.ResultCorrected(game=game_id(1), ending="won", winners=(1,), reason="typo"))
    assert {row.points for row in tables(log(made))[0].rows} == {0}
    made.rule(rulings.VoidsWithdrawn((game_id(1),), "it was none"))
    assert [row.points for row in tables(log(made))[0].rows] == [24, 0]
    assert tables(log(made))[0].rows[0].player == made.fixtures[0].players[1]


@SEEDS
@pytest.mark.parametrize(("table", "members"), [(2, 9), (3, 6), (5, 6)])
def test_games_are_the_sum_of_wins_ties_and_losses(seed: int, table: int, members: int) -> None:
    for one in tables(log(season(Random(seed), members, table))):
        assert all(row.games == row.wins + row.ties + row.losses for row in one.rows)


def test_a_walkover_gives_full_points_and_under_earlier_rules_nothing_in_the_tie_breaks() -> None:
    made = Founded(3, rules=BOX_TWO_2)
    fixture = made.fixtures[0]
    made.say(*decide.give_walkover(made.it, fixture.id, fixture.players[0], "nobody came", made.it.organisers[0]))
    rows = {row.player: row for row in tables(log(made))[0].rows}
    winner = rows[fixture.players[0]]
    assert (winner.points, winner.wins, winner.sonneborn_berger, winner.head_to_head) == (2, 0, 0, 0)
    assert winner.contributions[0].kind == "walkover"
    made.say(*decide.reopen_fixture(made.it, fixture.id, "they did come", made.it.organisers[0]))
    assert {row.points for row in tables(log(made))[0].rows} == {0}


def test_who_leaves_before_half_is_struck_and_later_the_rest_go_to_the_opponents() -> None:
    early, late = Founded(5), Founded(5)
    for made, played in ((early, 1), (late, 3)):
        own = [fixture for fixture in made.fixtures if member(0) in fixture.players]
        for number, fixture in enumerate(own[:played], 1):
            made.play(fixture, number, ended(fixture.players, [fixture.players.index(member(0))]))
        made.say(*decide.leave(made.it, member(0)))
    rows = {row.player: row for row in tables(log(early))[0].rows}
    assert rows[member(0)].points == 0
    assert {part.kind for part in rows[member(0)].contributions} == {"struck"}
    rows = {row.player: row for row in tables(log(late))[0].rows}
    assert rows[member(0)].points == 72
    assert sorted(row.points for row in rows.values()) == [0, 0, 0, 24, 72]


def test_a_closed_season_is_published_once_and_what_changes_later_is_an_amendment_beside_it() -> None:
    made = Founded(2)
    made.play(made.fixtures[0], 1, ended(made.fixtures[0].players, [0]))
    made.say(*decide.close_season(made.it, 1, made.it.organisers[0]))
    first = tables(log(made))[0]
    voided(made, game_id(1))
    after = tables(log(made))[0]
    assert after.published[0] == first.published[0]
    assert [one.number for one in after.published] == [0, 1]
    assert after.published[1].because == "games voided: abuse"
    assert after.published[1].rows == after.rows != after.published[0].rows
