"""Company: invitations, a rematch, leaving a game unfinished by agreement, and a moderator's voiding."""

from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct

from domain.game_type import Illegal
from domain.play import events as ev
from domain.play.aggregate import Game, Status
from domain.play.deciding import Act, Step
from domain.play.endings import abandon, void
from domain.play.fork import rematch
from domain.play.table import invite, open_game, uninvite
from service.api import headers
from service.api.games.games import TABLE, act_at_table, act_of_caller
from service.api.viewing import first_answer, opened_answer, opened_before, reply_found, reply_opened
from service.event_store import keyed_writes
from service.event_store.errors import DuplicateCompanion
from service.event_store.ids import now
from service.http.operation import Answer, Call, operation, reply
from service.live import idempotency, openings, seats, shapes

TAG = "games"
_COMMAND = {"tag": TAG, "access": "required", "scope": "games:play"}


class InviteBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is invited."""

    player_id: UUID


@operation(
    id="invite_to_game", method="POST", path="/v1/games/{game_id:uuid}/invitations", body=InviteBody, **TABLE,
    member_of_rule=dict.fromkeys(("unknown_player", "already_invited", "already_seated"), "player_id"),
    examples={"a player": {"player_id": "01890000-0000-7000-8000-000000000000"}},
)  # fmt: skip
async def invite_player(call: Call[InviteBody, None]) -> Response[bytes]:
    """Offer a player a seat at a game that you have opened.

    An invited player finds the game in their own list, and may look at it and join it though it be private. The
    invitation lapses when the cards are dealt.
    """
    guest = call.body.player_id
    exists = guest in await call.accounts.names([guest])

    def decide(game: Game, act: Act) -> Step:
        step = invite(game, ev.Invite(guest), act)
        if not exists:
            raise Illegal("unknown_player", "Somebody who is invited does not exist.")
        return step

    return await act_at_table(call, decide)


@operation(
    id="withdraw_game_invitation", method="DELETE", path="/v1/games/{game_id:uuid}/invitations/{player_id:uuid}",
    **_COMMAND, answers={204: Answer(type=None, says="The invitation is withdrawn.")}, problems=("illegal",),
)  # fmt: skip
async def uninvite_player(call: Call[None, None]) -> Response[Any]:
    """Revoke an invitation, or decline your own."""
    command = ev.Uninvite(call.id("player_id"))
    if keyed_writes.first_use() is None:
        await call.room.act(
            call.id("game_id"), lambda game: uninvite(game, command, act_of_caller(call, game)),
            accompany=idempotency.request_companions,
        )  # fmt: skip
    return Response(None, status_code=204)


@operation(
    id="open_rematch", method="POST", path="/v1/games/{game_id:uuid}/rematch", **_COMMAND,
    answers={201: opened_answer("The rematch is open."), 200: opened_answer("The rematch that was open already.")},
    problems=("illegal",),
)  # fmt: skip
async def open_rematch(call: Call[None, None]) -> Response[bytes]:
    """Play a finished game again: same type, options and conditions, each player one seat further on.

    You are seated; the others are invited, each to a reserved seat. A game has one rematch: later requests return it.
    """
    if (repeated := await first_answer(call)) is not None:
        return repeated
    game = await call.room.game(call.id("game_id"))
    key = idempotency.Key(idempotency.NOWHERE, "rematch", game.id, "rematch", b"")
    try:
        seats.visible_game(game, call.caller)
        present = await call.accounts.names([player for player in game.players if player is not None])
        opening, room = rematch(game, call.player, present), call.room
        act = Act(call.player, None, now(), room.signer)
        step = open_game(room.new_id(), opening, openings.fresh_secret(), act)
        companions = [*idempotency.key_companions(key, step, None), *idempotency.request_companions(step)]
        await room.open(step, companions)
    except DuplicateCompanion:
        if (first_use := await idempotency.find(call.store, key)) is None:
            raise
        return await reply_found(call, await call.room.game(first_use.stream))
    return await reply_opened(call, step.game)


@operation(id="abandon_game", method="POST", path="/v1/games/{game_id:uuid}/abandon", **TABLE)
async def abandon_game(call: Call[None, None]) -> Response[bytes]:
    """Agree to leave a game unfinished.

    The game is abandoned when every seat that is still in it has agreed; a move in between withdraws the agreement.
    In a solo game you resign.
    """
    return await act_at_table(call, lambda game, act: abandon(game, ev.Abandon(), act))


class VoidBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why the game shall count for nothing."""

    reason: shapes.Reason


class VoidedGame(Struct, frozen=True):
    """A game that counts for nothing."""

    game_id: UUID
    status: Status
    version: int


@operation(
    id="void_game", method="POST", path="/v1/games/{game_id:uuid}/void", tag=TAG, access="required", scope="moderate",
    body=VoidBody, answers={200: Answer(type=VoidedGame, says="The game is void.", headers=headers.ETAG)},
    problems=("illegal",), examples={"a reason": {"reason": "The players were one person."}},
)  # fmt: skip
async def void_game(call: Call[VoidBody, None]) -> Response[bytes]:
    """Declare a game void: it ends, and counts on no board.

    Needs the scope `moderate`, which no player can mint: `kibitz moderator` gives tokens with it. A moderator may void
    a private game without seeing it.
    """
    act, game = Act(call.player, None, now()), await opened_before(call)
    if game is None:
        game = (await call.room.act(
            call.id("game_id"), lambda game: void(game, call.body.reason, act),
            accompany=idempotency.request_companions,
        )).game  # fmt: skip
    return reply(VoidedGame(game.id, game.status, game.version), ETag=headers.etag(game.version))
