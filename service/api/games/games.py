"""Games: list, open, fork, look, take a seat, leave it, give a seed."""

import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.game_type import Illegal, Result
from domain.play import events as ev
from domain.play.aggregate import Game, Status, fold
from domain.play.deciding import Act, Step
from domain.play.fork import Fork, fork
from domain.play.table import Opening, give_seed, join, leave, open_game
from domain.view import Seat, Viewer
from projections.engine.contract import rank_key
from projections.engine.reading import Cursor
from projections.games.game_lists import ENTRY, GAMES, ListedGame, own_lists, public_lists
from service.accounts.access import Caller
from service.accounts.names import Names, Person, people, person_if_any
from service.accounts.players import Accounts
from service.api import examples, headers
from service.api.paging import GameTypeKey, LogPosition, PageQuery, next_cursor, page_cursor
from service.api.viewing import opened_answer, reply_opened
from service.event_store.errors import DuplicateCompanion
from service.event_store.ids import now
from service.event_store.keyed_writes import FirstUse
from service.http.limits import spend
from service.http.operation import JSON, Answer, Call, Reply, operation, read_key, reply
from service.leagues.commands import require_admission
from service.live import idempotency, openings, seats, shapes
from service.live.replay import LiveParts, shown_game
from service.problems import Refused
from service.records.imports import Verifiers
from service.winnable_deals import WishedDeal, note_wish, pool_of, require_level, take_deal
from service.workers.reads import Reads

TAG = "games"


class LookQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """From where to look."""

    seat: shapes.SeatNumber | None = None
    spectator: Annotated[bool, Meta(description="Look as a spectator although you have a seat.")] = False

    def __post_init__(self) -> None:
        seats.check_one_viewpoint(self.seat, self.spectator)


LOOKED = Answer(type=shapes.GameLook, says="The game as you see it.", headers=headers.ETAG)


@operation(
    id="open_game", method="POST", path="/v1/games", tag=TAG, access="required", scope="games:play",
    body=openings.AnyOpening, request_headers=headers.KEY, problems=("illegal", "key_reused", "busy"),
    answers={201: opened_answer("The game is open.")}, examples=examples.OPENINGS,
)  # fmt: skip
async def post_game(call: Call[Any, Any]) -> Response[bytes]:
    """Open a game.

    A solo game is dealt at once; one of several seats when every seat is taken; with `await_seeds` when every seat
    has given a seed. The answer's `commitment` fixes the server's part of the deal beforehand. A wished deal is taken
    out of a stock, and 503 answers where it holds none of that kind now; the service fills it while it is idle.
    """
    key = await read_key(call, "open_game", idempotency.NOWHERE)
    if openings.wish_of(call.body) and (first_use := await idempotency.find(call.store, key)) is not None:
        return await reply_opened(call, await _answered_game(call, first_use))  # a repeat takes no deal
    return await _reply_opened_once(call, key, new_game(call, call.player, call.body))


async def _reply_opened_once(
    call: Call[Any, Any], key: idempotency.Key | None, opening: Awaitable[Step]
) -> Response[bytes]:
    """Open the game of this step; a repeat with the same key is answered as the first time. Raises Illegal."""
    try:
        step = await opening
        await call.room.open(step, idempotency.key_companions(key, step, None))
    except (Illegal, DuplicateCompanion) as refused:
        return await reply_opened(call, await _first_answered_game(call, key, refused))
    return await reply_opened(call, step.game)


async def new_game(call: Call[Any, Any], player: UUID, body: Any) -> Step:
    """The step that opens the game which this body asks for; raises Illegal."""
    opening, secret = openings.opening(body, player), openings.secret(body)
    guests = [guest.player for guest in opening.invited]
    names = await call.accounts.names(guests) if guests else {}
    for place, guest in enumerate(guests):
        if guest not in names:
            raise Illegal("unknown_player", "Somebody who is invited does not exist.", f"/player_ids/{place}")
    await require_admission(call, player, len(opening.players), opening.rated)
    if (wish := openings.wish_of(body)) is not None:
        deal = await _take_deal(call, player, opening, wish)
        opening, secret = replace(opening, deal_level=deal.level), replace(secret, seed=deal.seed)
    return open_game(call.room.new_id(), opening, secret, Act(player, None, now(), call.room.signer))


async def _take_deal(call: Call[Any, Any], player: UUID, opening: Opening, wish: openings.DealWish) -> WishedDeal:
    """A certified deal for this opening, out of the stock; raises Illegal, or Refused where there is none."""
    if not call.settings.certified_deals:
        raise Illegal("no_certified_deals", "This service keeps no stock of deals that can be won.", "/deal")
    require_level(opening.type, wish.level)
    pool = pool_of(opening.type, opening.options)
    await note_wish(call.store, player, pool)
    deal = await take_deal(call.store, call.parts.seals, pool, wish.level)
    if deal is None:
        raise Refused("busy", "No such deal lies ready now: the stock is filled while the service is idle.")
    return deal


async def _first_answered_game(call: Call[Any, Any], key: idempotency.Key | None, refused: Exception) -> Game:
    """The game as the first answer to this key showed it; raises `refused` if there is none."""
    if (first_use := await idempotency.find(call.store, key)) is None:
        raise refused
    return await _answered_game(call, first_use)


async def _answered_game(call: Call[Any, Any], first_use: FirstUse) -> Game:
    records = await call.store.records(first_use.stream)
    return fold(record for record in records if record.version <= first_use.last_version)


_STEPS = 100
"""So many steps of a fork count as one more opening against the quota."""
_VISIBILITY = "Who may see the fork: left out `unlisted`, or `private` if the game is. Not more than may see the game."


class ForkBody(Struct, frozen=True, forbid_unknown_fields=True):
    """From where to play on. You hold every seat of the fork."""

    step: Annotated[int, Meta(ge=0, le=2**31 - 1, description="The last step of the game that the fork repeats.")]
    visibility: Annotated[ev.Visibility, Meta(description=_VISIBILITY)] | None = None


@operation(
    id="fork_game", method="POST", path="/v1/games/{game_id:uuid}/fork", tag=TAG, access="required", scope="games:play",
    body=ForkBody, request_headers=headers.KEY, problems=("illegal", "key_reused", "busy"),
    answers={201: opened_answer("The fork, as you see it.")}, examples={"from the deal": {"step": 0}},
)  # fmt: skip
async def fork_game(call: Call[ForkBody, None]) -> Response[bytes]:
    """Play on from a step of a game that is over.

    The fork is a new game with the same deal: you hold every seat and repeat the commands up to that step, undos too.
    It is unrated and counts in no table; `forked_from` names its origin. Its step 0 is the deal. You can fork a game
    that you may see, that is over and whose deal is revealed, from the deal to the last step before its end.
    """
    key = await read_key(call, "fork_game", call.id("game_id"))

    async def fork_once() -> Step:
        game = seats.visible_game(await call.room.game(call.id("game_id")), call.caller)
        step = await make_fork(call, game, call.body, call.player)
        spend(call.request.scope, step.game.step // _STEPS)
        return step

    return await _reply_opened_once(call, key, fork_once())


async def make_fork(
    call: Call[Any, Any], game: Game, body: ForkBody, player: UUID, others: Mapping[Seat, UUID] | None = None
) -> Step:
    """The fork, made outside the event loop, because every step of a long game is decided again; raises Illegal."""
    records, room = await call.store.records(game.id), call.room
    request = Fork(step=body.step, digest_key=secrets.token_bytes(32), visibility=body.visibility, others=others or {})
    return await call.area(Verifiers).ask(fork, records, request, room.new_id(), Act(player, None, now(), room.signer))


@operation(
    id="get_game", method="GET", path="/v1/games/{game_id:uuid}", tag=TAG, access="optional", query=LookQuery,
    answers={200: LOOKED}, problems=("not_your_seat",),
)  # fmt: skip
async def look_at_game(call: Call[None, LookQuery]) -> Response[bytes]:
    """Look at a game as it stands.

    From your own seat if you have one, else as a spectator. The ETag is the version: send it as If-Match. A game with
    a `spectator_delay` is shown to spectators that many steps late, until it is over.
    """
    game = await call.room.game(call.id("game_id"))
    return await _look_response(call, game, seats.viewer(game, call.caller, call.query.seat, call.query.spectator))


async def _look_response(call: Call[Any, Any], game: Game, viewer: Viewer) -> Response[bytes]:
    own, game = seats.own_seats(game, call.caller), await shown_game(call.area(LiveParts).replays, game, viewer)
    names = await call.accounts.shown_names(shapes.people_of(game))
    if game.status == "finished":
        ruled = await ruled_look(call.reads, shapes.look(game, viewer, own, names))
        if ruled.voided_by is not None:
            return reply(ruled, ETag=headers.etag(game.version))
    return Reply(
        call.area(LiveParts).view_cache.of(game, viewer, own, names), 200, JSON, {"ETag": headers.etag(game.version)}
    )


class JoinBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which seat, with which seed; both may be left out."""

    seat: shapes.SeatNumber | None = None
    client_seed: shapes.ClientSeed | None = None


class SeedBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Your seed for the deal."""

    client_seed: shapes.ClientSeed


TABLE: dict[str, Any] = {
    "tag": TAG, "access": "required", "scope": "games:play", "answers": {200: LOOKED}, "request_headers": headers.KEY,
    "problems": ("illegal", "key_reused"),
}  # fmt: skip


@operation(
    id="join_game", method="POST", path="/v1/games/{game_id:uuid}/join", body=JoinBody, **TABLE,
    examples={"any seat": {}},
)  # fmt: skip
async def join_game(call: Call[JoinBody, None]) -> Response[bytes]:
    """Take a seat at a game that waits; the last seat taken starts it."""
    command = ev.Join(call.body.seat, call.body.client_seed)
    game = seats.visible_game(await call.room.game(call.id("game_id")), call.caller)
    await require_admission(call, call.player, len(game.players), game.opening.rated)
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
    game_id = call.id("game_id")
    key = await read_key(call, call.request.url.path, game_id)
    try:
        step = await call.room.act(
            game_id, lambda game: decide(game, act_of_caller(call, game)),
            accompany=lambda step: idempotency.key_companions(key, step, None),
        )  # fmt: skip
        game = step.game
    except (Illegal, DuplicateCompanion) as refused:
        game = await _first_answered_game(call, key, refused)
    return await _look_response(call, game, seats.viewer(game, call.caller, None, False))


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class GamesQuery(PageQuery, frozen=True, forbid_unknown_fields=True):
    """Which games."""

    game_type: GameTypeKey | None = None
    status: Annotated[Status, Meta(description="Only games of this status.")] | None = None
    player_id: (
        Annotated[UUID, Meta(description="Only games of this player; your own include hidden ones and invitations.")]
        | None
    ) = None
    since: Annotated[datetime, Meta(tz=True, description="Only games opened at this moment or later.")] | None = None
    until: Annotated[datetime, Meta(tz=True, description="Only games opened before this moment.")] | None = None


class GameEntry(Struct, frozen=True, kw_only=True):
    """A game in a list."""

    id: UUID
    game_type: str
    status: Status
    seats: tuple[shapes.SeatHolder, ...]
    invited: Annotated[tuple[Person, ...], Meta(description="Who is invited to a game that waits.")]
    rated: bool
    hints: Annotated[bool, Meta(description="Its players may ask for hints.")]
    origin: ev.Origin
    visibility: ev.Visibility
    opened_at: shapes.Time
    finished_at: shapes.Time | None
    result: Result | None
    voided_by: shapes.GameRuling | None


class GameList(Struct, frozen=True):
    """A page of games, newest first; `next` is the cursor of the next page."""

    games: tuple[GameEntry, ...]
    next: str | None
    log_position: LogPosition


@operation(
    id="list_games", may_lag=True, method="GET", path="/v1/games", tag="games", access="optional", query=GamesQuery,
    answers={200: Answer(type=GameList, says="A page of games.")},
)  # fmt: skip
async def games(call: Call[None, GamesQuery]) -> Response[bytes]:
    """List games, newest first: the public ones, or with `player_id` one player's."""
    return reply(await listed_games(call.reads, call.accounts, call.caller, call.query))


async def listed_games(reads: Reads, accounts: Accounts, caller: Caller | None, query: GamesQuery) -> GameList:
    """A page of the games that this caller may know of."""
    if query.player_id is not None and caller is not None and caller.player == query.player_id:
        lists = own_lists(query.player_id, query.game_type, query.status)
    else:
        lists = public_lists(query.player_id, query.game_type, query.status)
    least = b"" if query.since is None else _rank_at(query.since)
    after = page_cursor(query)
    if query.until is not None:  # behind every key of that moment
        last = Cursor(_rank_at(query.until), "~")
        after = last if after is None or after.sort > last.sort else after
    async with reads.of(GAMES) as snapshot:
        page = await snapshot.gather(lists, ENTRY(), query.limit, after, least)
        names = await accounts.shown_names(_people_of(page.documents))
        rows = tuple(_entry(game, names) for game in page.documents)
        return GameList(rows, next_cursor(page.after), str(snapshot.position))


def _rank_at(moment: datetime) -> bytes:
    return rank_key((moment - _EPOCH) // timedelta(microseconds=1))


async def listed_entries(reads: Reads, accounts: Accounts, games: Iterable[UUID]) -> tuple[GameEntry, ...]:
    """The entries of these games, as far as the lists have them; the caller must be allowed to see the games."""
    async with reads.of(GAMES) as snapshot:
        documents = [row for game in games if (row := await snapshot.document(ENTRY(), str(game))) is not None]
        names = await accounts.shown_names(_people_of(documents))
        return tuple(_entry(game, names) for game in documents)


def voided_by(game: ListedGame | None) -> shapes.GameRuling | None:
    """The ruling that voids a game that is over; None where none does."""
    if game is None or game.status == game.shown_status:
        return None
    void = game.voids[0]
    return shapes.GameRuling(void.league, void.version, shapes.moment(void.at), void.reason)


async def ruled_look(reads: Reads, look: shapes.GameLook) -> shapes.GameLook:
    """The look, `voided` where a ruling has voided the game since it was over."""
    if look.status != "finished" or look.imported:
        return look
    async with reads.of(GAMES) as snapshot:
        void = voided_by(await snapshot.document(ENTRY(), str(look.id)))
    return look if void is None else replace(look, status="voided", voided_by=void)


def _people_of(games: Iterable[ListedGame]) -> Iterator[UUID | None]:
    for game in games:
        yield from (*game.players, *game.guests)


def _entry(game: ListedGame, names: Names) -> GameEntry:
    return GameEntry(
        id=game.id,
        game_type=game.game_type,
        status=game.shown_status,
        seats=tuple(shapes.SeatHolder(seat, person_if_any(player, names)) for seat, player in enumerate(game.players)),
        invited=people(game.guests, names),
        rated=game.rated,
        hints=game.hints,
        origin=game.origin,
        visibility=game.visibility,
        opened_at=shapes.moment(game.opened_at),
        finished_at=None if game.finished_at is None else shapes.moment(game.finished_at),
        result=game.result,
        voided_by=voided_by(game),
    )
