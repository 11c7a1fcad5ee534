"""Forks: a game that is over, played on from one of its steps by one player."""

import secrets
from typing import Annotated, Any

from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.play import events as ev
from domain.play.deciding import Act, Step
from domain.play.fork import Fork, fork
from service.api import examples, headers
from service.api.games.games import first_answered_game
from service.api.viewing import reply_opened
from service.event_store.errors import DuplicateCompanion
from service.event_store.ids import now
from service.http.limits import spend
from service.http.operation import Answer, Call, operation
from service.live import idempotency, seats, shapes

_STEPS = 100
"""So many steps of a fork count as one more opening against the quota."""
_SEEN = "Who may see the fork: left out `unlisted`, or `private` if the game is. Not more than may see the game."


class ForkBody(Struct, frozen=True, forbid_unknown_fields=True):
    """From where to play on. You hold every seat of the fork."""

    step: Annotated[int, Meta(ge=0, le=2**31 - 1, description="The last step of the game that the fork repeats.")]
    visibility: Annotated[ev.Visibility, Meta(description=_SEEN)] | None = None


@operation(
    id="fork_game", method="POST", path="/v1/games/{game_id:uuid}/forks", tag="games", access="required", scope="play",
    body=ForkBody, request_headers=headers.KEY, problems=("no_such_thing", "illegal", "key_reused", "busy"),
    answers={201: Answer(
        type=shapes.GameLook, says="The fork, as you see it.", headers=headers.ETAG | headers.LOCATION,
        links=examples.GAME_LINKS,
    )},
    examples={"from the deal": {"step": 0}},
)  # fmt: skip
async def fork_game(call: Call[ForkBody, None]) -> Response[bytes]:
    """Play on from a step of a game that is over.

    The fork is a game of its own with the same deal: the commands up to that step, undos too, are said again by you,
    who hold every seat. It is unrated and stands in no table; `forked_from` says where it comes from. Its step 0 is
    the deal. A game can be forked that you may see, that is over and whose deal is revealed, from the deal to the last
    step before its end.
    """
    key = await idempotency.read_key(call, "fork_game", call.id("game_id"))
    try:
        step = await _make_fork(call)
        await call.services.room.open(step, idempotency.key_companions(key, step, None))
    except (Illegal, DuplicateCompanion):
        if (kept := await idempotency.find(call.services.store, key)) is None:
            raise
        return await reply_opened(call, await first_answered_game(call, kept))
    return await reply_opened(call, step.game)


async def _make_fork(call: Call[ForkBody, Any]) -> Step:
    """The fork, made outside the event loop, because every step of a long game is decided again."""
    game = seats.visible_game(await call.services.room.game(call.id("game_id")), call.caller)
    records = await call.services.store.records(game.id)
    wanted = Fork(step=call.body.step, digest_key=secrets.token_bytes(32), visibility=call.body.visibility)
    room = call.services.room
    step = await call.services.verifiers.ask(
        fork, records, wanted, room.new_id(), Act(call.player, None, now(), room.signer)
    )
    spend(call.request.scope, step.game.step // _STEPS)
    return step


HANDLERS = (fork_game,)
