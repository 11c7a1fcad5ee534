"""The days' deals: today's, yesterday's, each contest's own page; a month of days, and why a player stands there."""

from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from litestar import Response
from msgspec import Struct

from domain.capabilities import CardFaces, Chips, Taps
from domain.game_type import Illegal
from domain.league.rules import DayRules
from domain.play.aggregate import Status
from projections.contests.documents import Board
from service.api.boards.ladders import ladder_csv, ladder_of, ladder_text
from service.api.boards.scoreboards import board_csv, board_of, board_text
from service.api.contests.contests import ContestShown, ContestsQuery, admit, contest_of, contests_of
from service.api.contests.day_seasons import (
    MonthQuery,
    SeasonQuery,
    SeasonRowShown,
    month_of,
    season_csv,
    season_of,
    season_of_league,
    season_text,
    standing_of,
)
from service.api.contests.results import ResultList, results_csv, results_of, results_text
from service.api.leagues.league_seasons import find_standing
from service.api.leagues.league_tables import tables_csv, tables_of, tables_text
from service.api.paging import PageQuery
from service.api.puzzles import PlacedPuzzle, PuzzleQuery, find_puzzle, next_for, show_puzzle
from service.api.puzzles import standing_of as puzzle_standing_of
from service.http.bodies import reader
from service.live import shapes
from service.pictures.placing import pack_boards
from service.pictures.words import naming, speak_zone
from service.problems import Refused
from service.solving import SOLVERS
from service.web.page import HEADERS, Visit, page, redirect
from service.web.rule_sets import say_certificate
from service.web.static_files import sprite_name

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


_MOST = 200


class _Table(NamedTuple):
    """How a table is made for a visit, and how it is written."""

    made: Callable[[Visit], Awaitable[Any]]
    csv: Callable[[Any], str]
    text: Callable[[Any], str]


def _page_query(visit: Visit) -> PageQuery:
    return PageQuery(cursor=visit.cursor, limit=_MOST)


async def _tables(visit: Visit) -> Any:
    return await tables_of(visit, await find_standing(visit))


async def _standings(visit: Visit) -> Any:
    asked = visit.asking(_page_query(visit))
    return await season_of(asked, *await season_of_league(asked))


async def _month(visit: Visit) -> Any:
    asked = visit.asking(SeasonQuery(month=requested_month(visit), cursor=visit.cursor, limit=_MOST))
    return await season_of(asked, *month_of(asked))


async def _download_results(visit: Visit) -> Any:
    return await results_of(visit.asking(_page_query(visit)))


async def _ladder(visit: Visit) -> Any:
    return await ladder_of(visit.services, visit.key, _page_query(visit))


async def _board(visit: Visit) -> Any:
    return await board_of(visit.services, visit.key, _page_query(visit))


_TABLES = {
    "/leagues/{league_id:uuid}/seasons/{season:int}/tables": _Table(_tables, tables_csv, tables_text),
    "/leagues/{league_id:uuid}/seasons/{season:int}/standings": _Table(_standings, season_csv, season_text),
    "/day-seasons/{game_type:str}": _Table(_month, season_csv, season_text),
    "/contests/{contest_id:uuid}/results": _Table(_download_results, results_csv, results_text),
    "/ladders/{game_type:str}": _Table(_ladder, ladder_csv, ladder_text),
    "/scoreboards/{game_type:str}": _Table(_board, board_csv, board_text),
}


def _route(path: str, table: _Table) -> Any:
    async def write_table(visit: Visit) -> Response[Any]:
        """The table as CSV or as text."""
        kind = visit.request.path_params["kind"]
        if kind not in ("csv", "text"):
            raise Refused("no_such_thing", "Tables are there as csv and as text.")
        made = await table.made(visit)
        if kind == "csv":
            return Response(table.csv(made), media_type="text/csv", headers=HEADERS)
        return Response(table.text(made), media_type="text/plain", headers=HEADERS)

    return page(f"{path}/as/{{kind:str}}")(write_table)


_THEMES = {
    "dig_for_ace": "dig for the ace", "empty_column": "empty column", "full_cells": "full cells",
    "last_pass": "last pass", "two_of_a_rank": "two of a rank", "end_play": "end play",
}  # fmt: skip
_RATINGS = {"easier": "easier than I am rated", "harder": "harder"}
_read_query = reader(PuzzleQuery)


@page("/puzzles")
async def next_puzzle(visit: Visit) -> Response[Any]:
    """Show a puzzle that the visitor has not tried, a guest that of the day; or that there is none."""
    query = _read_query(
        [pair for pair in visit.request.query_params.items() if pair[1]]
    )  # a form says what it leaves open
    try:
        found = await next_for(visit.services, visit.caller, query)
    except Refused as refusal:
        if refusal.kind != "no_such_thing":
            raise
        return await _show(visit, None, query)
    return await _show(visit, found, query)


@page("/puzzles/{puzzle_id:uuid}")
async def puzzle(visit: Visit) -> Response[Any]:
    """Show this puzzle."""
    return await _show(visit, await find_puzzle(visit.services, visit.id("puzzle_id")), PuzzleQuery())


async def _show(visit: Visit, found: PlacedPuzzle | None, query: PuzzleQuery) -> Response[Any]:
    player = visit.visitor
    standing = None if player is None else await puzzle_standing_of(visit.services, player)
    named: dict[str, Any] = {
        "themes": _THEMES, "ratings": _RATINGS, "types": sorted(SOLVERS), "query": query, "standing": standing,
    }  # fmt: skip
    if found is None:
        return await visit.show("puzzle.html", puzzle=None, **named)
    kind, shown = found.game.type, await show_puzzle(visit.services, found, visit.caller)
    faces, zones = kind.get(CardFaces).by_card, shown.position.view.zones
    return await visit.show(
        "puzzle.html",
        puzzle=shown,
        position=msgspec.to_builtins(shown.position),
        words=[speak_zone(zone, naming(faces)) for zone in zones],
        stock=[naming(faces)(card) for zone in zones if zone.id == "stock" for card in reversed(zone.cards)],
        cards=sprite_name(kind),
        faces=msgspec.to_builtins(dict(faces)),
        taps=dict(kind.get(Taps).zones),
        boards=pack_boards(kind.boards(found.game.options, 1)),
        chips=msgspec.to_builtins(kind.get(Chips).chips),
        **named,
    )


HANDLERS = (
    days,
    page("/contests/{contest_id:uuid}")(_contest_page),
    enter,
    season,
    player,
    *tuple((_route(path, table) for path, table in _TABLES.items())),
    next_puzzle,
    puzzle,
)
