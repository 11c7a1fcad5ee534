"""The days' deals and their contests, months of days, puzzles; and tables to download as CSV."""

from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from math import ceil
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Struct

from domain.capabilities import CardFaces, Chips, Taps
from domain.game_type import Illegal
from domain.league.rules import DayRules
from domain.play.aggregate import Status
from projections.contests.days import Board
from service.api import puzzles
from service.api.boards.ladders import ladder_csv, ladder_of, ladder_text
from service.api.boards.scoreboards import board_csv, board_of, board_text
from service.api.contests import day_seasons
from service.api.contests.contests import ContestShown, ContestsQuery, admit, contest_of, contests_of
from service.api.contests.results import ResultList, results_csv, results_of, results_text
from service.api.leagues.league_seasons import find_standing
from service.api.leagues.league_tables import tables_csv, tables_of, tables_text
from service.api.paging import PageQuery
from service.contests.attempts import Contests
from service.event_store import ids
from service.http.bodies import query_reader
from service.leagues.commands import LeagueParts
from service.live import shapes
from service.pictures.placing import pack_boards
from service.pictures.words import naming, speak_zone
from service.problems import Refused
from service.puzzles.runs import MISSES
from service.solving import SOLVERS
from service.web.page import HEADERS, Visit, page, redirect
from service.web.passkeys import open_for_guest
from service.web.rule_sets import say_certificate
from service.web.static_files import sprite_name

_PAGE = 50


class DayRow(Struct, frozen=True):
    """A contest in a list: the state of the visitor's attempt, and the first places once it is closed."""

    contest: ContestShown
    attempt: Status | None
    first: ResultList | None


@page("/days")
async def days(visit: Visit) -> Response[Any]:
    """Show the deals of today and of yesterday."""
    today = datetime.now(UTC).date()
    position, now = await _list_contests(visit, today)
    return await visit.show(
        "days.html",
        position=position,
        today=today.isoformat(),
        yesterday=(today - timedelta(days=1)).isoformat(),
        now=now,
        before=(await _list_contests(visit, today - timedelta(days=1)))[1],
        certified=say_certificate,
    )


async def _list_contests(visit: Visit, day: date) -> tuple[str, list[DayRow]]:
    """The log position, and the day's contests."""
    listed = await contests_of(visit.asking(ContestsQuery(day=day, limit=200)))
    rows = []
    for contest in sorted(listed.contests, key=lambda contest: contest.game_type):
        first = await _read_results(visit, contest, PageQuery(limit=3)) if contest.closed else None
        rows.append(DayRow(contest, await _find_attempt(visit, contest), first))
    return listed.log_position, rows


async def _find_attempt(visit: Visit, contest: ContestShown) -> Status | None:
    """The state of the visitor's own attempt."""
    return None if contest.your_game_id is None else (await visit.room.game(contest.your_game_id)).status


async def _read_results(visit: Visit, contest: ContestShown, query: PageQuery) -> ResultList | None:
    """A page of results; None while the visitor may not see them."""
    try:
        return await results_of(visit.asking(query, contest_id=contest.id))
    except Illegal:
        return None


async def _show_contest(visit: Visit, refusal: str = "") -> Response[Any]:
    """Show a contest: the deal's commitment and certificate, the visitor's attempt, the results."""
    contest = await contest_of(visit)
    results = await _read_results(visit, contest, PageQuery(cursor=visit.cursor, limit=_PAGE))
    moment = datetime.now(UTC)
    return await visit.show(
        "contest.html",
        contest=contest, attempt=await _find_attempt(visit, contest), results=results, refusal=refusal,
        people=await visit.people.of(row.player.id for row in (results.results if results else ())),
        league=None if contest.league_id is None else await visit.area(LeagueParts).leagues.of(contest.league_id),
        certified=say_certificate, begun=contest.opens <= moment, going_on=contest.opens <= moment < contest.closes,
    )  # fmt: skip


contest_page = page("/contests/{contest_id:uuid}")(_show_contest)


async def _begin_attempt(visit: Visit) -> Response[Any]:
    """Be dealt the cards, and go to the game; a refusal is shown with the contest."""
    player = visit.may_play()
    try:
        await admit(visit, await visit.area(Contests).of(visit.id("contest_id")))
        game, _ = await visit.area(Contests).enter(visit.id("contest_id"), player)
    except Illegal as error:
        return await _show_contest(visit, error.message)
    return redirect(f"/games/{game.id}")


attempt_page = page("/contests/{contest_id:uuid}/attempt", "POST")(_begin_attempt)


@page("/contests/{contest_id:uuid}/attempt/as-guest", "POST")
async def enter_as_guest(visit: Visit) -> Response[Any]:
    """The same for a visitor who is not signed in and so becomes a guest; a league's contest is for its members."""
    if visit.caller is not None:
        return await _begin_attempt(visit)
    contest = await visit.area(Contests).of(visit.id("contest_id"))
    if contest.announced.league is not None or not contest.accepts(ids.now()):
        return await _begin_attempt(visit)

    async def open_attempt(player: UUID) -> str:
        game, _ = await visit.area(Contests).enter(contest.id, player)
        return f"/games/{game.id}"

    return await open_for_guest(visit, open_attempt)


_read = query_reader(day_seasons.MonthQuery)


@page("/day-seasons/{game_type:str}")
async def season(visit: Visit) -> Response[Any]:
    """Show a month."""
    month = requested_month(visit)
    call = visit.asking(day_seasons.SeasonQuery(month=month, cursor=visit.cursor, limit=_PAGE))
    standings = await day_seasons.season_of(call, *day_seasons.month_of(call))
    return await visit.show(
        "day_season.html",
        told=standings,
        own=await own_row(visit, *day_seasons.month_of(call)),
        month=month,
        this_month=shapes.today()[:7],
        people=await visit.people.of(row.player.id for row in standings.rows),
    )


async def own_row(visit: Visit, board: Board, rules: DayRules) -> day_seasons.SeasonRowShown | None:
    """The visitor's own row of a season, listed or not."""
    if visit.caller is None:
        return None
    try:
        return (await day_seasons.standing_of(visit.asking(None, player_id=visit.player), board, rules)).row
    except Refused:
        return None


@page("/day-seasons/{game_type:str}/players/{player_id:uuid}")
async def player(visit: Visit) -> Response[Any]:
    """Show one player's month, day by day."""
    month, key = requested_month(visit), visit.key
    call = visit.asking(day_seasons.MonthQuery(month=month))
    standing = await day_seasons.standing_of(call, *day_seasons.month_of(call))
    return await visit.show(
        "standing.html", told=standing, person=await visit.people.one(visit.id("player_id")),
        season=f"{key.replace('_', ' ').capitalize()}, {month}", back=f"/day-seasons/{key}?month={month}",
    )  # fmt: skip


def requested_month(visit: Visit) -> str:
    """The requested month, by default the current one; raises Refused if the text is no month."""
    text = visit.request.query_params.get("month")
    try:
        return _read([] if text is None else [("month", text)]).month or shapes.today()[:7]
    except Refused as error:
        raise Refused("no_such_thing", "There is no such month.") from error


_MOST = 200


class _Table(NamedTuple):
    """How a table is made for a visit, and how it is written."""

    made: Callable[[Visit], Awaitable[Any]]
    csv: Callable[[Any], str]
    text: Callable[[Any], str]


def _make_page_query(visit: Visit) -> PageQuery:
    return PageQuery(cursor=visit.cursor, limit=_MOST)


async def _read_tables(visit: Visit) -> Any:
    return await tables_of(visit, await find_standing(visit))


async def _read_standings(visit: Visit) -> Any:
    call = visit.asking(_make_page_query(visit))
    return await day_seasons.season_of(call, *await day_seasons.season_of_league(call))


async def _read_month(visit: Visit) -> Any:
    call = visit.asking(day_seasons.SeasonQuery(month=requested_month(visit), cursor=visit.cursor, limit=_MOST))
    return await day_seasons.season_of(call, *day_seasons.month_of(call))


_TABLES = {
    "/leagues/{league_id:uuid}/seasons/{season:int}/tables": _Table(_read_tables, tables_csv, tables_text),
    "/leagues/{league_id:uuid}/seasons/{season:int}/standings": _Table(
        _read_standings, day_seasons.season_csv, day_seasons.season_text
    ),
    "/day-seasons/{game_type:str}": _Table(_read_month, day_seasons.season_csv, day_seasons.season_text),
    "/contests/{contest_id:uuid}/results": _Table(
        lambda visit: results_of(visit.asking(_make_page_query(visit))), results_csv, results_text
    ),
    "/ladders/{game_type:str}": _Table(
        lambda visit: ladder_of(visit.reads, visit.accounts, visit.key, _make_page_query(visit)),
        ladder_csv,
        ladder_text,
    ),
    "/scoreboards/{game_type:str}": _Table(
        lambda visit: board_of(visit.reads, visit.accounts, visit.key, _make_page_query(visit)), board_csv, board_text
    ),
}


def _make_route(path: str, table: _Table) -> Any:
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


downloads = tuple(_make_route(path, table) for path, table in _TABLES.items())
_THEMES = {
    "dig_for_ace": "dig for the ace", "empty_column": "empty column", "full_cells": "full cells",
    "last_pass": "last pass", "two_of_a_rank": "two of a rank", "end_play": "end play",
}  # fmt: skip
_RATINGS = {"easier": "easier than I am rated", "harder": "harder"}
_read_query = query_reader(puzzles.PuzzleQuery)


@page("/puzzles")
async def next_puzzle(visit: Visit) -> Response[Any]:
    """Show a puzzle that the visitor has not tried, a guest the puzzle of the day; or that there is none."""
    query = _read_query(
        [pair for pair in visit.request.query_params.items() if pair[1]]
    )  # a form says what it leaves open
    try:
        puzzle = await puzzles.next_for(visit, visit.caller, query)
    except Refused as refusal:
        if refusal.kind != "no_such_thing":
            raise
        return await _show(visit, None, query)
    return await _show(visit, puzzle, query)


@page("/puzzles/{puzzle_id:uuid}")
async def puzzle(visit: Visit) -> Response[Any]:
    """Show this puzzle."""
    return await _show(visit, await puzzles.find_puzzle(visit, visit.id("puzzle_id")), puzzles.PuzzleQuery())


@page("/puzzles/runs", "POST")
async def begin_run(visit: Visit) -> Response[Any]:
    """Begin a rush or a streak."""
    if visit.caller is not None:
        visit.may_play()
    name = (await visit.form()).get("mode")
    if (mode := next((mode for mode in MISSES if mode == name), None)) is None:
        raise Refused("malformed", "There are rush and streak.")
    return redirect(f"/puzzles/runs/{(await puzzles.start_run(visit, mode)).id}")


@page("/puzzles/runs/{run_id:uuid}")
async def show_run(visit: Visit) -> Response[Any]:
    """Show the puzzle of a run, or its result."""
    run = await puzzles.find_run(visit, visit.id("run_id"))
    puzzle = None if run.puzzle_id is None else await puzzles.find_puzzle(visit, run.puzzle_id)
    return await _show(visit, puzzle, puzzles.PuzzleQuery(), run)


async def _show(
    visit: Visit, puzzle: puzzles.PlacedPuzzle | None, query: puzzles.PuzzleQuery, run: puzzles.PuzzleRun | None = None
) -> Response[Any]:
    player = visit.visitor
    standing = None if player is None else await puzzles.standing_of(visit.store, player)
    best = [(mode, await puzzles.best_of_day(visit, mode)) for mode in MISSES if run is None or mode == run.mode]
    ends_at = None if run is None else run.ends_at
    seconds = None if ends_at is None else max(0, ceil((ends_at - datetime.now(UTC)).total_seconds()))
    named: dict[str, Any] = {
        "themes": _THEMES, "ratings": _RATINGS, "types": sorted(SOLVERS), "query": query, "standing": standing,
        "run": run, "best": best, "seconds": seconds,
    }  # fmt: skip
    if puzzle is None:
        return await visit.show("puzzle.html", puzzle=None, **named)
    kind, shown_puzzle = puzzle.kind, await puzzles.show_puzzle(visit.store, puzzle, visit.caller)
    faces, zones = kind.get(CardFaces).by_card, shown_puzzle.position.view.zones
    return await visit.show(
        "puzzle.html",
        puzzle=shown_puzzle,
        position=msgspec.to_builtins(shown_puzzle.position),
        words=[speak_zone(zone, naming(faces)) for zone in zones],
        stock=[naming(faces)(card) for zone in zones if zone.id == "stock" for card in reversed(zone.cards)],
        cards=sprite_name(kind),
        faces=msgspec.to_builtins(dict(faces)),
        taps=dict(kind.get(Taps).zones),
        boards=pack_boards(kind.boards(puzzle.state.options, 1)),
        chips=msgspec.to_builtins(kind.get(Chips)),
        **named,
    )
