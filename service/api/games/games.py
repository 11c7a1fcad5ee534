"""Games: open, list, look, take a seat, leave it, give a seed, and the deal's proof."""

from collections.abc import Callable
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.play import events as ev
from domain.play.aggregate import Game, fold
from domain.play.deciding import Act, Step
from domain.play.table import Opening, give_seed, join, leave, open_game
from domain.view import Viewer
from service.api import examples, headers
from service.api.viewing import reply_opened
from service.event_store.errors import DuplicateCompanion
from service.event_store.ids import now
from service.http.operation import JSON, Answer, Call, Reply, operation
from service.http.services import Services
from service.leagues.reliability import require_admission
from service.live import idempotency, openings, seats, shapes
from service.live.delay import shown_game

TAG = "games"


class LookQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """From where to look."""

    seat: shapes.SeatNumber | None = None
    spectator: Annotated[bool, Meta(description="Look as a spectator although you have a seat.")] = False

    def __post_init__(self) -> None:
        seats.check_one_viewpoint(self.seat, self.spectator)


LOOKED = Answer(type=shapes.GameLook, says="The game as you see it.", headers=headers.ETAG)


@operation(
    id="open_game", method="POST", path="/v1/games", tag=TAG, access="required", scope="play",
    body=openings.AnyOpening, request_headers=headers.KEY, problems=("illegal", "key_reused"),
    answers={201: Answer(
        type=shapes.GameLook, says="The game is open.", headers=headers.ETAG | headers.LOCATION,
        links=examples.GAME_LINKS,
    )},
    examples=examples.OPENINGS,
)  # fmt: skip
async def post_game(call: Call[Any, Any]) -> Response[bytes]:
    """Open a game.

    A solo game is dealt at once; one of several seats when every seat is taken; with `await_seeds` when every seat
    has given a seed. The answer's `commitment` fixes the server's part of the deal beforehand.
    """
    key = await idempotency.read_key(call, "open_game", idempotency.NOWHERE)
    try:
        step = await new_game(call.services, call.player, call.body)
        await call.services.room.open(step, idempotency.key_companions(key, step, None))
    except (Illegal, DuplicateCompanion):
        if (kept := await idempotency.find(call.services.store, key)) is None:
            raise
        return await reply_opened(call, await first_answered_game(call, kept))
    return await reply_opened(call, step.game)


async def new_game(services: Services, player: UUID, body: Any) -> Step:
    """The step that opens the game which this body asks for; raises Illegal."""
    wanted, secret = openings.opening(body, player), openings.secret(body)
    await _require_guests(services, wanted)
    await require_admission(services, player, len(wanted.players), wanted.rated)
    return open_game(services.room.new_id(), wanted, secret, Act(player, None, now(), services.room.signer))


async def _require_guests(services: Services, wanted: Opening) -> None:
    guests = [guest.player for guest in wanted.invited]
    if set(guests).difference(await services.accounts.names(guests) if guests else ()):
        raise Illegal("unknown_player", "Somebody who is invited does not exist.")


async def first_answered_game(call: Call[Any, Any], kept: idempotency.FirstUse) -> Game:
    """The game as the first answer to this key showed it."""
    records = await call.services.store.records(kept.stream)
    return fold(record for record in records if record.version <= kept.last_version)


@operation(
    id="look_at_game", method="GET", path="/v1/games/{game_id:uuid}", tag=TAG, access="optional", query=LookQuery,
    answers={200: LOOKED}, problems=("no_such_thing", "not_your_seat"),
)  # fmt: skip
async def look_at_game(call: Call[None, LookQuery]) -> Response[bytes]:
    """Look at a game as it stands.

    From your own seat if you have one, else as a spectator. The ETag is the version: send it as If-Match. A game with
    a `spectator_delay` is shown to spectators as it stood that many steps ago, until it is over.
    """
    game = await call.services.room.game(call.id("game_id"))
    return await _look_response(call, game, seats.viewer(game, call.caller, call.query.seat, call.query.spectator))


async def _look_response(call: Call[Any, Any], game: Game, viewer: Viewer) -> Response[bytes]:
    own, game = seats.own_seats(game, call.caller), await shown_game(call.services.replays, game, viewer)
    return Reply(call.services.looks.of(game, viewer, own), 200, JSON, {"ETag": headers.etag(game.version)})


class JoinBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which seat, with which seed; both may be left out."""

    seat: shapes.SeatNumber | None = None
    client_seed: shapes.ClientSeed | None = None


class SeedBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Your seed for the deal."""

    client_seed: shapes.ClientSeed


TABLE: dict[str, Any] = {
    "tag": TAG, "access": "required", "scope": "play", "answers": {200: LOOKED}, "request_headers": headers.KEY,
    "problems": ("no_such_thing", "illegal", "key_reused"),
}  # fmt: skip


@operation(
    id="join_game", method="POST", path="/v1/games/{game_id:uuid}/join", body=JoinBody, **TABLE,
    examples={"any seat": {}},
)  # fmt: skip
async def join_game(call: Call[JoinBody, None]) -> Response[bytes]:
    """Take a seat at a game that waits; the last seat taken starts it."""
    command = ev.Join(call.body.seat, call.body.client_seed)
    game = seats.visible_game(await call.services.room.game(call.id("game_id")), call.caller)
    await require_admission(call.services, call.player, len(game.players), game.opening.rated)
    return await act_at_table(call, lambda game, act: join(game, command, act))


@operation(id="leave_game", method="POST", path="/v1/games/{game_id:uuid}/leave", **TABLE)
async def leave_game(call: Call[None, None]) -> Response[bytes]:
    """Give your seat back before the game has started."""
    return await act_at_table(call, lambda game, act: leave(game, ev.Leave(), act))


@operation(
    id="seed_game", method="POST", path="/v1/games/{game_id:uuid}/seed", body=SeedBody, **TABLE,
    examples={"a seed": {"client_seed": "my lucky number"}},
)  # fmt: skip
async def seed_game(call: Call[SeedBody, None]) -> Response[bytes]:
    """Give your own seed for the deal, after the commitment was published and before the cards are dealt."""
    command = ev.Seed(call.body.client_seed)
    return await act_at_table(call, lambda game, act: give_seed(game, command, act))


def act_of_caller(call: Call[Any, Any], game: Game) -> Act:
    """The caller as actor in this game, at a seat of their own if they have one; raises Refused for a hidden game."""
    own = seats.own_seats(seats.visible_game(game, call.caller), call.caller)
    unseeded = [seat for seat in own if game.seeds[seat] is None] or list(own)
    return Act(call.player, unseeded[0] if own else None, now())


async def act_at_table(call: Call[Any, Any], decide: Callable[[Game, Act], Step]) -> Response[bytes]:
    """Record what the caller decides, and show the game."""

    def decide_as_caller(game: Game) -> Step:
        return decide(game, act_of_caller(call, game))

    game_id = call.id("game_id")
    key = await idempotency.read_key(call, call.request.url.path, game_id)
    try:
        step = await call.services.room.act(
            game_id, decide_as_caller, accompany=lambda step: idempotency.key_companions(key, step, None)
        )
        game = step.game
    except (Illegal, DuplicateCompanion):
        if (kept := await idempotency.find(call.services.store, key)) is None:
            raise
        game = await first_answered_game(call, kept)
    return await _look_response(call, game, seats.viewer(game, call.caller, None, False))


HANDLERS = (post_game, look_at_game, join_game, leave_game, seed_game)
