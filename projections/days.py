"""Same-deal contests: their entries, their results once they are closed, and seasons over the best of them."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.contest import events as ev
from domain.contest.aggregate import STREAM_TYPE
from domain.game import events as game_ev
from domain.games import GAME_TYPES
from domain.league import events as league_ev
from domain.league.rules import DayRules
from domain.record import Micros, Record
from domain.rulings import RULINGS
from projections.matchpoints import datum, imps, matchpoints, percentage
from projections.plays import TOPICS, Play, games_of, known
from projections.projection import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key

_BILLION = 10**9


class ContestRow(Struct, frozen=True, kw_only=True):
    """A contest as everybody may know it; `seed` once it is closed. `entries` counts who was dealt the cards."""

    contest: UUID
    announced: ev.Announced
    announced_at: Micros
    entries: int = 0
    closed: bool = False
    seed: bytes | None = None
    position: int = 0


class Attempt(Struct, frozen=True):
    """One player's attempt at a contest."""

    contest: UUID
    player: UUID
    entered_at: Micros
    play: Play


class Score(Struct, frozen=True, kw_only=True):
    """A row of a contest's results. Of the attempts that are ranked `place` counts from 1, `of` is how many they are.

    `kind`: `ranked`; `not_clean` (with undo); `void`; `no_attempt` (given up before the first move).
    `percent` is the share of matchpoints as a fraction, `imps` against the average of the field.
    """

    player: UUID
    game: UUID
    kind: str
    solved: bool
    clean: bool
    score: int | None
    moves: int
    took: Micros
    place: int | None = None
    of: int = 0
    points: int = 0
    percent: tuple[int, int] = (0, 1)
    imps: int | None = None


class SeasonDay(Struct, frozen=True):
    """What one contest gives to a player's season."""

    contest: UUID
    opens: Micros
    value: tuple[int, int]
    counted: bool


class SeasonRow(Struct, frozen=True, kw_only=True):
    """A player's season: the mean over the best days. `solved_streak`: days of the deal in a row that were solved."""

    player: UUID
    rules: str
    days: tuple[SeasonDay, ...]
    mean: tuple[int, int]
    listed: bool
    solved: int
    streak: int
    best_streak: int
    solved_streak: int


CONTESTS: Family[ContestRow] = Family("contests", ContestRow)
LISTS: Family[ContestRow] = Family("contest_lists", ContestRow)
ATTEMPTS: Family[Attempt] = Family("attempts", Attempt)
GAMES: Family[Attempt] = Family("contest_games", Attempt)
SCORES: Family[Score] = Family("contest_scores", Score)
DAYS: Family[Score] = Family("season_days", Score)
SEASONS: Family[SeasonRow] = Family("day_seasons", SeasonRow)
OWN: Family[Attempt] = Family("own_attempts", Attempt)


class SeasonOf(Struct, frozen=True):
    """The league's season that a contest belongs to."""

    league: UUID
    season: int


SEASON_OF: Family[SeasonOf] = Family("contest_season", SeasonOf)


def public_season(game_type: str, month: str) -> Collection[SeasonRow]:
    """The season of a game type's days in a month (`2026-11`)."""
    return SEASONS(game_type, month)


def league_season(league: UUID, season: int) -> Collection[SeasonRow]:
    """The season of a league's own contests."""
    return SEASONS(league, str(season))


def contest_list(key: str | UUID) -> Collection[ContestRow]:
    """Contests of a game type, a day or a league, the newest first."""
    return LISTS(key)


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a contest, of a league that takes one in, of a game played in one, or a ruling."""
    event, record = recorded.record.event, recorded.record
    if isinstance(event, league_ev.ContestAdded):
        documents.put(SEASON_OF(), str(event.contest), SeasonOf(record.stream, event.season))
    elif record.type == STREAM_TYPE:
        _contest(documents, recorded)
    else:
        for game in games_of(event, record.stream):
            _played(documents, recorded, game)


def _contest(documents: Documents, recorded: Recorded) -> None:
    event, record = recorded.record.event, recorded.record
    row = documents.get(CONTESTS(), str(record.stream))
    if isinstance(event, ev.Announced):
        _keep(documents, ContestRow(contest=record.stream, announced=event, announced_at=record.time))
    elif row is None:
        return
    elif isinstance(event, ev.Entered):
        attempt = Attempt(row.contest, event.player, record.time, Play(event.game, row.announced.game_type))
        _attempted(documents, replace(attempt, play=replace(attempt.play, players=(event.player,))))
        _keep(documents, replace(row, entries=row.entries + 1))
    elif isinstance(event, ev.Closed):
        row = replace(row, closed=True, position=recorded.position)
        _keep(documents, row)
        _score(documents, row)
    elif isinstance(event, ev.Revealed):
        _keep(documents, replace(row, seed=event.seed))


def _keep(documents: Documents, row: ContestRow) -> None:
    said, sort = row.announced, rank_key(row.announced.opens)
    documents.put(CONTESTS(), str(row.contest), row)
    for key in (said.league, None if said.league else said.game_type, said.day):
        if key is not None:
            documents.put(contest_list(key), str(row.contest), row, sort)


def _attempted(documents: Documents, attempt: Attempt) -> None:
    documents.put(ATTEMPTS(attempt.contest), str(attempt.player), attempt)
    documents.put(GAMES(), str(attempt.play.game), attempt)
    documents.put(OWN(attempt.player), str(attempt.play.game), attempt, rank_key(attempt.entered_at))


def _played(documents: Documents, recorded: Recorded, game: UUID) -> None:
    attempt = documents.get(GAMES(), str(game))
    if attempt is None or (row := documents.get(CONTESTS(), str(attempt.contest))) is None:
        return
    if isinstance(recorded.record.event, RULINGS) and not _within(documents, row, recorded.record):
        return
    after = replace(attempt, play=known(attempt.play, recorded))
    if after != attempt:
        _attempted(documents, after)
        if row.closed:
            _score(documents, row)


def _within(documents: Documents, row: ContestRow, record: Record[Any, Any]) -> bool:
    """A league's rulings hold for its own contests."""
    return record.type != "league" or record.stream == row.announced.league


def _score(documents: Documents, row: ContestRow) -> None:
    """The results anew, and the season of everybody in them."""
    before = dict(documents.scan(SCORES(row.contest)))
    after = {
        str(score.player): score for score in scores(row, [one for _, one in documents.scan(ATTEMPTS(row.contest))])
    }
    for key, score in after.items():
        if before.get(key) != score:
            documents.put(SCORES(row.contest), key, score, _sort(score))
            _season(documents, row, score)


def scores(row: ContestRow, attempts: Iterable[Attempt]) -> list[Score]:
    """Every attempt's result; matchpoints among those that are ranked."""
    found = [_bare(row.announced.rules, attempt) for attempt in attempts if attempt.play.finish is not None]
    ranked = [score for score in found if score.kind == "ranked"]
    keys = [key_of(row.announced, score) for score in ranked]
    given = dict(zip([score.player for score in ranked], _given(row.announced.rules, ranked, keys), strict=True))
    return [given.get(score.player, score) for score in found]


def _given(rules: DayRules, ranked: Sequence[Score], keys: Sequence[tuple[int, ...]]) -> Iterator[Score]:
    field, average = len(ranked), datum([score.score or 0 for score in ranked]) if ranked else 0
    for score, key, points in zip(ranked, keys, matchpoints(keys), strict=True):
        yield replace(
            score, place=1 + sum(other > key for other in keys), of=field, points=points,
            percent=percentage(points, field).as_integer_ratio(),
            imps=imps((score.score or 0) - average) if rules.scoring == "imps" else None,
        )  # fmt: skip


def _bare(rules: DayRules, attempt: Attempt) -> Score:
    play, result = attempt.play, attempt.play.result
    if result is None:
        raise ValueError("an attempt that goes on has no result")
    return Score(
        player=attempt.player, game=play.game, kind=_kind(rules, play, result), solved=result.ending == "won",
        clean=result.undos == 0, score=result.scores[0] if result.scores else None, moves=result.moves,
        took=play.finished_at - play.opened_at,
    )  # fmt: skip


def _kind(rules: DayRules, play: Play, result: game_ev.Finished) -> str:
    if not play.counts_within:
        return "void"
    if result.moves == 0 and result.ending != "won":
        return "no_attempt"
    return "not_clean" if rules.clean_only and result.undos else "ranked"


def key_of(announced: ev.Announced, score: Score) -> tuple[int, ...]:
    """What orders results of one deal, the greatest first, by the kind of game.

    All or nothing: solved, cards home, fewer moves, less time. Lowest score: fewer cards left instead. Points alone
    where a game is played for points.
    """
    kind, time = GAME_TYPES[announced.game_type], (-score.took,) if announced.rules.time_counts else ()
    told = (0, 0) if score.score is None else (1, -score.score if kind.lowest_score else score.score)
    if kind.for_points:
        return (*told, *time)
    return (int(score.solved), *told, -score.moves, *time)


def _sort(score: Score) -> bytes | None:
    return None if score.place is None else rank_key(-score.place)


def _season(documents: Documents, row: ContestRow, score: Score) -> None:
    board = _board(documents, row)
    if board is None:
        return
    days = DAYS(score.player, *board)
    documents.put(days, f"{row.announced.opens:020}/{row.contest}", score)
    rows = SEASONS(*board)
    made = season_row(score.player, row.announced.rules, documents.scan(days))
    documents.put(rows, str(score.player), made, rank_key(_whole(made.mean), len(made.days)) if made.listed else None)


def _board(documents: Documents, row: ContestRow) -> tuple[str, ...] | None:
    if row.announced.day is not None:
        return row.announced.game_type, row.announced.day[:7]
    place = documents.get(SEASON_OF(), str(row.contest))
    return None if place is None else (str(place.league), str(place.season))


def season_row(player: UUID, rules: DayRules, days: Iterable[tuple[str, Score]]) -> SeasonRow:
    """The mean over the best days; a day that was missed is not counted, and the least number of days does the rest."""
    kept = list(days)
    values = sorted(((_value(rules, score), key) for key, score in kept if score.kind == "ranked"), reverse=True)
    best = {key for _, key in values[: rules.best]}
    mean = sum((value for value, key in values if key in best), Fraction(0)) / max(len(best), 1)
    streaks = _streaks(kept, lambda score: score.kind == "ranked")
    return SeasonRow(
        player=player, rules=rules.id, mean=mean.as_integer_ratio(), listed=len(values) >= rules.least,
        days=tuple(_day(rules, key, score, key in best) for key, score in kept),
        solved=sum(score.solved and score.kind == "ranked" for _, score in kept), streak=streaks[0],
        best_streak=streaks[1], solved_streak=_streaks(kept, lambda score: score.kind == "ranked" and score.solved)[0],
    )  # fmt: skip


def _value(rules: DayRules, score: Score) -> Fraction:
    return Fraction(score.imps or 0) if rules.scoring == "imps" else Fraction(*score.percent)


def _day(rules: DayRules, key: str, score: Score, counted: bool) -> SeasonDay:
    opens, _, contest = key.partition("/")
    return SeasonDay(UUID(contest), int(opens), _value(rules, score).as_integer_ratio(), counted)


def _streaks(days: Sequence[tuple[str, Score]], good: Any) -> tuple[int, int]:
    """The streak that ends with the newest day, and the longest: UTC days of the deal without a gap."""
    run = best = 0
    last: int | None = None
    for key, score in days:
        day = int(key.partition("/")[0]) // 86_400_000_000
        run = (run + 1 if last is not None and day - last == 1 else 1) if good(score) else 0
        best, last = max(best, run), day
    return run, best


def _whole(fraction: tuple[int, int]) -> int:
    return fraction[0] * _BILLION // fraction[1]


def month_of(at: Micros) -> str:
    """`2026-11`."""
    return datetime.fromtimestamp(at // 10**6, UTC).strftime("%Y-%m")


def wants(record: Record[Any, Any]) -> Wanted:
    """The contest, or the game's attempt."""
    if record.type == STREAM_TYPE:
        yield CONTESTS(), str(record.stream)
    else:
        yield from ((GAMES(), str(game)) for game in games_of(record.event, record.stream))


DAYS_PROJECTION = Projection(
    name="days",
    version=1,
    topics=frozenset(
        {str(event.__struct_config__.tag) for event in ev.CONTEST_EVENTS} | TOPICS | {"league/contest_added"}
    ),
    families=(CONTESTS, LISTS, ATTEMPTS, GAMES, SCORES, DAYS, SEASONS, OWN, SEASON_OF),
    fold=fold,
    wants=wants,
)
