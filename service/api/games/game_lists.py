"""Lists of games: the public ones, a player's, one's own."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.game_type import Result
from domain.play import events as ev
from domain.play.aggregate import Status
from projections.engine.contract import rank_key
from projections.engine.reading import Cursor
from projections.games.game_lists import ENTRY, GAMES, ListedGame, own_lists, public_lists
from service.accounts.access import Caller
from service.accounts.names import Names, Person, people, person_if_any
from service.api.paging import GameTypeKey, LogPosition, PageQuery, next_cursor, page_cursor
from service.http.operation import Answer, Call, operation, reply
from service.http.services import Services
from service.live import shapes

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
    hints: Annotated[bool, Meta(description="Whoever plays it may ask for hints.")]
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
    """List games, newest first: the public ones, or with `player_id` those of one player."""
    return reply(await listed_games(call.services, call.caller, call.query))


async def listed_games(services: Services, caller: Caller | None, query: GamesQuery) -> GameList:
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
    async with services.reads.of(GAMES) as found:
        page = await found.gather(lists, ENTRY(), query.limit, after, least)
        names = await services.accounts.shown_names(_people_of(page.documents))
        rows = tuple(_entry(game, names) for game in page.documents)
        return GameList(rows, next_cursor(page.after), str(found.position))


def _rank_at(moment: datetime) -> bytes:
    """Where a game that was opened at this moment stands in a list."""
    return rank_key((moment - _EPOCH) // timedelta(microseconds=1))


async def listed_entries(services: Services, games: Iterable[UUID]) -> tuple[GameEntry, ...]:
    """The entries of these games, without those that no list has yet; whoever asks must be allowed to know of them."""
    async with services.reads.of(GAMES) as found:
        documents = [one for game in games if (one := await found.document(ENTRY(), str(game))) is not None]
        names = await services.accounts.shown_names(_people_of(documents))
        return tuple(_entry(game, names) for game in documents)


def voided_by(game: ListedGame | None) -> shapes.GameRuling | None:
    """The ruling that voids a game that is over; None where none does."""
    if game is None or game.status == game.shown_status:
        return None
    void = game.voids[0]
    return shapes.GameRuling(void.league, void.version, shapes.moment(void.at), void.reason)


async def ruled_look(services: Services, look: shapes.GameLook) -> shapes.GameLook:
    """The look, `voided` where a ruling has voided the game since it was over."""
    if look.status != "finished" or look.imported:
        return look
    async with services.reads.of(GAMES) as found:
        void = voided_by(await found.document(ENTRY(), str(look.id)))
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


HANDLERS = (games,)
