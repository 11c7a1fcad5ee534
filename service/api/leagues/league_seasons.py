"""A league's seasons: opening and closing them, and who plays on for whom."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.league import decide
from service.api.leagues.league_standing import number
from service.api.leagues.leagues import WRITTEN, act_on_league
from service.api.people import micros
from service.http.operation import Call, operation

Players = Annotated[tuple[UUID, ...], Meta(max_length=50)]


class SeasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """When the season is, and who plays where if not as the promotions were decided."""

    starts: datetime
    ends: datetime
    divisions: Annotated[tuple[Players, ...], Meta(max_length=200, description="The highest first.")] = ()


class ReplacementBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays on for whom."""

    player: UUID
    by: UUID


@operation(
    id="open_season", method="POST", path="/v1/leagues/{league_id:uuid}/seasons", body=SeasonBody, **WRITTEN,
    examples={"four weeks": {"starts": "2026-12-01T00:00:00Z", "ends": "2026-12-29T00:00:00Z"}},
)  # fmt: skip
async def post_season(call: Call[SeasonBody, None]) -> Response[bytes]:
    """Open the next season: its divisions, and in a box league who plays whom. For organisers."""
    starts, ends = micros(call.body.starts), micros(call.body.ends)
    return await act_on_league(
        call, lambda league: decide.open_season(league, starts, ends, call.player, call.body.divisions)
    )


@operation(
    id="close_season", method="POST", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/closing", **WRITTEN
)
async def post_closing(call: Call[None, None]) -> Response[bytes]:
    """Close a season: its tables are published as they stand. For organisers.

    Each published table has the log position and a hash. What a later correction changes is a numbered amendment.
    """
    return await act_on_league(call, lambda league: decide.close_season(league, number(call), call.player))


@operation(
    id="replace_player", method="POST", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/replacements",
    body=ReplacementBody, **WRITTEN,
    examples={"two players": {
        "player": "01890000-0000-7000-8000-000000000000", "by": "01890000-0000-7000-8000-000000000001",
    }},
)  # fmt: skip
async def post_replacement(call: Call[ReplacementBody, None]) -> Response[bytes]:
    """Let a member without a place play what another has left to play. For organisers."""
    body = call.body
    return await act_on_league(
        call, lambda league: decide.replace_player(league, number(call), body.player, body.by, call.player)
    )


HANDLERS = (post_season, post_closing, post_replacement)
