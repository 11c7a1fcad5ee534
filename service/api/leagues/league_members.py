"""Who is in a league: joining and leaving, invitations, organisers."""

from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct

from domain.game_type import Illegal
from domain.league import decide
from service.api.leagues.leagues import WRITTEN, act_on_league
from service.event_store import keyed_writes
from service.http.operation import Call, operation
from service.leagues.rulings import require_organiser
from service.live import shapes

_PLAYER = {"player_id": "01890000-0000-7000-8000-000000000000"}


class PlayerBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which player."""

    player_id: UUID


class RemovalBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a member is removed."""

    reason: shapes.Reason


_OWN = {**WRITTEN, "scope": "leagues:join"}


@operation(id="join_league", method="POST", path="/v1/leagues/{league_id:uuid}/join", **_OWN)
async def join_league(call: Call[None, None]) -> Response[bytes]:
    """Join a league, if it is open or you are invited; you play from its next season on."""
    return await act_on_league(call, lambda league: decide.join(league, call.player))


@operation(id="leave_league", method="POST", path="/v1/leagues/{league_id:uuid}/leave", **_OWN)
async def leave_league(call: Call[None, None]) -> Response[bytes]:
    """Leave a league, and the season that runs.

    Before half of your fixtures are played, none of them counts for anybody; later those that are left go to your
    opponents.
    """
    return await act_on_league(call, lambda league: decide.leave(league, call.player))


@operation(
    id="remove_member", method="POST", path="/v1/leagues/{league_id:uuid}/members/{player_id:uuid}/remove",
    body=RemovalBody, **WRITTEN, examples={"a reason": {"reason": "Never came."}},
)  # fmt: skip
async def remove_member(call: Call[RemovalBody, None]) -> Response[bytes]:
    """Remove a member; what follows is as when they leave. For organisers."""
    player = call.id("player_id")
    return await act_on_league(call, lambda league: decide.remove(league, player, call.body.reason, call.player))


@operation(
    id="invite_to_league", method="POST", path="/v1/leagues/{league_id:uuid}/invitations", body=PlayerBody, **WRITTEN,
    blames=dict.fromkeys(("unknown_player", "member", "already_invited"), "player_id"),
    examples={"a player": _PLAYER},
)  # fmt: skip
async def invite_member(call: Call[PlayerBody, None]) -> Response[bytes]:
    """Invite a player to join. For organisers."""
    await require_player(call, call.body.player_id)
    return await act_on_league(call, lambda league: decide.invite(league, call.body.player_id, call.player))


@operation(
    id="withdraw_league_invitation", method="DELETE", path="/v1/leagues/{league_id:uuid}/invitations/{player_id:uuid}",
    **WRITTEN,
)  # fmt: skip
async def delete_invitation(call: Call[None, None]) -> Response[bytes]:
    """Withdraw an invitation, or decline your own."""
    player = call.id("player_id")
    return await act_on_league(call, lambda league: decide.withdraw_invitation(league, player, call.player))


@operation(
    id="appoint_organiser", method="POST", path="/v1/leagues/{league_id:uuid}/organisers", body=PlayerBody, **WRITTEN,
    blames=dict.fromkeys(("unknown_player", "organiser"), "player_id"),
    examples={"a player": _PLAYER},
)  # fmt: skip
async def post_organiser(call: Call[PlayerBody, None]) -> Response[bytes]:
    """Name another organiser. For organisers."""
    await require_player(call, call.body.player_id)
    return await act_on_league(call, lambda league: decide.name_organiser(league, call.body.player_id, call.player))


@operation(
    id="dismiss_organiser", method="DELETE", path="/v1/leagues/{league_id:uuid}/organisers/{player_id:uuid}", **WRITTEN
)
async def delete_organiser(call: Call[None, None]) -> Response[bytes]:
    """Take an organiser's role away, or give up your own; one organiser stays."""
    player = call.id("player_id")
    return await act_on_league(call, lambda league: decide.dismiss_organiser(league, player, call.player))


async def require_player(call: Call[Any, Any], player: UUID) -> None:
    """Raises Illegal if there is no such player; organisers alone learn that."""
    require_organiser(await call.services.leagues.of(call.id("league_id")), call.player)
    if keyed_writes.first_use() is None and player not in await call.services.accounts.names([player]):
        raise Illegal("unknown_player", "There is no such player.")


HANDLERS = (
    join_league, leave_league, remove_member, invite_member, delete_invitation, post_organiser, delete_organiser,
)  # fmt: skip
