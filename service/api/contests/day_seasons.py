"""Seasons over same-deal contests: a game type's month, a league's season, one player's row, and streaks of days.

As JSON, CSV and text.
"""

from typing import Annotated, Any

from litestar import Response
from msgspec import Meta, Struct

from domain.capabilities import PureLuck
from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.league.rules import BoxRules, DayRules
from projections.contests.days import DAYS_PROJECTION
from projections.contests.documents import NEWEST, PUBLISHED, STREAKS, Board, league_season, public_season
from projections.contests.seasons import SeasonRow, Streak
from projections.engine.reading import Snapshot
from service.api.contests import day_season_shapes as shapes
from service.api.contests.contests import TAG
from service.api.paging import PageQuery, next_cursor, page_cursor
from service.api.tabular import (
    MEDIA_TYPES,
    optional_cell,
    people_csv,
    placed_rows,
    short_name,
    tabular_response,
    text_page,
)
from service.contests.days import rules_of
from service.http.negotiation import choose_media_type
from service.http.operation import Answer, Call, operation, reply
from service.live import shapes as wire
from service.problems import Refused, patterns

Month = Annotated[
    str, Meta(pattern=patterns.MONTH, description="A month of UTC: `2026-11`; the one that it is if left out.")
]
_SEASON: dict[str, Any] = {
    "tag": TAG, "method": "GET", "problems": ("no_such_thing", "illegal", "not_acceptable"),
    "answers": {200: Answer(type=shapes.DaySeason, says="A page of the season.", media_types=MEDIA_TYPES)},
}  # fmt: skip
_STANDING: dict[str, Any] = {
    "tag": TAG, "method": "GET", "problems": ("no_such_thing", "illegal"),
    "answers": {200: Answer(type=shapes.DayStanding, says="The player's row.")},
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
    """Show one player's month, listed or not, day by day: why they stand there."""
    return reply(await standing_of(call, *month_of(call)))


def month_of(call: Call[None, Any]) -> tuple[Board, DayRules]:
    """The season of the requested game type and month, and its rules; raises Refused."""
    key = call.request.path_params["game_type"]
    if key not in GAME_TYPES or GAME_TYPES[key].has(PureLuck) or 1 not in GAME_TYPES[key].seats:
        raise Refused("no_such_thing", "There are no days of such a game type.")
    return public_season(key, call.query.month or wire.today()[:7]), rules_of(key)


@operation(
    may_lag=True,
    id="get_league_standings", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/standings", query=PageQuery,
    **_SEASON,
)  # fmt: skip
async def get_league_standings(call: Call[None, PageQuery]) -> Response[Any]:
    """Show a season of a same-deal league: JSON, CSV or text."""
    return await _season(call, *await season_of_league(call))


@operation(
    id="get_league_standing", may_lag=True,
    path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/standings/{player_id:uuid}", **_STANDING,
)  # fmt: skip
async def get_league_standing(call: Call[None, None]) -> Response[bytes]:
    """Show one player's season in a same-deal league, contest by contest: why they stand there."""
    return reply(await standing_of(call, *await season_of_league(call)))


async def season_of_league(call: Call[None, Any]) -> tuple[Board, DayRules]:
    """The season of the league in the path, and its rules; raises Illegal, Refused."""
    league, number = await call.services.leagues.of(call.id("league_id")), call.request.path_params["season"]
    if not 1 <= number <= len(league.seasons):
        raise Refused("no_such_thing", "There is no such season.")
    if isinstance(league.founded.rules, BoxRules):
        raise Illegal("box_league", "A box league has tables.")
    return league_season(league.id, number), league.founded.rules


async def _season(call: Call[None, Any], board: Board, rules: DayRules) -> Response[Any]:
    media_type = choose_media_type(call, *MEDIA_TYPES)
    return tabular_response(media_type, await season_of(call, board, rules), season_csv, season_text)


async def season_of(call: Call[None, Any], board: Board, rules: DayRules) -> shapes.DaySeason:
    """A page of this season."""
    async with call.services.reads.of(DAYS_PROJECTION) as found:
        page = await found.page(board.rows, call.query.limit, page_cursor(call.query))
        amended = [one for _, one in await found.documents(PUBLISHED(*board))]
        people = {row.row.player for one in amended for row in one.rows} | {one.document.player for one in page.rows}
        names = await call.services.accounts.names(sorted(people))
        rows = [
            shapes.season_row(one.document, one.rank, rules, names, await _streaks(found, board, one.document))
            for one in page.rows
        ]
        return shapes.DaySeason(
            of=board.line, period=board.period.lstrip("0"), rules=rules.id, scoring=rules.scoring,
            least_days=rules.least, best_days=rules.best, listed=await found.size(board.rows), rows=tuple(rows),
            published=tuple(shapes.publish_standings(one, rules, names) for one in amended),
            next=next_cursor(page.after), log_position=str(found.position),
        )  # fmt: skip


async def standing_of(call: Call[None, Any], board: Board, rules: DayRules) -> shapes.DayStanding:
    """The row of the player in the path; raises Refused."""
    player = call.id("player_id")
    async with call.services.reads.of(DAYS_PROJECTION) as found:
        row = await found.document(board.rows, str(player))
        if row is None:
            raise Refused("no_such_thing", "That player has no day in that season.")
        names = await call.services.accounts.names([player])
        rank, streaks = await found.rank(board.rows, str(player)), await _streaks(found, board, row)
        shown = shapes.season_row(row, rank, rules, names, streaks)
        return shapes.DayStanding(rules=rules.id, row=shown, log_position=str(found.position))


async def _streaks(found: Snapshot, board: Board, row: SeasonRow) -> shapes.Streaks | None:
    """The player's streaks and the newest closed day; None in a league's season, whose contests follow no calendar."""
    newest = await found.document(NEWEST(), board.line)
    if newest is None:
        return None
    return shapes.Streaks(await found.document(STREAKS(board.line), str(row.player)) or Streak(row.player), newest.day)


_COLUMNS = ("rank", "mean", "compared", "solved", "streak", "best_streak", "solved_streak", "best_solved_streak")


def season_csv(found: shapes.DaySeason) -> str:
    """One line a player under a line of names; the log position stands in each."""
    return people_csv(_COLUMNS, found.rows, found.log_position)


def season_text(found: shapes.DaySeason) -> str:
    """The season's rows one under the other."""
    unit = "IMPs" if found.scoring == "imps" else "percent"
    head = (
        f"{found.of.replace('_', ' ').capitalize()}, {found.period}: mean {unit} of the best {found.best_days} days,"
        f" {found.least_days} to be listed; rules {found.rules}."
    )
    columns = f"{'':>5} {'':<24}{'mean':>8}{'days':>6}{'solved':>8}{'streak':>8}"
    lines = [_text_row(*placed) for placed in placed_rows(found.rows, [row.rank for row in found.rows])]
    return text_page([head, "", columns, *lines], found.next, found.log_position)


def _text_row(rank: str, row: shapes.SeasonRowShown) -> str:
    days = f"{row.mean:>8.2f}{row.compared:>6}{row.solved:>8}{optional_cell(row.streak):>8}"
    return f"{rank:>5} {short_name(row.player.name):<24}{days}"


HANDLERS = (get_day_season, get_day_standing, get_league_standings, get_league_standing)
