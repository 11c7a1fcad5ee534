"""A league's seasons: opening, closing, replacements, and promotions after them.

Promotions are proposed by the rules and decided by an organiser.
"""

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import Annotated, Any, NamedTuple
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.league import decide
from domain.league.aggregate import League, Season
from domain.league.events import Move
from domain.league.rules import BoxRules
from projections.leagues.league_projection import LEAGUES, LEAGUES_PROJECTION, TABLES, Table
from projections.leagues.promotions import proposed_moves, published_hash
from service.accounts.names import Person, person
from service.api.leagues.leagues import COMMAND, TAG, act_on_league
from service.api.paging import LogPosition
from service.api.viewing import micros
from service.http.operation import Answer, Call, operation, reply
from service.leagues.commands import LeagueParts
from service.live import shapes
from service.problems import Refused


class DivisionBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays in a division."""

    player_ids: Annotated[tuple[UUID, ...], Meta(max_length=50)]


class SeasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The season's dates, and its divisions if they differ from the decided promotions."""

    starts: shapes.Time
    ends: shapes.Time
    divisions: Annotated[tuple[DivisionBody, ...], Meta(max_length=200, description="The highest first.")] = ()


class ReplacementBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A player, and the member who replaces them."""

    player_id: UUID
    by_player_id: UUID


@operation(
    id="open_season", method="POST", path="/v1/leagues/{league_id:uuid}/seasons", body=SeasonBody, **COMMAND,
    examples={"four weeks": {"starts": "2026-12-01T00:00:00Z", "ends": "2026-12-29T00:00:00Z"}},
)  # fmt: skip
async def post_season(call: Call[SeasonBody, None]) -> Response[bytes]:
    """Open the next season: its divisions, and in a box league its fixtures. For organisers."""
    starts, ends = micros(call.body.starts), micros(call.body.ends)
    divisions = tuple(division.player_ids for division in call.body.divisions)
    return await act_on_league(call, lambda league: decide.open_season(league, starts, ends, call.player, divisions))


@operation(id="close_season", method="POST", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/close", **COMMAND)
async def post_closing(call: Call[None, None]) -> Response[bytes]:
    """Close a season: its tables are published as they stand. For organisers.

    Each published table has the log position and a hash. A later correction makes a numbered amendment.
    """
    return await act_on_league(call, lambda league: decide.close_season(league, number(call), call.player))


@operation(
    id="replace_player", method="POST", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/replace",
    body=ReplacementBody, **COMMAND, member_of_rule={"not_in_season": "player_id", "substitute": "by_player_id"},
    examples={"two players": {
        "player_id": "01890000-0000-7000-8000-000000000000", "by_player_id": "01890000-0000-7000-8000-000000000001",
    }},
)  # fmt: skip
async def post_replacement(call: Call[ReplacementBody, None]) -> Response[bytes]:
    """Let a member without a place play what another has left to play. For organisers."""
    body = call.body
    return await act_on_league(
        call, lambda league: decide.replace_player(league, number(call), body.player_id, body.by_player_id, call.player)
    )


_PATIENCE, _PAUSE = 5.0, 0.02
"""Seconds to wait for the projection to reach the league's version, and between two checks."""


class Standing(NamedTuple):
    """A league, one season of it, the tables of all its seasons by season and division, and the log position."""

    league: League
    season: Season
    tables: Mapping[tuple[int, int], Table]
    position: str

    def of(self, season: int) -> dict[int, Table]:
        """The tables of one season by division."""
        return {division: table for (number, division), table in self.tables.items() if number == season}


async def find_standing(call: Call[Any, Any], season: int | None = None) -> Standing:
    """The season in the path, or season number `season` of its league, with all that was recorded before the call.

    All at one log position. Raises Refused where there is no such season, and while the tables lag far behind.
    """
    league, until = await call.area(LeagueParts).leagues.of(call.id("league_id")), monotonic() + _PATIENCE
    while monotonic() < until:
        async with call.reads.of(LEAGUES_PROJECTION) as snapshot:
            projected = await snapshot.document(LEAGUES(), str(league.id))
            if projected is not None and projected.version >= league.version:
                chosen = number(call) if season is None else season
                if not 1 <= chosen <= len(projected.seasons):
                    raise Refused("no_such_thing", "There is no such season.")
                tables = [table for _, table in await snapshot.documents(TABLES(league.id))]
                by_place = {(table.season, table.division): table for table in tables}
                return Standing(projected, projected.seasons[chosen - 1], by_place, str(snapshot.position))
        await asyncio.sleep(_PAUSE)
    raise Refused("unavailable", "The tables have not come as far as the league; try again in a moment.")


def number(call: Call[Any, Any]) -> int:
    """The season's number in the path."""
    return call.request.path_params["season"]  # type: ignore[no-any-return]


class MoveBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A player changes division, counted from 0, the highest."""

    player_id: UUID
    before: Annotated[int, Meta(ge=0, le=200)]
    after: Annotated[int, Meta(ge=0, le=200)]


class PromotionsBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who moves; left out: as the rules propose."""

    moves: Annotated[tuple[MoveBody, ...], Meta(max_length=1000)] | None = None


class Promotion(Struct, frozen=True):
    """A player changes division, counted from 0, the highest."""

    player: Person
    before: int
    after: int


class Promotions(Struct, frozen=True, kw_only=True):
    """Who moves, on the strength of the published tables with this hash; a proposal until it is decided."""

    league_id: UUID
    season: int
    decided: bool
    tables: str
    moves: tuple[Promotion, ...]
    log_position: LogPosition


@operation(
    may_lag=True,
    id="get_promotions", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/promotions", tag=TAG,
    answers={200: Answer(type=Promotions, says="Who moves.")}, problems=("illegal",),
)  # fmt: skip
async def get_promotions(call: Call[None, None]) -> Response[bytes]:
    """Show who moves up and down after a season: as decided, else as the rules propose."""
    return reply(await promotions_of(call, await find_standing(call)))


@operation(
    id="decide_promotions", method="POST", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/promotions",
    body=PromotionsBody, **{**COMMAND, "answers": {200: Answer(type=Promotions, says="Who moves, decided.")}},
    examples={"as the rules propose": {}},
)  # fmt: skip
async def post_promotions(call: Call[PromotionsBody, None]) -> Response[bytes]:
    """Decide who moves up and down, once, after the season was closed. For organisers."""
    return reply(await record_promotions(call, call.body))


async def promotions_of(call: Call[Any, Any], standing: Standing) -> Promotions:
    """Who moves after this season; raises Illegal while it runs."""
    _require_closed(standing)
    return await _promotions(call, standing, standing.season)


async def record_promotions(call: Call[Any, Any], body: PromotionsBody) -> Promotions:
    """Decide the promotions after the season in the path; raises Illegal."""
    standing = await find_standing(call)
    _require_closed(standing)
    season, moves = standing.season.number, _proposed_moves(standing)
    if body.moves is not None:
        moves = tuple(Move(move.player_id, move.before, move.after) for move in body.moves)
    tables = published_hash(list(standing.of(season).values()))
    league = await call.area(LeagueParts).leagues.act(
        standing.league.id, lambda league: decide.decide_promotions(league, season, tables, moves, call.player),
        call.player,
    )  # fmt: skip
    return await _promotions(call, standing, league.seasons[season - 1])


def _require_closed(standing: Standing) -> None:
    if not standing.season.closed or not isinstance(standing.league.founded.rules, BoxRules):
        raise Illegal("season_open", "Promotions are decided after a box league's season is closed.")


def _proposed_moves(standing: Standing) -> tuple[Move, ...]:
    number = standing.season.number
    return proposed_moves(
        standing.league, standing.season, standing.of(number).values(), standing.of(number - 1).values()
    )


async def _promotions(call: Call[Any, Any], standing: Standing, season: Season) -> Promotions:
    """As decided, else as the rules propose."""
    done, published = season.decided, published_hash(list(standing.of(season.number).values()))
    moves = _proposed_moves(standing) if done is None else done.moves
    names = await call.accounts.shown_names(move.player for move in moves)
    return Promotions(
        league_id=standing.league.id, season=season.number, decided=done is not None,
        tables=published if done is None else done.tables, log_position=standing.position,
        moves=tuple(Promotion(person(move.player, names), move.before, move.after) for move in moves),
    )  # fmt: skip
