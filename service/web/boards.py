"""Scoreboards, ladders, ratings and rubbers, with their charts."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct

from domain.games import GAME_TYPES
from domain.games.bridge_solitaire.events import HandScored
from domain.games.bridge_solitaire.state import SIDES, Contract, Entry, Sheet
from projections.boards.scoreboards import LIFE_TIME, UNIT, lower_bound
from projections.rubbers.sheets import games
from service.api.boards.ladders import ladder_of, rated_games_of, ratings_of
from service.api.boards.rubbers import sheet_of, shown_rubber
from service.api.boards.scoreboards import board_of, counted_games_of, rows_of
from service.api.paging import PageQuery
from service.live import shapes
from service.web.page import Visit, page

WIDTH, HEIGHT, _EDGE = 640, 180, 12


class Chart(Struct, frozen=True):
    """A line: `points` of a polyline, its last point, its least and greatest value.

    `zero` is the height of the value 0, None outside these.
    """

    points: str
    last: tuple[float, float]
    first_value: float
    last_value: float
    least: float
    most: float
    zero: float | None
    count: int


class ShareChart(Struct, frozen=True):
    """A share from 0 below to 1 above: its `points`, its last point, and the `band` of its 95 % interval."""

    points: str
    last: tuple[float, float]
    band: str
    count: int


def chart(values: Sequence[float]) -> Chart | None:
    """The line through these values, left to right; None for fewer than two."""
    if len(values) < 2:
        return None
    least, most = min(values), max(values)
    places = [(_x_of(at, len(values)), _y_of(value, least, most)) for at, value in enumerate(values)]
    return Chart(
        points=_describe_line(places), last=places[-1], first_value=values[0],
        last_value=values[-1], least=least, most=most, zero=_y_of(0, least, most) if least < 0 < most else None,
        count=len(values),
    )  # fmt: skip


def share_chart(won: Sequence[bool], wins: int, games: int) -> ShareChart | None:
    """The share of all games won so far, after each of the newest ones; `wins` and `games` count all games."""
    if len(won) < 2:
        return None
    counts, wins, games = [], wins - sum(won), games - len(won)
    for is_win in won:
        wins, games = wins + is_win, games + 1
        counts.append((wins, games))
    across = [_x_of(at, len(won)) for at in range(len(won))]
    places = [(x, _y_of(part / total, 0, 1)) for x, (part, total) in zip(across, counts, strict=True)]
    bounds = [interval(part, total) for part, total in counts]
    below = [(x, _y_of(low, 0, 1)) for x, (low, _) in zip(across, bounds, strict=True)]
    above = [(x, _y_of(high, 0, 1)) for x, (_, high) in zip(across, bounds, strict=True)]
    return ShareChart(_describe_line(places), places[-1], _describe_line([*above, *reversed(below)]), len(won))


def interval(wins: int, games: int) -> tuple[float, float]:
    """The Wilson interval (95 %) of the share of wins, as the boards have its lower end."""
    z = Fraction(*LIFE_TIME.z)
    return lower_bound(wins, games, z) / UNIT, 1 - lower_bound(games - wins, games, z) / UNIT


def _describe_line(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)


def _x_of(at: int, count: int) -> float:
    return round(_EDGE + (WIDTH - 2 * _EDGE) * at / (count - 1), 1)


def _y_of(value: float, least: float, most: float) -> float:
    share = 0.5 if most == least else (value - least) / (most - least)
    return round(HEIGHT - _EDGE - (HEIGHT - 2 * _EDGE) * share, 1)


_PAGE = 50


@page("/scoreboards")
async def boards(visit: Visit) -> Response[Any]:
    """Show every board's first rows."""
    tops = [await board_of(visit.reads, visit.accounts, key, PageQuery(limit=3)) for key in GAME_TYPES]
    return await visit.show("scoreboards.html", boards=tops, laddered=[key for key in GAME_TYPES if _has_ladder(key)])


def _has_ladder(key: str) -> bool:
    """Whether players of this game type are ranked by its ladder alone: nobody plays it alone."""
    return GAME_TYPES[key].seats[0] > 1


@page("/scoreboards/{game_type:str}")
async def board(visit: Visit) -> Response[Any]:
    """Show a page of a board, with the visitor's own row marked."""
    scoreboard = await board_of(visit.reads, visit.accounts, visit.key, PageQuery(cursor=visit.cursor, limit=_PAGE))
    people = await visit.people.of(row.player.id for row in scoreboard.rows)
    return await visit.show(
        "scoreboard.html",
        board=scoreboard,
        people=people,
        own=await _find_row(visit, rows_of, visit.visitor, scoreboard.game_type),
        laddered=_has_ladder(scoreboard.game_type),
    )


async def _find_row(visit: Visit, rows: Callable[..., Awaitable[Any]], player: UUID | None, key: str) -> Any:
    """The player's row of this game type, listed or not, among the rows that they have on boards or ladders."""
    if player is None:
        return None
    return next((row for row in (await rows(visit.reads, visit.accounts, player)).rows if row.game_type == key), None)


@page("/scoreboards/{game_type:str}/players/{player_id:uuid}")
async def standing(visit: Visit) -> Response[Any]:
    """Show the games that count for a player's place."""
    player = (await visit.accounts.player(visit.id("player_id"))).id
    return await visit.show(
        "counted_games.html",
        key=visit.key,
        told=await counted_games_of(visit.asking(PageQuery(cursor=visit.cursor, limit=_PAGE))),
        person=await visit.people.one(player),
        row=await _find_row(visit, rows_of, player, visit.key),
    )


_GAMES = 100


@page("/ladders")
async def ladders(visit: Visit) -> Response[Any]:
    """Show every ladder's first rows."""
    keys = [key for key, kind in GAME_TYPES.items() if kind.seats[-1] > 1]
    tops = [await ladder_of(visit.reads, visit.accounts, key, PageQuery(limit=3)) for key in keys]
    return await visit.show("ladders.html", ladders=tops)


@page("/ladders/{game_type:str}")
async def ladder(visit: Visit) -> Response[Any]:
    """Show a page of a ladder, and the visitor's own rating."""
    query = PageQuery(cursor=visit.cursor, limit=_PAGE)
    ladder_page = await ladder_of(visit.reads, visit.accounts, visit.key, query)
    own = await _find_row(visit, ratings_of, visit.visitor, ladder_page.game_type)
    if own is not None:
        newest = await rated_games_of(visit.asking(PageQuery(limit=_GAMES), player_id=visit.player))
    return await visit.show(
        "ladder.html",
        ladder=ladder_page,
        people=await visit.people.of(row.player.id for row in ladder_page.rows),
        own=own,
        chart=None if own is None else chart([game.after.ordinal for game in reversed(newest.games)]),
    )


@page("/ladders/{game_type:str}/players/{player_id:uuid}")
async def rating(visit: Visit) -> Response[Any]:
    """Show how a player's rating came about: game by game, and as a line."""
    player = (await visit.accounts.player(visit.id("player_id"))).id
    games = await rated_games_of(visit.asking(PageQuery(cursor=visit.cursor, limit=_GAMES)))
    return await visit.show(
        "rating.html",
        key=visit.key,
        person=await visit.people.one(player),
        row=await _find_row(visit, ratings_of, player, visit.key),
        told=games,
        people=await visit.people.of(other.id for game in games.games for other in game.opponents),
        chart=chart([game.after.ordinal for game in reversed(games.games)]),
    )


Line = tuple[Entry | None, ...]


class Pad(Struct, frozen=True):
    """Lines of writing, each with an entry or none for ME and for IT; `below` by game, the open one last.

    `drawn`: how many of the games have a line under them. A sheet that is closed has no open game.
    """

    above: tuple[Line, ...]
    below: tuple[tuple[Line, ...], ...]
    drawn: int


@page("/rubbers/{game_id:uuid}")
async def rubber(visit: Visit) -> Response[Any]:
    """Show the scoresheet of a game that the visitor may see."""
    score, position = await sheet_of(visit, visit.id("game_id"))
    records = await visit.store.records(score.game)
    return await visit.show(
        "rubber.html",
        rubber=shown_rubber(score, position, await visit.accounts.shown_names([score.player])),
        player=None if score.player is None else await visit.people.one(score.player),
        pad=pad(score.sheet),
        steps={record.event.hand: record.step for record in records if isinstance(record.event, HandScored)},
        spoken=contract,
        moment=shapes.moment,
    )


_STRAINS = {"C": "club", "D": "diamond", "H": "heart", "S": "spade", "NT": "no trump"}


def contract(bid: Contract) -> str:
    """`4 spades by ME, doubled`, `1 club by IT`."""
    strain = _STRAINS[bid.strain] + ("s" if bid.level > 1 and bid.strain != "NT" else "")
    doubling = "" if bid.doubling == "undoubled" else f", {bid.doubling}"
    return f"{bid.level} {strain} by {bid.declarer.upper()}{doubling}"


def pad(sheet: Sheet) -> Pad:
    """The pad of this sheet."""
    above = _lines(entry for entry in sheet.entries if entry.place == "above")
    below = tuple(_lines(game) for game in games(sheet))
    ruled = sheet.closed and len(below) > 1 and not below[-1]
    return Pad(above[::-1], below[:-1] if ruled else below, len(sheet.lines))


def _lines(entries: Iterable[Entry]) -> tuple[Line, ...]:
    """The entries in lines, each column filled without gaps, from the thick line outwards."""
    written = list(entries)
    columns = [[entry for entry in written if entry.side == side] for side in SIDES]
    return tuple(zip_longest(*columns))
