"""The days' deals: today's, yesterday's, each contest's own page; a month of days, and why a player stands there."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from litestar import Response
from msgspec import Struct

from domain.game_type import Illegal
from domain.league.rules import DayRules
from domain.play.aggregate import Status
from projections.contests.documents import Board
from service.api.contests.contests import ContestShown, ContestsQuery, admit, contest_of, contests_of
from service.api.contests.day_season_shapes import SeasonRowShown
from service.api.contests.day_seasons import MonthQuery, SeasonQuery, month_of, season_of, standing_of
from service.api.contests.results import ResultList, results_of
from service.api.paging import PageQuery
from service.http.query import reader
from service.live import shapes
from service.problems import Refused
from service.web.page import Visit, page
from service.web.rendering import redirect
from service.web.rule_sets import say_certificate

_PAGE = 50


class DayRow(Struct, frozen=True):
    """A contest in a list: how the visitor's attempt stands, and who was first once it is closed."""

    contest: ContestShown
    attempt: Status | None
    first: ResultList | None


@page("/days")
async def days(visit: Visit) -> Response[Any]:
    """Show the deals of today and of yesterday."""
    today = datetime.now(UTC).date()
    position, now = await _contests_of_day(visit, today)
    return await visit.show(
        "days.html",
        position=position,
        today=today.isoformat(),
        yesterday=(today - timedelta(days=1)).isoformat(),
        now=now,
        before=(await _contests_of_day(visit, today - timedelta(days=1)))[1],
        certified=say_certificate,
    )


async def _contests_of_day(visit: Visit, day: date) -> tuple[str, list[DayRow]]:
    """The log position, and the day's contests."""
    listed = await contests_of(visit.asking(ContestsQuery(day=day, limit=200)))
    contests = sorted(listed.contests, key=lambda contest: contest.game_type)
    rows = [await _row(visit, contest) for contest in contests]
    return listed.log_position, rows


async def _row(visit: Visit, contest: ContestShown) -> DayRow:
    first = await _results(visit, contest, PageQuery(limit=3)) if contest.closed else None
    return DayRow(contest, await _attempt(visit, contest), first)


async def _attempt(visit: Visit, contest: ContestShown) -> Status | None:
    """How the visitor's own attempt stands."""
    return None if contest.your_game_id is None else (await visit.services.room.game(contest.your_game_id)).status


async def _results(visit: Visit, contest: ContestShown, query: PageQuery) -> ResultList | None:
    """A page of results; None while the visitor may not see them."""
    try:
        return await results_of(visit.asking(query, contest_id=contest.id))
    except Illegal:
        return None


async def _contest_page(visit: Visit, refusal: str = "") -> Response[Any]:
    """Show a contest: the deal's commitment and certificate, the visitor's attempt, the results."""
    found = await contest_of(visit)
    results = await _results(visit, found, PageQuery(cursor=visit.cursor, limit=_PAGE))
    moment = datetime.now(UTC)
    return await visit.show(
        "contest.html",
        contest=found, attempt=await _attempt(visit, found), results=results, refusal=refusal,
        people=await visit.people.of(one.player.id for one in (results.results if results else ())),
        league=None if found.league_id is None else await visit.services.leagues.of(found.league_id),
        certified=say_certificate, begun=found.opens <= moment, going_on=found.opens <= moment < found.closes,
    )  # fmt: skip


@page("/contests/{contest_id:uuid}/attempt", "POST")
async def enter(visit: Visit) -> Response[Any]:
    """Be dealt the cards, and go to the game."""
    player = visit.may_play()
    try:
        await admit(visit, await visit.services.contests.of(visit.id("contest_id")))
        game, _ = await visit.services.contests.enter(visit.id("contest_id"), player)
    except Illegal as error:
        return await _contest_page(visit, error.message)
    return redirect(f"/games/{game.id}")


_read = reader(MonthQuery)


@page("/day-seasons/{game_type:str}")
async def season(visit: Visit) -> Response[Any]:
    """Show a month."""
    month = requested_month(visit)
    asked = visit.asking(SeasonQuery(month=month, cursor=visit.cursor, limit=_PAGE))
    told = await season_of(asked, *month_of(asked))
    return await visit.show(
        "day_season.html",
        told=told,
        own=await own_row(visit, *month_of(asked)),
        month=month,
        this_month=shapes.today()[:7],
        people=await visit.people.of(row.player.id for row in told.rows),
    )


async def own_row(visit: Visit, board: Board, rules: DayRules) -> SeasonRowShown | None:
    """The visitor's own row of a season, listed or not."""
    if visit.caller is None:
        return None
    try:
        return (await standing_of(visit.asking(None, player_id=visit.player), board, rules)).row
    except Refused:
        return None


@page("/day-seasons/{game_type:str}/players/{player_id:uuid}")
async def player(visit: Visit) -> Response[Any]:
    """Show one player's month, day by day."""
    month, key = requested_month(visit), visit.key
    asked = visit.asking(MonthQuery(month=month))
    told = await standing_of(asked, *month_of(asked))
    return await visit.show(
        "standing.html", told=told, person=await visit.people.one(visit.id("player_id")),
        season=f"{key.replace('_', ' ').capitalize()}, {month}", back=f"/day-seasons/{key}?month={month}",
    )  # fmt: skip


def requested_month(visit: Visit) -> str:
    """The requested month, by default the current one; raises Refused if the text is no month."""
    said = visit.request.query_params.get("month")
    try:
        return _read([] if said is None else [("month", said)]).month or shapes.today()[:7]
    except Refused as error:
        raise Refused("no_such_thing", "There is no such month.") from error


HANDLERS = (days, page("/contests/{contest_id:uuid}")(_contest_page), enter, season, player)
