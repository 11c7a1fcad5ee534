"""Who moves up and down after a season: proposed by the rules, decided by an organiser."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.league import decide
from domain.league.aggregate import Season
from domain.league.events import Move
from domain.league.rules import BoxRules
from projections.leagues.promotions import proposed_moves, published_hash
from service.api.leagues.league_standing import Standing, standing
from service.api.leagues.leagues import TAG, WRITTEN
from service.api.paging import LogPosition
from service.http.operation import Answer, Call, operation, reply


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
    log_position: LogPosition


@operation(
    may_lag=True,
    id="get_promotions", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/promotions", tag=TAG,
    answers={200: Answer(type=Promotions, says="Who moves.")}, problems=("no_such_thing", "illegal"),
)  # fmt: skip
async def get_promotions(call: Call[None, None]) -> Response[bytes]:
    """Show who moves up and down after a season: as decided, else as the rules propose."""
    return reply(promotions_of(await standing(call)))


@operation(
    id="decide_promotions", method="POST", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/promotions",
    body=PromotionsBody, **{**WRITTEN, "answers": {200: Answer(type=Promotions, says="Who moves, decided.")}},
    examples={"as the rules propose": {}},
)  # fmt: skip
async def post_promotions(call: Call[PromotionsBody, None]) -> Response[bytes]:
    """Decide who moves up and down, once, after the season was closed. For organisers."""
    return reply(await record_promotions(call, call.body))


def promotions_of(found: Standing) -> Promotions:
    """Who moves after this season; raises Illegal while it runs."""
    _require_closed(found)
    return _promotions(found, found.season)


async def record_promotions(call: Call[Any, Any], body: PromotionsBody) -> Promotions:
    """Decide for the season in the path; raises Illegal."""
    found = await standing(call)
    _require_closed(found)
    moves, tables = _moves(body, found), published_hash(list(found.of(found.season.number).values()))
    league = await call.services.leagues.act(
        found.league.id, lambda one: decide.decide_promotions(one, found.season.number, tables, moves, call.player),
        call.player,
    )  # fmt: skip
    return _promotions(found, league.seasons[found.season.number - 1])


def _moves(body: PromotionsBody, found: Standing) -> tuple[Move, ...]:
    if body.moves is None:
        return _proposed_moves(found)
    return tuple(Move(one.player, one.before, one.after) for one in body.moves)


def _require_closed(found: Standing) -> None:
    if not found.season.closed or not isinstance(found.league.founded.rules, BoxRules):
        raise Illegal("season_open", "Promotions are decided after a box league's season is closed.")


def _proposed_moves(found: Standing) -> tuple[Move, ...]:
    number = found.season.number
    return proposed_moves(found.league, found.season, found.of(number).values(), found.of(number - 1).values())


def _promotions(found: Standing, season: Season) -> Promotions:
    """As decided, else as the rules propose."""
    done, published = season.decided, published_hash(list(found.of(season.number).values()))
    moves = _proposed_moves(found) if done is None else done.moves
    return Promotions(
        league=found.league.id, season=season.number, decided=done is not None,
        tables=published if done is None else done.tables, log_position=found.position,
        moves=tuple(MoveBody(one.player, one.before, one.after) for one in moves),
    )  # fmt: skip


HANDLERS = (get_promotions, post_promotions)
