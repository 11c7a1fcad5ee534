"""A league's seasons: opening and closing them, their tables and fixtures, who moves up and down."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.league import decide
from domain.league.aggregate import League, Season
from domain.league.events import Move
from domain.league.rules import BoxRules
from projections.leagues import LEAGUES, LEAGUES_PROJECTION, TABLES, Table
from projections.promotions import proposed, published_hash
from service.operation import Answer, Call, operation, reply
from service.problems import Refused
from service.resources import league_shapes as shapes
from service.resources.leagues import TAG, WRITTEN, decided
from service.resources.replay import TEXT, accepted
from service.table_texts import CSV, csv, text

Players = Annotated[tuple[UUID, ...], Meta(max_length=1000)]


class SeasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """When the season is, and who plays where if not as the promotions were decided."""

    starts: datetime
    ends: datetime
    divisions: Annotated[tuple[Players, ...], Meta(max_length=200, description="The highest first.")] = ()


class MoveBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A player changes division, counted from 0, the highest."""

    player: UUID
    before: Annotated[int, Meta(ge=0, le=200)]
    after: Annotated[int, Meta(ge=0, le=200)]


class PromotionsBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who moves; left out: as the rules propose."""

    moves: Annotated[tuple[MoveBody, ...], Meta(max_length=1000)] | None = None


class Promotions(Struct, frozen=True, kw_only=True):
    """Who moves, on the strength of the published tables with this hash; a proposal until it is decided."""

    league: UUID
    season: int
    decided: bool
    tables: str
    moves: tuple[MoveBody, ...]


class ReplacementBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays on for whom."""

    player: UUID
    by: UUID


@operation(
    id="open_season", method="POST", path="/v1/leagues/{league_id:uuid}/seasons", body=SeasonBody, **WRITTEN,
    examples={"four weeks": {"starts": "2026-12-01T00:00:00Z", "ends": "2026-12-29T00:00:00Z"}},
)  # fmt: skip
async def open_(call: Call[SeasonBody, None]) -> Response[bytes]:
    """Open the next season: its divisions, and in a box league who plays whom. For organisers."""
    starts, ends = shapes.micros(call.body.starts), shapes.micros(call.body.ends)
    return await decided(
        call, lambda league: decide.open_season(league, starts, ends, call.player, call.body.divisions)
    )


@operation(
    id="close_season", method="POST", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/closing", **WRITTEN
)
async def close_(call: Call[None, None]) -> Response[bytes]:
    """Close a season: its tables are published as they stand. For organisers.

    Each published table has the log position and a hash. What a later correction changes is a numbered amendment.
    """
    return await decided(call, lambda league: decide.close_season(league, _number(call), call.player))


@operation(
    id="replace_player", method="POST", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/replacements",
    body=ReplacementBody, **WRITTEN,
    examples={"two players": {
        "player": "01890000-0000-7000-8000-000000000000", "by": "01890000-0000-7000-8000-000000000001",
    }},
)  # fmt: skip
async def replace_(call: Call[ReplacementBody, None]) -> Response[bytes]:
    """Let a member without a place play what another has left to play. For organisers."""
    body = call.body
    return await decided(
        call, lambda league: decide.replace_player(league, _number(call), body.player, body.by, call.player)
    )


@operation(
    id="get_tables", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/tables", tag=TAG,
    answers={200: Answer(
        type=shapes.Tables, says="The tables.", media_types=("application/json", CSV, TEXT),
    )},
    problems=("no_such_thing", "not_acceptable"),
)  # fmt: skip
async def tables_(call: Call[None, None]) -> Response[Any]:
    """Show a season's tables: JSON, CSV (`Accept: text/csv`) or text; every row explains itself."""
    media_type = accepted(call, "application/json", CSV, TEXT)
    league, season, tables, position = await standing(call)
    names = await call.services.accounts.names(shapes.people_of(league))
    made = shapes.Tables(
        league=league.id, season=season.number, rules=league.founded.rules.id, closed=season.closed,
        divisions=tuple(shapes.division(one, names) for one in tables.values()), log_position=position,
    )  # fmt: skip
    if media_type == CSV:
        return Response(csv(made), media_type=f"{CSV}; charset=utf-8")
    return Response(text(made), media_type="text/plain; charset=utf-8") if media_type == TEXT else reply(made)


@operation(
    id="list_fixtures", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/fixtures", tag=TAG,
    answers={200: Answer(type=shapes.Fixtures, says="The fixtures.")}, problems=("no_such_thing",),
)  # fmt: skip
async def fixtures_(call: Call[None, None]) -> Response[bytes]:
    """List a season's fixtures and what became of each."""
    league, season, tables, position = await standing(call)
    names = await call.services.accounts.names(shapes.people_of(league))
    made = shapes.fixtures(season, tables, names)
    return reply(shapes.Fixtures(league=league.id, season=season.number, fixtures=made, log_position=position))


@operation(
    id="get_promotions", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/promotions", tag=TAG,
    answers={200: Answer(type=Promotions, says="Who moves.")}, problems=("no_such_thing", "illegal"),
)  # fmt: skip
async def promotions_(call: Call[None, None]) -> Response[bytes]:
    """Show who moves up and down after a season: as decided, else as the rules propose."""
    league, season, tables, _ = await standing(call)
    return reply(_promotions(league, season, tables))


@operation(
    id="decide_promotions", method="POST", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/promotions",
    body=PromotionsBody, **{**WRITTEN, "answers": {200: Answer(type=Promotions, says="Who moves, decided.")}},
    examples={"as the rules propose": {}},
)  # fmt: skip
async def decide_(call: Call[PromotionsBody, None]) -> Response[bytes]:
    """Decide who moves up and down, once, after the season was closed. For organisers."""
    league, season, tables, _ = await standing(call)
    said = _promotions(league, season, tables) if call.body.moves is None else None
    moves = [Move(one.player, one.before, one.after) for one in (said.moves if said else call.body.moves or ())]
    found = published_hash(list(tables.values()))
    league = await call.services.leagues.act(
        league.id, lambda one: decide.decide_promotions(one, season.number, found, moves, call.player), call.player
    )
    return reply(_promotions(league, league.seasons[season.number - 1], tables))


def _promotions(league: League, season: Season, tables: Mapping[int, Table]) -> Promotions:
    rules = league.founded.rules
    if not season.closed or not isinstance(rules, BoxRules):
        raise Illegal("season_open", "Promotions are decided after a box league's season is closed.")
    done = season.decided
    moves = proposed(league, season, list(tables.values())) if done is None else done.moves
    return Promotions(
        league=league.id, season=season.number, decided=done is not None,
        tables=published_hash(list(tables.values())) if done is None else done.tables,
        moves=tuple(MoveBody(one.player, one.before, one.after) for one in moves),
    )  # fmt: skip


async def standing(call: Call[Any, Any]) -> tuple[League, Season, dict[int, Table], str]:
    """The league, the season in the path and its tables, all at one log position; raises Refused."""
    league_id, number = call.id("league_id"), _number(call)
    async with call.services.reads.of(LEAGUES_PROJECTION) as found:
        league = await found.document(LEAGUES(), str(league_id))
        tables = [table for _, table in await found.documents(TABLES(league_id))]
        position = str(found.position)
    if league is None or not 1 <= number <= len(league.seasons):
        raise Refused("no_such_thing", "There is no such season.")
    return league, league.seasons[number - 1], {one.division: one for one in tables if one.season == number}, position


def _number(call: Call[Any, Any]) -> int:
    return call.request.path_params["season"]  # type: ignore[no-any-return]


HANDLERS = (open_, close_, replace_, tables_, fixtures_, promotions_, decide_)
