"""Games: open, list, look, take a seat, leave it, give a seed, and the deal's proof."""

import secrets
from hashlib import sha256
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain import chance
from domain.game import events as ev
from domain.game.aggregate import Game, fold
from domain.game.play import Act, Step
from domain.game.table import Opening, join, leave, open_game, seed
from domain.game_type import Illegal, Viewer
from domain.games import GAME_TYPES, AnyGameType
from service import idempotency, seats, wire
from service.event_store.errors import DuplicateCompanion
from service.ids import now, uuid7
from service.operation import Answer, Call, operation, reply
from service.resources import examples, headers

TAG = "games"


class LookQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """From where to look."""

    seat: wire.SeatNumber | None = None
    spectator: Annotated[bool, Meta(description="Look as a spectator although you have a seat.")] = False


LOOKED = Answer(type=wire.GameLook, says="The game as you see it.", headers=headers.ETAG)


@operation(
    id="open_game", method="POST", path="/v1/games", tag=TAG, access="required", scope="play",
    body=wire.AnyOpening, request_headers=headers.KEY, problems=("illegal", "key_reused"),
    answers={201: Answer(
        type=wire.GameLook, says="The game is open.", headers=headers.ETAG | headers.LOCATION,
        links=examples.GAME_LINKS,
    )},
    examples=examples.OPENINGS,
)  # fmt: skip
async def open_(call: Call[Any, Any]) -> Response[bytes]:
    """Open a game.

    A solo game is dealt at once; one of several seats when every seat is taken; with `await_seeds` when every seat
    has given a seed. The answer's `commitment` fixes the server's part of the deal beforehand.
    """
    key = await idempotency.read_key(call.request, call.player, "open_game", idempotency.NOWHERE)
    try:
        step = open_game(uuid7(), _opening(call.body, call.player), _secret(call.body), Act(call.player, None, now()))
        await call.services.room.open(step, idempotency.keep(key, step, None))
    except (Illegal, DuplicateCompanion):
        if (kept := await idempotency.find(call.services.store, key)) is None:
            raise
        return _opened(call, await _as_it_was(call, kept))
    return _opened(call, step.game)


async def _as_it_was(call: Call[Any, Any], kept: idempotency.Kept) -> Game:
    """The game as the first answer to this key showed it."""
    records = await call.services.store.records(kept.stream)
    return fold(record for record in records if record.version <= kept.last_version)


def _opened(call: Call[Any, Any], game: Game) -> Response[bytes]:
    own = seats.own_seats(game, call.caller)
    viewer = seats.viewer(game, call.caller, None, False)
    where = f"/v1/games/{game.id}"
    return reply(wire.look(game, viewer, own), 201, ETag=headers.etag(game.version), Location=where)


def _opening(body: Any, player: UUID) -> Opening:
    found = GAME_TYPES[type(body).__struct_config__.tag]
    return Opening(
        type=found,
        options=body.options,
        players=_players(body, player),
        rated=body.rated and not getattr(body, "hot_seat", False),
        origin=_origin(body),
        visibility=_visibility(body),
        await_seeds=body.await_seeds,
    )


def _players(body: Any, player: UUID) -> tuple[UUID | None, ...]:
    count = getattr(body, "seats", 1)
    if getattr(body, "hot_seat", False):
        return (player,) * count
    seat = getattr(body, "seat", 0)
    if seat >= count:
        raise Illegal("seats", f"There is no seat {seat} at a game of {count}.")
    return tuple(player if place == seat else None for place in range(count))


def _visibility(body: Any) -> ev.Visibility:
    if body.visibility == "private" and getattr(body, "seats", 1) > 1 and not body.hot_seat:
        raise Illegal("private_company", "A private game has no empty seats: nobody else could find it.")
    return body.visibility  # type: ignore[no-any-return]


def _origin(body: Any) -> ev.Origin:
    chosen = [body.seed is not None, body.deal is not None, getattr(body, "deal_number", None) is not None]
    if sum(chosen) > 1:
        raise Illegal("one_deal", "Give one of seed, deal and deal number.")
    kinds: tuple[ev.Origin, ...] = ("given_seed", "given_deal", "numbered_deal")
    return next((kind for kind, given in zip(kinds, chosen, strict=True) if given), "shuffled")


def _secret(body: Any) -> ev.Sealed:
    """Fresh secrets; a given seed is the SHA-256 of its text."""
    server = secrets.token_bytes(32) if body.seed is None else sha256(body.seed.encode()).digest()
    return ev.Sealed(server, secrets.token_bytes(32), _given(body))


def _given(body: Any) -> tuple[str, ...] | None:
    number = getattr(body, "deal_number", None)
    found: AnyGameType = GAME_TYPES[type(body).__struct_config__.tag]
    if number is not None and found.numbered is not None:
        return tuple(found.numbered(number, body.options))
    return body.deal  # type: ignore[no-any-return]


@operation(
    id="look_at_game", method="GET", path="/v1/games/{game_id:uuid}", tag=TAG, access="optional", query=LookQuery,
    answers={200: LOOKED}, problems=("no_such_thing", "not_your_seat"),
)  # fmt: skip
async def look(call: Call[None, LookQuery]) -> Response[bytes]:
    """Look at a game as it stands.

    From your own seat if you have one, else as a spectator. The ETag is the version: send it as If-Match.
    """
    game = await call.services.room.game(call.id("game_id"))
    return _looked(call, game, seats.viewer(game, call.caller, call.query.seat, call.query.spectator))


def _looked(call: Call[Any, Any], game: Game, viewer: Viewer) -> Response[bytes]:
    shown = wire.look(game, viewer, seats.own_seats(game, call.caller))
    return reply(shown, ETag=headers.etag(game.version))


class JoinBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which seat, with which seed; both may be left out."""

    seat: wire.SeatNumber | None = None
    client_seed: wire.ClientSeed | None = None


class SeedBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Your seed for the deal."""

    client_seed: wire.ClientSeed


TABLE: dict[str, Any] = {
    "tag": TAG, "access": "required", "scope": "play", "answers": {200: LOOKED}, "request_headers": headers.KEY,
    "problems": ("no_such_thing", "illegal", "key_reused"),
}  # fmt: skip


@operation(
    id="join_game", method="POST", path="/v1/games/{game_id:uuid}/join", body=JoinBody, **TABLE,
    examples={"any seat": {}},
)  # fmt: skip
async def join_(call: Call[JoinBody, None]) -> Response[bytes]:
    """Take a seat at a game that waits; the last seat taken starts it."""
    command = ev.Join(call.body.seat, call.body.client_seed)
    return await _at_table(call, lambda game, act: join(game, command, act))


@operation(id="leave_game", method="POST", path="/v1/games/{game_id:uuid}/leave", **TABLE)
async def leave_(call: Call[None, None]) -> Response[bytes]:
    """Give your seat back before the game has started."""
    return await _at_table(call, lambda game, act: leave(game, ev.Leave(), act))


@operation(
    id="seed_game", method="POST", path="/v1/games/{game_id:uuid}/seed", body=SeedBody, **TABLE,
    examples={"a seed": {"client_seed": "my lucky number"}},
)  # fmt: skip
async def seed_(call: Call[SeedBody, None]) -> Response[bytes]:
    """Give your own seed for the deal, after the commitment was published and before the cards are dealt."""
    command = ev.Seed(call.body.client_seed)
    return await _at_table(call, lambda game, act: seed(game, command, act))


async def _at_table(call: Call[Any, Any], decide: Any) -> Response[bytes]:
    def decided(game: Game) -> Step:
        own = seats.own_seats(seats.visible(game, call.caller), call.caller)
        unseeded = [seat for seat in own if game.seeds[seat] is None] or list(own)
        step: Step = decide(game, Act(call.player, unseeded[0] if own else None, now()))
        return step

    game_id = call.id("game_id")
    key = await idempotency.read_key(call.request, call.player, call.request.url.path, game_id)
    try:
        step = await call.services.room.act(game_id, decided, accompany=lambda step: idempotency.keep(key, step, None))
        game = step.game
    except (Illegal, DuplicateCompanion):
        if (kept := await idempotency.find(call.services.store, key)) is None:
            raise
        game = await _as_it_was(call, kept)
    return _looked(call, game, seats.viewer(game, call.caller, None, False))


class Proof(Struct, frozen=True, kw_only=True):
    """All that is needed to check the deal by oneself; the seeds are told once the game is over.

    `commitment` = hex SHA-256 of the tag `kibitz/commitment/1` and a zero byte, the length of the bound text as 8
    bytes, the bound text, the server seed; `bound` is that text: algorithm, game id, game type and options. The
    seed of the shuffles is the SHA-256 of `kibitz/deal-seed/1`, a zero byte, the server seed and the client seeds
    as a JSON array. Shuffle n draws from blocks SHA-256(`kibitz/shuffle/1`, zero byte, that seed, n, block; both
    numbers as 8 bytes) read as big-endian 32-bit words, Fisher-Yates from the last card down, a word at or above
    the largest multiple of the range thrown away. The cards before the first shuffle: per pack spades, hearts,
    diamonds, clubs, each from the ace to the king; one pack after the other; then the jokers.
    """

    game_id: UUID
    algorithm: str
    bound: str
    commitment: str
    fair: Annotated[bool, Meta(description="False where the deal was given: there is nothing to prove.")]
    client_seeds: tuple[str | None, ...]
    server_seed: Annotated[str, Meta(description="Hex; told once the game is over.")] | None


@operation(
    id="deal_proof", method="GET", path="/v1/games/{game_id:uuid}/proof", tag=TAG, access="optional",
    answers={200: Answer(type=Proof, says="The proof so far.")}, problems=("no_such_thing",),
)  # fmt: skip
async def proof(call: Call[None, None]) -> Response[bytes]:
    """What was committed before the deal, and after the game the seeds that prove it."""
    game = seats.visible(await call.services.room.game(call.id("game_id")), call.caller)
    shown = Proof(
        game_id=game.id,
        algorithm=chance.ALGORITHM,
        bound=chance.bound(game.id, game.type.key, game.options).decode(),
        commitment=game.opening.commitment,
        fair=game.opening.origin == "shuffled",
        client_seeds=game.seeds,
        server_seed=game.sealed.seed.hex() if game.revealed and game.sealed is not None else None,
    )
    return reply(shown)


HANDLERS = (open_, look, join_, leave_, seed_, proof)
