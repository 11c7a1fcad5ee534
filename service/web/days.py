"""The days' deals: today's to enter, yesterday's with their results, and each contest's own page."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from litestar import Response
from msgspec import Struct

from domain.game_type import Illegal
from domain.play.aggregate import Status
from service.api.contests.contest_shapes import ContestShown, Results
from service.api.contests.contests import ContestsQuery, admit, contest_of, contests_of, results_of
from service.api.paging import PageQuery
from service.web.league_words import certified
from service.web.page import Visit, page, redirect

_PAGE = 50


class DayRow(Struct, frozen=True):
    """A contest in a list: how the visitor's attempt stands, and who was first once it is closed."""

    contest: ContestShown
    attempt: Status | None
    first: Results | None


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
        certified=certified,
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
    return None if contest.your_game is None else (await visit.services.room.game(contest.your_game)).status


async def _results(visit: Visit, contest: ContestShown, query: PageQuery) -> Results | None:
    """A page of results; None while the visitor may not see them."""
    try:
        return await results_of(visit.asking(query, contest_id=contest.id))
    except Illegal:
        return None


@page("/contests/{contest_id:uuid}")
async def contest(visit: Visit) -> Response[Any]:
    """Show a contest: the deal's commitment and certificate, the visitor's attempt, the results."""
    return await _contest_page(visit)


async def _contest_page(visit: Visit, refusal: str = "") -> Response[Any]:
    found = await contest_of(visit)
    results = await _results(visit, found, PageQuery(cursor=visit.cursor, limit=_PAGE))
    moment = datetime.now(UTC)
    return await visit.show(
        "contest.html", 409 if refusal else 200,
        contest=found, attempt=await _attempt(visit, found), results=results, refusal=refusal,
        people=await visit.people.of(one.player.id for one in _rows(results)), further=visit.cursor is not None,
        league=None if found.league is None else await visit.services.leagues.of(found.league),
        certified=certified, begun=found.opens <= moment, going_on=found.opens <= moment < found.closes,
    )  # fmt: skip


def _rows(results: Results | None) -> Iterable[Any]:
    return () if results is None else results.results


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


HANDLERS = (days, contest, enter)
