"""The viewer of a request, and the answer that shows a game."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, TypeVar

from litestar import Response
from msgspec import Meta, Struct

from domain.play.aggregate import Game, fold
from domain.view import Viewer
from projections.ladders.ratings import Rating
from service.api import examples, headers
from service.event_store import keyed_writes
from service.http.operation import Answer, Call, reply
from service.http.representation import NEVER_CHANGES
from service.live import seats, shapes
from service.live.replay import LiveParts, shown_game
from service.problems import Refused


class ViewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Through whose eyes."""

    seat: shapes.SeatNumber | None = None
    spectator: Annotated[bool, Meta(description="As a spectator saw it although you have a seat.")] = False
    known: Annotated[
        Literal["then", "now"],
        Meta(description="`then`: as that seat saw it then; `now`: every card face up, once the game is over."),
    ] = "then"

    def __post_init__(self) -> None:
        seats.check_one_viewpoint(self.seat, self.spectator)


def viewer_of(call: Call[Any, ViewQuery], game: Game) -> Viewer:
    """The viewer of this request; raises Refused or Illegal."""
    if call.query.known == "now":
        return seats.all_seeing_viewer(game, call.caller)
    return seats.viewer(game, call.caller, call.query.seat, call.query.spectator)


def cache_for_good(game: Game) -> dict[str, str]:
    """The Cache-Control of an unchanging part of a game, such as a frame; none while it goes on or may be deleted,
    as an imported one may. Shared caches keep only public games."""
    if game.status not in seats.OVER or not seats.is_fully_known(game) or game.opening.source is not None:
        return {}
    return {"Cache-Control": f"{'private' if game.opening.visibility == 'private' else 'public'}, {NEVER_CHANGES}"}


async def reply_opened(call: Call[Any, Any], game: Game, status: int = 201) -> Response[bytes]:
    """The answer with a game that was opened now or before."""
    own = seats.own_seats(game, call.caller)
    viewer = seats.viewer(game, call.caller, None, False)
    visible = await shown_game(call.area(LiveParts).replays, game, viewer)
    names = await call.accounts.shown_names(shapes.people_of(visible))
    where = f"/v1/games/{game.id}"
    return reply(shapes.look(visible, viewer, own, names), status, ETag=headers.etag(visible.version), Location=where)


async def opened_before(call: Call[Any, Any]) -> Game | None:
    """The game that the first use of the request's idempotency key opened or changed, as it stood then."""
    if (first := keyed_writes.first_use()) is None:
        return None
    records = await call.store.records(first.stream)
    return fold(record for record in records if record.version <= first.last_version)


async def first_answer(call: Call[Any, Any]) -> Response[bytes] | None:
    """The answer of `reply_opened` or `reply_found` to the first use of the request's idempotency key, if this repeats
    it."""
    first, game = keyed_writes.first_use(), await opened_before(call)
    return None if first is None or game is None else await reply_opened(call, game, 200 if first.answer else 201)


async def reply_found(call: Call[Any, Any], game: Game) -> Response[bytes]:
    """The answer with a game that was there already; the request's idempotency key is kept for it."""
    if companions := keyed_writes.companions(game.id, 1, game.version, b"200"):
        await call.store.append([], companions)
    return await reply_opened(call, game, 200)


def opened_answer(says: str) -> Answer:
    """The description of an answer by `reply_opened`."""
    return Answer(type=shapes.GameLook, says=says, headers=headers.ETAG | headers.LOCATION, links=examples.GAME_LINKS)


S = TypeVar("S", bound=Struct)
MOST_DAYS = 366 * 1000
Number = Annotated[float, Meta(description="Rounded to six places.")]


class RatingShown(Struct, frozen=True):
    """Skill and its uncertainty; `ordinal` is mu less three sigma, rounded to two places: what orders people."""

    mu: Number
    sigma: Number
    ordinal: float


def show_rating(rating: Rating) -> RatingShown:
    """The API's form of a rating."""
    return RatingShown(rating.mu / 10**6, rating.sigma / 10**6, rating.ordinal / 100)


def fill_struct(kind: type[S], source: object, /, **others: Any) -> S:
    """A struct with these fields; those not given are the source's of the same name.

    Rows of long lists name their fields one by one: that takes a third of the time.
    """
    same = {name: getattr(source, name) for name in kind.__struct_fields__ if name not in others}
    return kind(**same, **others)


def micros(moment: datetime) -> int:
    """Microseconds since 1970 of a moment; one without a time zone is UTC. Raises Refused for a time out of range."""
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since = zoned - datetime(1970, 1, 1, tzinfo=UTC)
    if not timedelta() <= since < timedelta(days=MOST_DAYS):
        raise Refused("malformed", f"A moment is between 1970 and {1970 + MOST_DAYS // 366}.")
    return since // timedelta(microseconds=1)
