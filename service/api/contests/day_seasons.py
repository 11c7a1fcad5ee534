"""Standings of seasons of days: of a game type's months and of same-deal leagues."""

from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.capabilities import PureLuck
from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.league.rules import BoxRules, DayRules
from projections.contests.days import DAYS_PROJECTION, NEWEST, PUBLISHED, STREAKS, Board, league_season, public_season
from projections.contests.results import Kind
from projections.contests.seasons import PublishedRow, PublishedSeason, SeasonRow, Streak
from projections.engine.reading import Snapshot
from service import problems
from service.accounts.names import Names, Person, person
from service.api import tabular
from service.api.contests.contests import TAG
from service.api.paging import LogPosition, PageQuery, next_cursor, page_cursor
from service.api.viewing import fill_struct
from service.contests.days import rules_of
from service.http.operation import Answer, Call, operation, reply
from service.http.representation import choose_media_type
from service.leagues.commands import LeagueParts
from service.live import shapes
from service.problems import Refused

HASH = (
    "SHA-256, in hex, of a JSON array of the rows without any space. A row is [id of the player, place, exact,"
    " compared, solved, days], a day [contest_id, kind, value, counted]; what there is not is null."
)


class SeasonDayShown(Struct, frozen=True, kw_only=True):
    """One contest of a season: percent or IMPs, and whether it is among the best.

    `value` None: not compared, because it is not ranked or no other result was.
    """

    contest_id: UUID
    opens: shapes.Time
    kind: Kind
    value: float | None
    counted: bool


class SeasonRowShown(Struct, frozen=True, kw_only=True):
    """A player's season. `mean` over the best days, rounded to two places; `rank` None: too few days yet.

    `compared` and `solved` count days. The streaks belong to the game type, not to the season: successive days that
    were ranked, and that were solved, up to the newest closed day; None in a league's season.
    """

    rank: int | None
    player: Person
    mean: float
    days: tuple[SeasonDayShown, ...]
    compared: int
    solved: int
    streak: int | None
    best_streak: int | None
    solved_streak: int | None
    best_solved_streak: int | None


Ratio = Annotated[tuple[int, int], Meta(description="Numerator and denominator.")]


class PublishedDay(Struct, frozen=True, kw_only=True):
    """One contest of a published season; `value` is exact, None where nothing was compared."""

    contest_id: UUID
    kind: Kind
    value: Ratio | None
    counted: bool


class PublishedPlace(Struct, frozen=True, kw_only=True):
    """A player's row as it was published; `place` None: too few days. `exact` is the mean, as the hash takes it."""

    place: int | None
    player: Person
    mean: float
    exact: Ratio
    compared: int
    solved: int
    days: tuple[PublishedDay, ...]


class PublishedStandings(Struct, frozen=True, kw_only=True):
    """A league's season as it was published: number 0 when it was closed, then the amendments."""

    number: int
    log_position: LogPosition
    at: shapes.Time
    hash: Annotated[str, Meta(description=HASH)]
    because: str
    rows: tuple[PublishedPlace, ...]


class DaySeason(Struct, frozen=True, kw_only=True):
    """A page of a season over same-deal days, best first; `least_days` are needed to be listed, `best_days` count."""

    of: Annotated[str, Meta(description="The game type, or the league's id.")]
    period: Annotated[str, Meta(description="The month, or the number of the league's season.")]
    rules: str
    scoring: Literal["matchpoints", "imps"]
    least_days: int
    best_days: int
    listed: int
    rows: tuple[SeasonRowShown, ...]
    published: Annotated[tuple[PublishedStandings, ...], Meta(description="Of a league's closed season, oldest first.")]
    next: str | None
    log_position: LogPosition


class DayStanding(Struct, frozen=True, kw_only=True):
    """One player's row of a season, listed or not."""

    rules: str
    row: SeasonRowShown
    log_position: LogPosition


class Streaks(NamedTuple):
    """A player's streaks and the newest day that is closed, where the season has streaks."""

    streak: Streak
    newest: int


def season_row(
    row: SeasonRow, rank: int | None, rules: DayRules, names: Names, streaks: Streaks | None
) -> SeasonRowShown:
    return SeasonRowShown(
        rank=rank, player=person(row.player, names), mean=_value(row.mean, rules), compared=row.compared,
        solved=row.solved, **_streaks(streaks),
        days=tuple(
            fill_struct(
                SeasonDayShown, day, contest_id=day.contest, opens=shapes.moment(day.opens),
                value=None if day.value is None else _value(day.value, rules),
            ) for day in row.days
        ),
    )  # fmt: skip


def publish_standings(season: PublishedSeason, rules: DayRules, names: Names) -> PublishedStandings:
    return fill_struct(
        PublishedStandings, season, log_position=str(season.position), at=shapes.moment(season.at),
        rows=tuple(_published_place(row, rules, names) for row in season.rows),
    )  # fmt: skip


def _published_place(published: PublishedRow, rules: DayRules, names: Names) -> PublishedPlace:
    row = published.row
    return PublishedPlace(
        place=published.place, player=person(row.player, names), mean=_value(row.mean, rules), exact=row.mean,
        compared=row.compared, solved=row.solved,
        days=tuple(fill_struct(PublishedDay, day, contest_id=day.contest) for day in row.days),
    )  # fmt: skip


def _streaks(streaks: Streaks | None) -> dict[str, int | None]:
    """Current and best streaks; a streak whose last day is before the newest closed day counts as 0."""
    if streaks is None:
        return dict.fromkeys(("streak", "best_streak", "solved_streak", "best_solved_streak"))
    newest, ranked, solved = streaks.newest, streaks.streak.ranked, streaks.streak.solved
    return {
        "streak": ranked.length if ranked.last >= newest else 0, "best_streak": ranked.best,
        "solved_streak": solved.length if solved.last >= newest else 0, "best_solved_streak": solved.best,
    }  # fmt: skip


def _value(fraction: tuple[int, int], rules: DayRules) -> float:
    return round((1 if rules.scoring == "imps" else 100) * fraction[0] / fraction[1], 2)


Month = Annotated[
    str, Meta(pattern=problems.MONTH, description="A month of UTC: `2026-11`; the one that it is if left out.")
]
_SEASON: dict[str, Any] = {
    "tag": TAG, "method": "GET", "problems": ("illegal", "not_acceptable"),
    "answers": {200: Answer(type=DaySeason, says="A page of the season.", media_types=tabular.MEDIA_TYPES)},
}  # fmt: skip
_STANDING: dict[str, Any] = {
    "tag": TAG, "method": "GET", "problems": ("illegal",),
    "answers": {200: Answer(type=DayStanding, says="The player's row.")},
}  # fmt: skip


class MonthQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which month."""

    month: Month | None = None


class SeasonQuery(PageQuery, frozen=True, forbid_unknown_fields=True):
    """Which month, and which page."""

    month: Month | None = None


@operation(id="get_day_season", may_lag=True, path="/v1/day-seasons/{game_type:str}", query=SeasonQuery, **_SEASON)
async def get_day_season(call: Call[None, SeasonQuery]) -> Response[Any]:
    """Show a month of a game type's same-deal days: the mean over each player's best ones; JSON, CSV or text."""
    return await _season(call, *month_of(call))


@operation(
    id="get_day_standing", may_lag=True, path="/v1/day-seasons/{game_type:str}/players/{player_id:uuid}",
    query=MonthQuery, **_STANDING,
)  # fmt: skip
async def get_day_standing(call: Call[None, MonthQuery]) -> Response[bytes]:
    """Show one player's month, listed or not, day by day."""
    return reply(await standing_of(call, *month_of(call)))


def month_of(call: Call[None, Any]) -> tuple[Board, DayRules]:
    """The season of the requested game type and month, and its rules; raises Refused."""
    key = call.request.path_params["game_type"]
    if key not in GAME_TYPES or GAME_TYPES[key].has(PureLuck) or 1 not in GAME_TYPES[key].seats:
        raise Refused("no_such_thing", "There are no days of such a game type.")
    return public_season(key, call.query.month or shapes.today()[:7]), rules_of(key)


@operation(
    id="get_league_standings", may_lag=True, path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/standings",
    query=PageQuery, **_SEASON,
)  # fmt: skip
async def get_league_standings(call: Call[None, PageQuery]) -> Response[Any]:
    """Show a season of a same-deal league: JSON, CSV or text."""
    return await _season(call, *await season_of_league(call))


@operation(
    id="get_league_standing", may_lag=True,
    path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/standings/{player_id:uuid}", **_STANDING,
)  # fmt: skip
async def get_league_standing(call: Call[None, None]) -> Response[bytes]:
    """Show one player's season in a same-deal league, contest by contest."""
    return reply(await standing_of(call, *await season_of_league(call)))


async def season_of_league(call: Call[None, Any]) -> tuple[Board, DayRules]:
    """The season of the league in the path, and its rules; raises Illegal, Refused."""
    league, number = await call.area(LeagueParts).leagues.of(call.id("league_id")), call.request.path_params["season"]
    if not 1 <= number <= len(league.seasons):
        raise Refused("no_such_thing", "There is no such season.")
    if isinstance(league.founded.rules, BoxRules):
        raise Illegal("box_league", "A box league has tables.")
    return league_season(league.id, number), league.founded.rules


async def _season(call: Call[None, Any], board: Board, rules: DayRules) -> Response[Any]:
    media_type = choose_media_type(call, *tabular.MEDIA_TYPES)
    return tabular.tabular_response(media_type, await season_of(call, board, rules), season_csv, season_text)


async def season_of(call: Call[None, Any], board: Board, rules: DayRules) -> DaySeason:
    """A page of this season."""
    async with call.reads.of(DAYS_PROJECTION) as snapshot:
        page = await snapshot.page(board.rows, call.query.limit, page_cursor(call.query))
        amended = [season for _, season in await snapshot.documents(PUBLISHED(*board))]
        people = {row.row.player for season in amended for row in season.rows}
        people |= {row.document.player for row in page.rows}
        names = await call.accounts.names(sorted(people))
        rows = [
            season_row(row.document, row.rank, rules, names, await _find_streaks(snapshot, board, row.document))
            for row in page.rows
        ]
        return DaySeason(
            of=board.line, period=board.period.lstrip("0"), rules=rules.id, scoring=rules.scoring,
            least_days=rules.least, best_days=rules.best, listed=await snapshot.size(board.rows), rows=tuple(rows),
            published=tuple(publish_standings(season, rules, names) for season in amended),
            next=next_cursor(page.after), log_position=str(snapshot.position),
        )  # fmt: skip


async def standing_of(call: Call[None, Any], board: Board, rules: DayRules) -> DayStanding:
    """The row of the player in the path; raises Refused."""
    player = call.id("player_id")
    async with call.reads.of(DAYS_PROJECTION) as snapshot:
        row = await snapshot.document(board.rows, str(player))
        if row is None:
            raise Refused("no_such_thing", "That player has no day in that season.")
        names = await call.accounts.names([player])
        rank, streaks = await snapshot.rank(board.rows, str(player)), await _find_streaks(snapshot, board, row)
        position = str(snapshot.position)
        return DayStanding(rules=rules.id, row=season_row(row, rank, rules, names, streaks), log_position=position)


async def _find_streaks(snapshot: Snapshot, board: Board, row: SeasonRow) -> Streaks | None:
    """The player's streaks and the newest closed day; None in a league's season, whose contests follow no calendar."""
    newest = await snapshot.document(NEWEST(), board.line)
    if newest is None:
        return None
    return Streaks(await snapshot.document(STREAKS(board.line), str(row.player)) or Streak(row.player), newest.day)


_COLUMNS = ("rank", "mean", "compared", "solved", "streak", "best_streak", "solved_streak", "best_solved_streak")


def season_csv(season: DaySeason) -> str:
    """One line a player under a header line; each has the log position."""
    return tabular.people_csv(_COLUMNS, season.rows, season.log_position)


def season_text(season: DaySeason) -> str:
    """The season's rows one under the other."""
    unit = "IMPs" if season.scoring == "imps" else "percent"
    head = (
        f"{season.of.replace('_', ' ').capitalize()}, {season.period}: mean {unit} of the best {season.best_days} days,"
        f" {season.least_days} to be listed; rules {season.rules}."
    )
    columns = f"{'':>5} {'':<24}{'mean':>8}{'days':>6}{'solved':>8}{'streak':>8}"
    lines = [head, "", columns]
    for rank, row in tabular.placed_rows(season.rows, [row.rank for row in season.rows]):
        days = f"{row.mean:>8.2f}{row.compared:>6}{row.solved:>8}{tabular.optional_cell(row.streak):>8}"
        lines.append(f"{rank:>5} {tabular.short_name(row.player.name):<24}{days}")
    return tabular.text_page(lines, season.next, season.log_position)
