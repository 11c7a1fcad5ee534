"""Ladders: ratings of those who play against each other, and the games behind them."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.games import GAME_TYPES
from domain.league.rules import LADDER
from projections.ladders import LADDERS, LadderRow, Rated, history, ladder
from projections.ratings import Rating
from service import wire
from service.operation import Answer, Call, operation, reply
from service.problems import Refused
from service.resources.league_shapes import Person, person
from service.resources.pages import LogPosition, PageQuery, after, following

TAG = "ladders"
Number = Annotated[float, Meta(description="Rounded to six places.")]


class RatingShown(Struct, frozen=True):
    """Skill and its uncertainty; `ordinal` is mu less three sigma, rounded to two places: what orders people."""

    mu: Number
    sigma: Number
    ordinal: float


class LadderEntry(Struct, frozen=True, kw_only=True):
    """A player on a ladder; `rank` None while provisional, or after a time without a rated game."""

    rank: int | None
    player: Person
    game_type: str
    rating: RatingShown
    games: int
    provisional: bool
    active: bool
    last_game_at: datetime


class Ladder(Struct, frozen=True, kw_only=True):
    """A page of a ladder, best first; equal rows share the rank."""

    game_type: str
    rules: Annotated[str, Meta(description="The named, versioned rules, with the package's version in the name.")]
    listed: int
    rows: tuple[LadderEntry, ...]
    next: str | None
    log_position: LogPosition


class PlayerLadders(Struct, frozen=True):
    """One player's ratings, by game type."""

    player: UUID
    rows: tuple[LadderEntry, ...]
    log_position: LogPosition


class RatedGameShown(Struct, frozen=True, kw_only=True):
    """A rated game, and what it made of the rating; the game is not named to others where it is not public."""

    game: UUID | None
    number: int
    at: datetime
    place: int
    opponents: tuple[Person, ...]
    before: RatingShown
    after: RatingShown


class RatedGames(Struct, frozen=True):
    """The games behind a rating, newest first."""

    games: tuple[RatedGameShown, ...]
    next: str | None
    log_position: LogPosition


@operation(
    id="get_ladder", method="GET", path="/v1/ladders/{key:str}", tag=TAG, query=PageQuery,
    answers={200: Answer(type=Ladder, says="A page of the ladder.")}, problems=("no_such_thing",),
)  # fmt: skip
async def ladder_(call: Call[None, PageQuery]) -> Response[bytes]:
    """Show a game type's ladder: players by rating less three times its uncertainty (OpenSkill)."""
    key = _known(call.request.path_params["key"])
    async with call.services.reads.of(LADDERS) as found:
        page = await found.page(ladder(key), call.query.limit, after(call.query))
        listed, position = await found.size(ladder(key)), str(found.position)
    names = await call.services.accounts.names([one.document.player for one in page.rows])
    rows = tuple(_entry(one.document, one.rank, names) for one in page.rows)
    return reply(Ladder(
        game_type=key, rules=LADDER.id, listed=listed, rows=rows, next=following(page.after), log_position=position,
    ))  # fmt: skip


@operation(
    id="get_player_ladders", method="GET", path="/v1/players/{player_id:uuid}/ladders", tag=TAG,
    answers={200: Answer(type=PlayerLadders, says="The player's ratings.")}, problems=("no_such_thing",),
)  # fmt: skip
async def player_ladders(call: Call[None, None]) -> Response[bytes]:
    """Show a player's rating in every game type they have played rated against others, listed or not."""
    player = (await call.services.accounts.player(call.id("player_id"))).id
    names = await call.services.accounts.names([player])
    rows: list[LadderEntry] = []
    async with call.services.reads.of(LADDERS) as found:
        for key in GAME_TYPES:
            if (row := await found.document(ladder(key), str(player))) is not None:
                rows.append(_entry(row, await found.rank(ladder(key), str(player)), names))
        return reply(PlayerLadders(player, tuple(rows), str(found.position)))


@operation(
    id="list_rated_games", method="GET", path="/v1/players/{player_id:uuid}/ladders/{key:str}/games", tag=TAG,
    access="optional", query=PageQuery, problems=("no_such_thing",),
    answers={200: Answer(type=RatedGames, says="The rated games.")},
)  # fmt: skip
async def rated_games(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the games behind a player's rating, newest first, each with the rating before and after it."""
    key = _known(call.request.path_params["key"])
    player = (await call.services.accounts.player(call.id("player_id"))).id
    own = call.caller is not None and call.caller.player == player
    async with call.services.reads.of(LADDERS) as found:
        page = await found.page(history(player, key), call.query.limit, after(call.query))
        position = str(found.position)
    names = await call.services.accounts.names([one for row in page.rows for one in row.document.opponents])
    games = tuple(_game(one.document, own, names) for one in page.rows)
    return reply(RatedGames(games, following(page.after), position))


def _known(key: str) -> str:
    if key not in GAME_TYPES or GAME_TYPES[key].seats[-1] < 2:
        raise Refused("no_such_thing", "There is no such ladder.")
    return key


def _rating(rating: Rating) -> RatingShown:
    return RatingShown(rating.mu / 10**6, rating.sigma / 10**6, rating.ordinal / 100)


def _entry(row: LadderRow, rank: int | None, names: dict[UUID, str]) -> LadderEntry:
    return LadderEntry(
        rank=rank, player=person(row.player, names), game_type=row.game_type, rating=_rating(row.rating),
        games=row.games, provisional=row.provisional, active=row.active, last_game_at=wire.moment(row.last_at),
    )  # fmt: skip


def _game(one: Rated, own: bool, names: dict[UUID, str]) -> RatedGameShown:
    return RatedGameShown(
        game=one.game if own or one.public else None, number=one.number, at=wire.moment(one.at), place=one.place,
        opponents=tuple(person(other, names) for other in one.opponents), before=_rating(one.before),
        after=_rating(one.after),
    )  # fmt: skip


HANDLERS = (ladder_, player_ladders, rated_games)
