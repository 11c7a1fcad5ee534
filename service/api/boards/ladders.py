"""Ladders: ratings of those who play against each other, and the games behind them; as JSON, CSV and text."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.games import GAME_TYPES
from domain.league.rules import LADDER
from projections.ladders.ladder_projection import LADDERS, LadderRow, RatedGame, games, history, ladder
from service.accounts.names import Names, Person, people, person
from service.accounts.players import Accounts
from service.api.paging import LogPosition, PageQuery, next_cursor, page_cursor
from service.api.tabular import MEDIA_TYPES, csv_text, placed_rows, safe_name, short_name, tabular_response, text_page
from service.api.viewing import RatingShown, show_rating
from service.http.operation import Answer, Call, operation, reply
from service.http.representation import choose_media_type
from service.live import shapes
from service.problems import Refused
from service.workers.reads import Reads

TAG = "ladders"
Weight = Annotated[
    float,
    Meta(
        description="The weight of the game in the rating, 0 to 1: little against an opponent with few rated games, "
        "or one met again and again."
    ),
]
Weights = Annotated[float, Meta(description="What all the rated games weigh together: at most as many as they are.")]
Rules = Annotated[str, Meta(description="The named, versioned rules, with the package's version in the name.")]


class LadderEntry(Struct, frozen=True, kw_only=True):
    """A player on a ladder; `rank` None while provisional, or after a time without a rated game."""

    rank: int | None
    player: Person
    game_type: str
    rating: RatingShown
    games: int
    weight: Weights
    provisional: bool
    active: bool
    last_game_at: shapes.Time


class Ladder(Struct, frozen=True, kw_only=True):
    """A page of a ladder, best first; equal rows share the rank."""

    game_type: str
    rules: Rules
    listed: int
    rows: tuple[LadderEntry, ...]
    next: str | None
    log_position: LogPosition


class PlayerLadders(Struct, frozen=True):
    """One player's ratings, by game type."""

    player: Person
    rules: Rules
    rows: tuple[LadderEntry, ...]
    log_position: LogPosition


class RatedGameShown(Struct, frozen=True, kw_only=True):
    """A rated game, with the rating before and after it."""

    game_id: UUID
    number: int
    weight: Weight
    at: shapes.Time
    place: int
    opponents: tuple[Person, ...]
    before: RatingShown
    after: RatingShown


class RatedGames(Struct, frozen=True):
    """The games that make a rating, newest first."""

    rules: Rules
    games: tuple[RatedGameShown, ...]
    next: str | None
    log_position: LogPosition


@operation(
    id="get_ladder", may_lag=True, method="GET", path="/v1/ladders/{game_type:str}", tag=TAG, query=PageQuery,
    answers={200: Answer(type=Ladder, says="A page of the ladder.", media_types=MEDIA_TYPES)},
    problems=("not_acceptable",),
)  # fmt: skip
async def get_ladder(call: Call[None, PageQuery]) -> Response[Any]:
    """Show a game type's ladder: players by rating less three times its uncertainty (OpenSkill).

    JSON, CSV (`Accept: text/csv`) or text. Players with too few rated games, or none for a time, are not listed. A game
    changes a rating by its weight: little against an opponent with few rated games, or one met again and again. So
    a player who has only beaten new accounts is not listed.
    """
    media_type = choose_media_type(call, *MEDIA_TYPES)
    made = await ladder_of(call.reads, call.accounts, call.request.path_params["game_type"], call.query)
    return tabular_response(media_type, made, ladder_csv, ladder_text)


async def ladder_of(reads: Reads, accounts: Accounts, game_type: str, query: PageQuery) -> Ladder:
    """A page of the ladder of this game type; raises Refused where there is none."""
    key = _require_ladder(game_type)
    async with reads.of(LADDERS) as snapshot:
        page = await snapshot.page(ladder(key), query.limit, page_cursor(query))
        listed, position = await snapshot.size(ladder(key)), str(snapshot.position)
    names = await accounts.names([row.document.player for row in page.rows])
    rows = tuple(_entry(row.document, row.rank, names) for row in page.rows)
    return Ladder(
        game_type=key, rules=LADDER.id, listed=listed, rows=rows, next=next_cursor(page.after), log_position=position,
    )  # fmt: skip


@operation(
    id="get_player_ladders", may_lag=True, method="GET", path="/v1/players/{player_id:uuid}/ladders", tag=TAG,
    answers={200: Answer(type=PlayerLadders, says="The player's ratings.")},
)  # fmt: skip
async def get_player_ladders(call: Call[None, None]) -> Response[bytes]:
    """Show a player's rating in every game type they have played rated against others, listed or not."""
    player = (await call.accounts.player(call.id("player_id"))).id
    return reply(await ratings_of(call.reads, call.accounts, player))


async def ratings_of(reads: Reads, accounts: Accounts, player: UUID) -> PlayerLadders:
    """The player's ratings, listed or not."""
    names = await accounts.names([player])
    rows: list[LadderEntry] = []
    async with reads.of(LADDERS) as snapshot:
        for key in GAME_TYPES:
            if (row := await snapshot.document(ladder(key), str(player))) is not None:
                rows.append(_entry(row, await snapshot.rank(ladder(key), str(player)), names))
        return PlayerLadders(person(player, names), LADDER.id, tuple(rows), str(snapshot.position))


@operation(
    id="list_rated_games", may_lag=True, method="GET",
    path="/v1/players/{player_id:uuid}/ladders/{game_type:str}/games", tag=TAG, access="optional", query=PageQuery,
    answers={200: Answer(type=RatedGames, says="The rated games.")},
)  # fmt: skip
async def list_rated_games(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the games behind a player's rating, newest first, each with its weight, the rating before and after."""
    return reply(await rated_games_of(call))


async def rated_games_of(call: Call[Any, PageQuery]) -> RatedGames:
    """A page of the rated games of the player and the game type in the path."""
    key = _require_ladder(call.request.path_params["game_type"])
    player = (await call.accounts.player(call.id("player_id"))).id
    async with call.reads.of(LADDERS) as snapshot:
        page = await snapshot.gather([history(player, key)], games(key), call.query.limit, page_cursor(call.query))
        position = str(snapshot.position)
    names = await call.accounts.names([holder for game in page.documents for holder in game.players])
    rows = tuple(_rated_game(game, player, names) for game in page.documents)
    return RatedGames(LADDER.id, rows, next_cursor(page.after), position)


def _require_ladder(key: str) -> str:
    if key not in GAME_TYPES or GAME_TYPES[key].seats[-1] < 2:
        raise Refused("no_such_thing", "There is no such ladder.")
    return key


def _entry(row: LadderRow, rank: int | None, names: Names) -> LadderEntry:
    return LadderEntry(
        rank=rank, player=person(row.player, names), game_type=row.game_type, rating=show_rating(row.rating),
        games=row.games, weight=row.weight / 10**6, provisional=row.provisional, active=row.active,
        last_game_at=shapes.moment(row.last_at),
    )  # fmt: skip


def _rated_game(game: RatedGame, player: UUID, names: Names) -> RatedGameShown:
    seat = game.players.index(player)
    change = game.ratings[seat]
    return RatedGameShown(
        game_id=game.game, number=change.number, weight=change.weight / 10**6, at=shapes.moment(game.at),
        place=game.places[seat] + 1, before=show_rating(change.before), after=show_rating(change.after),
        opponents=people((other for other in game.players if other != player), names),
    )  # fmt: skip


_COLUMNS = (
    "rank", "player_id", "name", "ordinal", "mu", "sigma", "games", "weight", "last_game_at", "rules", "log_position",
)  # fmt: skip


def ladder_csv(ladder: Ladder) -> str:
    """One line a player under a header line; each has the rules and the log position."""
    rated = ((row, row.rating, (row.player.id, safe_name(row.player.name))) for row in ladder.rows)
    return csv_text(_COLUMNS, (
        (row.rank, *player, rating.ordinal, rating.mu, rating.sigma, row.games, row.weight,
         row.last_game_at.isoformat(), ladder.rules, ladder.log_position)
        for row, rating, player in rated
    ))  # fmt: skip


def ladder_text(ladder: Ladder) -> str:
    """The page of the ladder as lines."""
    head = [f"Ladder of {ladder.game_type}, rules {ladder.rules}.", ""]
    lines = [f"{'':>5} {'':<24}{'rating':>8}{'mu':>8}{'sigma':>8}{'games':>7}{'weight':>8}"]
    for rank, row in placed_rows(ladder.rows, [row.rank for row in ladder.rows]):
        rating = f"{row.rating.ordinal:>8.2f}{row.rating.mu:>8.2f}{row.rating.sigma:>8.2f}"
        lines.append(f"{rank:>5} {short_name(row.player.name):<24}{rating}{row.games:>7}{row.weight:>8.2f}")
    return text_page([*head, *lines], ladder.next, ladder.log_position)
