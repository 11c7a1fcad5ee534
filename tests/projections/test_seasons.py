"""Tables over a log of some six hundred and fifty games, made by lot: what must hold however it came about."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from many_seasons import BOXES, DAYS, PEOPLE, Lot
from msgspec import Struct
from msgspec.structs import replace
from projection_logs import AnyRecord, folded, placed, present
from seasons import ORGANISER, contest_id

from domain import rulings
from domain.contest.events import Entered
from domain.play import events as ev
from projections import PROJECTIONS
from projections.boards.reliability import RELIABILITIES, Reliability
from projections.boards.scoreboards import BOARD, SCOREBOARDS, Standing
from projections.contests.days import DAYS_PROJECTION, SCORES, SEASONS, STREAKS
from projections.engine.contract import Family, Placed, Projection
from projections.engine.rows import DocumentRow as Stored
from projections.ladders.ladder_projection import GAMES, HISTORY, LADDERS, PLAYS, ROWS, Rated, RatedGame, history
from projections.ladders.ratings import START as UNRATED
from projections.leagues.boxes import Row
from projections.leagues.league_projection import LEAGUES_PROJECTION, TABLES, Table
from tests.memory_documents import MemoryDocuments

OF_TABLES = (DAYS_PROJECTION, LADDERS, LEAGUES_PROJECTION, RELIABILITIES, SCOREBOARDS)
EACH = pytest.mark.parametrize("projection", OF_TABLES, ids=lambda projection: projection.name)
MIXINGS = pytest.mark.parametrize("mixing", range(3))
UNHEARD = ev.Uninvited(UUID(int=1))
"""Something that no table reads."""


@cache
def lot() -> Lot:
    return Lot(1)


@cache
def log(mixing: int | None = 1) -> tuple[Placed, ...]:
    return tuple(placed(lot().records(mixing)))


@cache
def straight(name: str, mixing: int | None = 1) -> MemoryDocuments:
    """The whole log folded in one go."""
    return folded(PROJECTIONS[name], log(mixing))


def of(family: Family[Any], documents: MemoryDocuments) -> dict[tuple[str, str], Any]:
    """The documents of a family, by collection and key."""
    stored = documents.documents()
    return {(name, key): document for name, key, document in stored if name.partition("/")[0] == family.name}


def sorts(family: Family[Any], documents: MemoryDocuments) -> dict[tuple[str, str], bytes | None]:
    """What orders the documents of a family."""
    return {(name, key): sort for name, key, sort, _ in documents.rows() if name.partition("/")[0] == family.name}


@EACH
def test_a_second_finish_of_every_game_changes_nothing(projection: Projection) -> None:
    other = _followed(lambda end: replace(end, winners=end.winners[::-1], scores=(), moves=1))
    assert folded(projection, other).rows() == folded(projection, _followed(lambda end: UNHEARD)).rows()


def _followed(by: Callable[[ev.Finished], Struct]) -> list[Placed]:
    """The log with this behind every finish."""
    records: list[AnyRecord] = []
    for entry in log():
        records.append(entry.record)
        if isinstance(entry.record.event, ev.Finished):
            records.append(replace(entry.record, event=by(entry.record.event)))
    return placed(records)


@MIXINGS
def test_the_order_of_games_changes_neither_tables_nor_the_results_of_days(mixing: int) -> None:
    for projection, family in ((LEAGUES_PROJECTION, TABLES), (DAYS_PROJECTION, SCORES), (DAYS_PROJECTION, SEASONS)):
        straight_log, mixed_log = straight(projection.name, None), straight(projection.name, mixing)
        assert bare(of(family, straight_log)) == bare(of(family, mixed_log))
        assert sorts(family, straight_log) == sorts(family, mixed_log)
    assert of(STREAKS, straight("days", None)) == of(STREAKS, straight("days", mixing))


def bare(documents: dict[tuple[str, str], Any]) -> dict[tuple[str, str], Any]:
    """Of a table its rows and those that were published, without their positions."""
    return {
        at: (document.rows, [each.rows for each in document.published]) if isinstance(document, Table) else document
        for at, document in documents.items()
    }


@MIXINGS
def test_the_order_of_games_changes_no_count_of_a_board_and_nobodys_reliability(mixing: int) -> None:
    for projection, family in ((SCOREBOARDS, BOARD), (RELIABILITIES, Family("reliability", Reliability))):
        plain, mixed = (
            of(family, straight(projection.name, None)),
            of(family, straight(projection.name, mixing)),
        )
        assert {at: counts(row) for at, row in plain.items()} == {at: counts(row) for at, row in mixed.items()}
    assert sorts(BOARD, straight("scoreboards", None)) == sorts(BOARD, straight("scoreboards", mixing))


def counts(row: Standing | Reliability) -> tuple[object, ...]:
    """What of a row does not tell an order."""
    if isinstance(row, Reliability):
        return row.games, row.kept
    bests = (row.fewest_moves, row.shortest, row.best_score)
    return row.games, row.wins, row.losses, row.draws, row.clean_bound, [best and best.value for best in bests]


def test_ratings_follow_the_order_of_first_finishes_and_nothing_else() -> None:
    """All that comes before the finish of a game is said first, all that comes behind it last."""
    finishes = [entry.record for entry in log() if isinstance(entry.record.event, ev.Finished)]
    done: set[UUID] = set()
    before, after = list[AnyRecord](), list[AnyRecord]()
    for entry in log():
        late = entry.record.stream in done or entry.record.type == rulings.STREAM_TYPE
        if isinstance(entry.record.event, ev.Finished):
            done.add(entry.record.stream)
        else:
            (after if late else before).append(entry.record)
    other = folded(LADDERS, placed([*before, *finishes, *after]))
    assert ratings(other) == ratings(straight("ladders"))
    assert sorts(ROWS, other) == sorts(ROWS, straight("ladders"))


def test_each_rating_goes_on_from_the_one_before_in_the_order_of_finishes() -> None:
    finished: dict[UUID, int] = {}
    for entry in log():
        if isinstance(entry.record.event, ev.Finished):
            finished.setdefault(entry.record.stream, entry.position)
    histories = sorted(rated_games(straight("ladders")), key=lambda entry: (entry[0], entry[1].position))
    for name, game, _ in histories:
        assert game.position == finished[game.game], name
    for (name, _, rated), (next_name, _, following) in pairwise(histories):
        last = (rated.number, rated.after) if name == next_name else (0, UNRATED)  # type: ignore[attr-defined]
        assert (following.number - 1, following.before) == last


def rated_games(documents: MemoryDocuments) -> Iterator[tuple[str, RatedGame, Rated]]:
    """Each player's history, the games in it, and what they made of the player's rating."""
    marks = of(HISTORY, documents)
    for (_, key), game in of(GAMES, documents).items():
        play = present(documents.get(PLAYS(), str(game.game)))
        for player, rated in zip(game.players, game.ratings, strict=True):
            name = history(player, play.game_type, play.rule_set).name
            del marks[name, key]
            yield name, game, rated
    assert not marks


def ratings(documents: MemoryDocuments) -> dict[tuple[str, UUID], Any]:
    """By player's history and game."""
    return {(name, game.game): (made, game.places) for name, game, made in rated_games(documents)}


@EACH
def test_void_then_withdraw_equals_never(projection: Projection) -> None:
    events = rulings.GamesVoided(unruled(60), "abuse"), rulings.VoidsWithdrawn(unruled(60), "it was none")
    after = folded(projection, placed(lot().records(1, *events)))
    if projection is LEAGUES_PROJECTION:
        assert rows_of(after) == rows_of(straight("leagues"))
        assert amendments(after) > amendments(straight("leagues"))
        assert all(table.published[-1].rows == table.rows for table in of(TABLES, after).values())
    else:
        assert after.rows() == straight(projection.name).rows()


def rows_of(documents: MemoryDocuments) -> dict[tuple[str, str], tuple[Row, ...]]:
    return {at: table.rows for at, table in of(TABLES, documents).items()}


def amendments(documents: MemoryDocuments) -> int:
    return sum(len(table.published) for table in of(TABLES, documents).values())


def unruled(count: int) -> tuple[UUID, ...]:
    """Games of every kind, none of them ruled on."""
    ruled = {game for entry in log() for game in getattr(entry.record.event, "games", (entry.record.stream,))
             if isinstance(entry.record.event, (*rulings.RULINGS, ev.Voided))}  # fmt: skip
    games = dict.fromkeys(entry.record.stream for entry in log() if isinstance(entry.record.event, ev.Opened))
    return tuple(Random(2).sample([game for game in games if game not in ruled], count))


@EACH
def test_voided_games_give_everybody_what_they_would_have_had_without_them(projection: Projection) -> None:
    """Whether the ruling comes before the games or behind everything."""
    games = tuple(game for game in unruled(400) if not of_a_season(game))[:40]
    ruling = rulings.ruling_record(900, rulings.GamesVoided(games, "abuse"), games[0], log()[0].record.time)
    never = without(folded(projection, [entry for entry in log() if entry.record.stream not in games]), games)
    for log_with_ruling in ([Placed(1, ruling), *log()], [*log(), Placed(log()[-1].position + 1, ruling)]):
        assert without(folded(projection, log_with_ruling), games) == never


@pytest.mark.parametrize("early", [True, False])
def test_a_day_some_of_whose_attempts_are_voided_is_the_day_without_them(early: bool) -> None:
    games = {game: opening(game).players[0] for game in unruled(400) if opening(game).contest is not None}
    ruling = rulings.ruling_record(900, rulings.GamesVoided(tuple(games), "abuse"), ORGANISER, log()[0].record.time)
    entered = max(entry.position for entry in log() if isinstance(entry.record.event, Entered))
    voiding = Placed(entered + 1 if early else log()[-1].position + 1, ruling)
    voided = folded(DAYS_PROJECTION, sorted([*log(), voiding], key=lambda entry: entry.position))
    never = folded(DAYS_PROJECTION, [entry for entry in log() if entry.record.stream not in games])
    assert len(of(SCORES, never)) == len(of(SCORES, voided)) - len(games)
    assert of(SCORES, never).items() <= of(SCORES, voided).items()
    untouched = {str(player) for player in map(lot().person, range(PEOPLE))} - {
        str(player) for player in games.values()
    }
    assert {at: row for at, row in of(SEASONS, voided).items() if at[1] in untouched} == {
        at: row for at, row in of(SEASONS, never).items() if at[1] in untouched
    }


def opening(game: UUID) -> ev.Opened:
    """The game's first event."""
    return openings()[game]


@cache
def openings() -> dict[UUID, Any]:
    """The first event of every stream."""
    return {entry.record.stream: entry.record.event for entry in reversed(log())}


def of_a_season(game: UUID) -> bool:
    """Whether a league's table or a day's results name this game: they go on saying that it was there."""
    return opening(game).fixture is not None or opening(game).contest is not None


def without(documents: MemoryDocuments, games: tuple[UUID, ...]) -> list[Stored]:
    """All documents but those that stand under the games' own ids."""
    names = {str(game) for game in games}
    return [row for row in documents.rows() if row[1] not in names]


def test_units_come_to_twelve_times_the_seats_of_each_game_and_a_row_to_its_contributions() -> None:
    seats: set[int] = set()
    for table in of(TABLES, straight("leagues")).values():
        games: Counter[UUID] = Counter()
        players: Counter[UUID] = Counter()
        for part in (part for row in table.rows for part in row.contributions if part.kind == "played"):
            games[part.game] += part.points
            players[part.game] += 1
        assert {game: 12 * number for game, number in players.items()} == games
        seats |= set(players.values())
        assert all(row.points == sum(part.points for part in row.contributions) for row in table.rows)
        assert all(row.games == row.wins + row.ties + row.losses for row in table.rows)
    assert seats == {table for table, _ in BOXES}


def test_nobody_stands_twice_in_a_table_and_places_are_those_of_competition_ranking() -> None:
    for rows in rows_of(straight("leagues")).values():
        assert len({row.player for row in rows}) == len(rows)
        ranked = [row.place for row in rows if row.place is not None]
        assert all(place == 1 + sum(other < place for other in ranked) for place in ranked)


def test_matchpoints_come_to_n_times_n_minus_one_on_every_day() -> None:
    ties = 0
    for day in range(DAYS):
        field = [score for _, score in straight("days").scan(SCORES(contest_id(day))) if score.kind == "ranked"]
        assert sum(score.points for score in field) == len(field) * (len(field) - 1) > 0
        assert {score.of for score in field} == {len(field)}
        ties += len(field) - len({score.place for score in field})
    assert ties


@EACH
def test_no_document_holds_a_number_that_is_not_whole(projection: Projection) -> None:
    assert not [value for value in values(msgspec.to_builtins([d for *_, d in straight(projection.name).documents()]))
                if isinstance(value, float)]  # fmt: skip


def values(value: Any) -> Iterator[object]:
    if isinstance(value, dict):
        yield from values(list(value.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from values(part)
    else:
        yield value


def test_other_ids_make_no_other_order() -> None:
    order = Random(4).sample(range(PEOPLE), PEOPLE)
    first, second = lot(), Lot(1, order)
    names = {str(first.person(number)): str(second.person(number)) for number in range(PEOPLE)}
    permuted = {name: folded(PROJECTIONS[name], placed(second.records(1))) for name in ("days", "ladders", "leagues")}
    for name, family in (("days", SCORES), ("days", SEASONS), ("ladders", ROWS)):
        sorted_rows = sorts(family, straight(name)).items()
        assert {(board, names[key]): sort for (board, key), sort in sorted_rows} == sorts(family, permuted[name])
    same = {name: name for name in names.values()}
    assert places(rows_of(straight("leagues")), names) == places(rows_of(permuted["leagues"]), same)


def places(tables: dict[tuple[str, str], tuple[Row, ...]], names: dict[str, str]) -> dict[Any, Any]:
    """By table and player what the row says."""
    return {
        (at, names[str(row.player)]): (row.place, row.points, row.games, row.wins, row.sonneborn_berger)
        for at, rows in tables.items()
        for row in rows
    }
