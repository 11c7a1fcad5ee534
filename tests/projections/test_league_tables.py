"""Tables of leagues and ladders over seasons made by lot: exact however the log came about."""

from random import Random
from uuid import UUID

import pytest
from projection_logs import folded, placed
from seasons import LEAGUE, Founded, contest, contest_id, ended, game_id, log, member, season, shuffled

from domain import rulings
from domain.game import events as ev
from domain.league import decide
from domain.league.rules import BOX_TWO
from projections.boxes import Row
from projections.days import DAYS_PROJECTION, SCORES, public_season
from projections.ladder_documents import GAMES, ladder
from projections.ladders import LADDERS
from projections.league_documents import TABLES, Table
from projections.leagues import LEAGUES_PROJECTION
from projections.memory import MemoryDocuments
from projections.placings import places, units
from projections.plays import Play
from projections.projection import Placed

SEEDS = pytest.mark.parametrize("seed", range(12))


def tables(log_: list[Placed]) -> list[Table]:
    return [table for _, table in folded(LEAGUES_PROJECTION, log_).scan(TABLES(LEAGUE))]


def bare(rows: tuple[Row, ...]) -> list[tuple[object, ...]]:
    """What orders people, without the story of it."""
    return [tuple(getattr(row, name) for name in row.__struct_fields__ if name != "contributions") for row in rows]


def voided(made: Founded, *games: UUID) -> list[Placed]:
    made.rule(rulings.GamesVoided(games, "abuse"))
    return log(made)


@SEEDS
@pytest.mark.parametrize("table", [2, 3, 4])
def test_the_units_of_a_game_come_to_twelve_times_its_seats_and_a_row_to_its_contributions(
    seed: int, table: int
) -> None:
    for one in tables(log(season(Random(seed), 9, table))):
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


def test_a_walkover_gives_full_points_and_nothing_in_the_tie_breaks() -> None:
    made = Founded(3, rules=BOX_TWO)
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


@SEEDS
def test_a_ladder_after_voids_and_corrections_is_the_ladder_of_the_games_that_remain(seed: int) -> None:
    """Folded from the start without the voided games, and with the corrected results in their places."""
    made = season(Random(seed), 8, 3 if seed % 2 else 2)
    assert _ladder(folded(LADDERS, log(made))) == _ladder(folded(LADDERS, log(made))), "a fold is a fold"
    site = [_site(record) for record in made.records]
    after = folded(LADDERS, placed(site))
    assert _ladder(after) == _ladder(folded(LADDERS, placed(_as_if_known_before(site))))


def _site(record: object) -> object:
    """A league's ruling as if a moderator had made it."""
    import msgspec

    if type(record.event) in rulings.RULINGS:  # type: ignore[attr-defined]
        return msgspec.structs.replace(record, type=rulings.STREAM_TYPE, stream=rulings.SITE)  # type: ignore[type-var]
    return record


def _as_if_known_before(records: list[object]) -> list[object]:
    """All rulings before the games that they are about: nothing then has to be folded again."""
    ruled = [record for record in records if type(record.event) in rulings.RULINGS]  # type: ignore[attr-defined]
    return ruled + [record for record in records if record not in ruled]


def _ladder(documents: MemoryDocuments) -> list[tuple[object, ...]]:
    kind = "spite_and_malice"
    rows = [*documents.scan(ladder(kind)), *documents.scan(ladder("decs_building"))]
    games = [*documents.scan(GAMES(kind)), *documents.scan(GAMES("decs_building"))]
    return [(row.player, row.rating, row.games, row.provisional) for _, row in rows] + [
        (game.game, game.places) for _, game in games
    ]


@pytest.mark.parametrize(("players", "placed_"), [(2, (0, 1)), (3, (0, 1, 2)), (4, (0, 0, 2, 3)), (5, (0, 1, 1, 1, 4))])
def test_units_run_from_24_to_0_and_ties_share(players: int, placed_: tuple[int, ...]) -> None:
    assert sum(units(placed_)) == 12 * players
    assert max(units(placed_)) <= 24
    assert min(units(placed_)) >= 0


def test_leavers_come_last_the_first_to_leave_at_the_very_end() -> None:
    finish = ended([member(n) for n in range(4)], [2], (5, 9, 7, 8))
    play = Play(game_id(1), "decs_building", finish.players, finish=finish, left=(1, 3))
    assert places(play) == (1, 3, 0, 2)


def test_a_game_closed_by_all_is_a_tie_once_everybody_had_a_turn_and_none_before() -> None:
    two = [member(0), member(1)]
    agreed = ended(two, [], ending="abandoned", reason="agreed", moves=2)
    assert places(Play(game_id(1), "spite_and_malice", tuple(two), finish=agreed)) == (0, 0)
    early = ended(two, [], ending="abandoned", reason="agreed", moves=1)
    assert places(Play(game_id(1), "spite_and_malice", tuple(two), finish=early)) is None


@SEEDS
def test_matchpoints_of_a_deal_come_to_n_times_n_minus_one_whatever_is_voided(seed: int) -> None:
    records = contest(1, 9, Random(seed))
    for gone in range(-1, 9):
        voids = [rulings.recorded(gone + 2, rulings.GamesVoided((game_id(5100 + gone),), "x"), member(0), 1)]
        documents = folded(DAYS_PROJECTION, placed([*records, *(voids if gone >= 0 else [])]))
        scores = [score for _, score in documents.scan(SCORES(contest_id(1)))]
        field = [score for score in scores if score.kind == "ranked"]
        assert sum(score.points for score in field) == len(field) * (len(field) - 1)
        assert all(score.clean for score in field)
        assert all(score.of == len(field) for score in field)


def test_a_void_gives_everybody_else_back_what_the_game_took_from_them() -> None:
    records = contest(1, 6, Random(3))
    void = rulings.recorded(1, rulings.GamesVoided((game_id(5102),), "abuse"), member(0), 1)
    voided_ = folded(DAYS_PROJECTION, placed([*records, void]))
    never = folded(DAYS_PROJECTION, placed([one for one in records if one.stream != game_id(5102)]))
    for collection in (SCORES(contest_id(1)), public_season("klondike", "2023-11").rows):
        kept = {key: row for key, row in voided_.scan(collection) if key != str(member(2))}
        assert kept == {key: row for key, row in never.scan(collection) if key != str(member(2))}


def test_results_are_there_only_once_the_contest_is_closed() -> None:
    records = contest(1, 4, Random(1))
    closing = next(n for n, record in enumerate(records) if type(record.event).__name__ == "Closed")
    before = folded(DAYS_PROJECTION, placed(records[:closing]))
    assert not list(before.scan(SCORES(contest_id(1))))
    assert len(list(folded(DAYS_PROJECTION, placed(records)).scan(SCORES(contest_id(1))))) == 4
