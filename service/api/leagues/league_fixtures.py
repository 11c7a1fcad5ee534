"""A box league's fixtures: opening their games, and how they end without one."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.league import decide
from service.api import examples, headers
from service.api.leagues.leagues import TAG, WRITTEN, ReasonBody, act_on_league
from service.api.viewing import reply_opened
from service.http.operation import Answer, Call, operation
from service.leagues.acting import fixture_game, require_unplayed
from service.live import shapes

_PATH = "/v1/leagues/{league_id:uuid}/fixtures/{fixture_id:uuid}"
_PLAYER = "01890000-0000-7000-8000-000000000000"
_LOOK: dict[str, Any] = {
    "type": shapes.GameLook,
    "headers": headers.ETAG | headers.LOCATION,
    "links": examples.GAME_LINKS,
}


class WalkoverBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who was there, and what happened."""

    to: UUID
    reason: shapes.Reason


class NotPlayedBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who did not show, if it was somebody's fault, and why."""

    reason: shapes.Reason
    absent: Annotated[tuple[UUID, ...], Meta(max_length=5)] = ()


@operation(
    id="open_fixture", method="POST", path=f"{_PATH}/game", tag=TAG, access="required", scope="play",
    answers={
        201: Answer(says="The game is open.", **_LOOK), 200: Answer(says="The game that was open already.", **_LOOK),
    },
    problems=("no_such_thing", "illegal"),
)  # fmt: skip
async def open_fixture(call: Call[None, None]) -> Response[bytes]:
    """Open the game of a fixture of yours: you are seated, the others' seats are kept for them.

    There is one game of a fixture: whoever asks second gets the one that is open. After one that was aborted or voided
    there may be another. It is rated, everybody may watch it, and nobody else can sit down.
    """
    league = await call.services.leagues.of(call.id("league_id"))
    game, fresh = await fixture_game(call.services, league, call.id("fixture_id"), call.player)
    return await reply_opened(call, game, 201 if fresh else 200)


@operation(
    id="give_walkover", method="POST", path=f"{_PATH}/walkover", body=WalkoverBody, **WRITTEN,
    examples={"nobody came": {"to": _PLAYER, "reason": "The other side offered no date."}},
)  # fmt: skip
async def post_walkover(call: Call[WalkoverBody, None]) -> Response[bytes]:
    """Give a fixture to the side that was there: full points, nothing in tie-breaks and ratings. For organisers."""
    fixture, body = await unplayed_fixture(call), call.body
    return await act_on_league(
        call, lambda league: decide.give_walkover(league, fixture, body.to, body.reason, call.player)
    )


@operation(
    id="mark_not_played", method="POST", path=f"{_PATH}/not-played", body=NotPlayedBody, **WRITTEN,
    examples={"no date": {"reason": "No date was found."}},
)  # fmt: skip
async def mark_not_played(call: Call[NotPlayedBody, None]) -> Response[bytes]:
    """Declare a fixture not played: nobody gets anything for it. For organisers."""
    fixture, body = await unplayed_fixture(call), call.body
    return await act_on_league(
        call, lambda league: decide.declare_not_played(league, fixture, body.absent, body.reason, call.player)
    )


@operation(
    id="reopen_fixture", method="POST", path=f"{_PATH}/reopening", body=ReasonBody, **WRITTEN,
    examples={"a mistake": {"reason": "They did come."}},
)  # fmt: skip
async def post_reopening(call: Call[ReasonBody, None]) -> Response[bytes]:
    """Take back that a fixture was walked over or not played. For organisers."""
    fixture, reason = call.id("fixture_id"), call.body.reason
    return await act_on_league(call, lambda league: decide.reopen_fixture(league, fixture, reason, call.player))


async def unplayed_fixture(call: Call[Any, Any]) -> UUID:
    """The id of the fixture in the path; raises Illegal where it was played."""
    fixture = call.id("fixture_id")
    await require_unplayed(call.services.reads, await call.services.leagues.of(call.id("league_id")), fixture)
    return fixture


HANDLERS = (open_fixture, post_walkover, mark_not_played, post_reopening)
