"""Scoreboards: the life-time board of each game type, and one player's rows on all of them."""

from datetime import timedelta
from typing import Annotated
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.games import GAME_TYPES
from domain.record import Micros
from projections.scoreboards import SCOREBOARDS, board, played
from projections.standings import LIFE_TIME, Best, PlayedGame, Standing
from service.operation import Answer, Call, operation, reply
from service.problems import Refused
from service.resources.pages import LogPosition, PageQuery, after, following
from service.services import Services

TAG = "scoreboards"
Rate = Annotated[float, Meta(description="0 to 1, rounded to nine places.")]


class BestShown(Struct, frozen=True):
    """A best value and the game it was reached in; None where that game is not public."""

    value: float
    game: UUID | None


class Row(Struct, frozen=True, kw_only=True):
    """A player's row. `bound` is the Wilson 95 % lower bound of the win rate; `rank` None: not listed yet."""

    rank: int | None
    player: UUID
    name: str | None
    game_type: str
    games: int
    wins: int
    losses: int
    draws: int
    not_completed: int
    win_rate: Rate
    bound: Rate
    streak: int
    best_streak: int
    fewest_moves: BestShown | None
    shortest_seconds: BestShown | None
    best_score: BestShown | None


class Board(Struct, frozen=True, kw_only=True):
    """A page of a board, best first; ties share the rank. `next` is the cursor of the next page."""

    game_type: str
    rules: Annotated[str, Meta(description="The named, versioned rules of this board.")]
    least_games: Annotated[int, Meta(description="Games that a player needs to be listed.")]
    listed: int
    rows: tuple[Row, ...]
    next: str | None
    log_position: LogPosition


class PlayerBoards(Struct, frozen=True):
    """One player's rows, by game type."""

    player: UUID
    rows: tuple[Row, ...]
    log_position: LogPosition


class CountedGame(Struct, frozen=True, kw_only=True):
    """A game that counts, and what it contributes."""

    game: UUID | None
    outcome: str
    reason: str
    moves: int
    undos: int
    seconds: float
    score: int | None


class CountedGames(Struct, frozen=True):
    """The games behind a row, newest first: why the player stands there."""

    games: tuple[CountedGame, ...]
    next: str | None
    log_position: LogPosition


@operation(
    id="get_scoreboard", method="GET", path="/v1/scoreboards/{key:str}", tag=TAG, query=PageQuery,
    answers={200: Answer(type=Board, says="A page of the board.")}, problems=("no_such_thing",),
)  # fmt: skip
async def scoreboard(call: Call[None, PageQuery]) -> Response[bytes]:
    """Show the life-time board of a game type, ranked by the Wilson lower bound of the win rate."""
    return reply(await board_of(call.services, call.request.path_params["key"], call.query))


async def board_of(services: Services, game_type: str, query: PageQuery) -> Board:
    """A page of the board of this game type; raises Refused where there is none."""
    key = _known(game_type)
    async with services.reads.of(SCOREBOARDS) as found:
        page = await found.page(board(key), query.limit, after(query))
        listed, position = await found.size(board(key)), str(found.position)
    names = await services.accounts.names([row.document.player for row in page.rows])
    rows = tuple(_row(one.document, one.rank, names) for one in page.rows)
    return Board(
        game_type=key, rules=LIFE_TIME.id, least_games=LIFE_TIME.least_games, listed=listed, rows=rows,
        next=following(page.after), log_position=position,
    )  # fmt: skip


@operation(
    id="get_player_scores", method="GET", path="/v1/players/{player_id:uuid}/scores", tag=TAG,
    answers={200: Answer(type=PlayerBoards, says="The player's rows.")}, problems=("no_such_thing",),
)  # fmt: skip
async def player_scores(call: Call[None, None]) -> Response[bytes]:
    """Show one player's row on every board, listed or not."""
    player = (await call.services.accounts.player(call.id("player_id"))).id
    return reply(await rows_of(call.services, player))


async def rows_of(services: Services, player: UUID) -> PlayerBoards:
    """The rows of a player."""
    names = await services.accounts.names([player])
    rows: list[Row] = []
    async with services.reads.of(SCOREBOARDS) as found:
        for key in GAME_TYPES:
            if (standing := await found.document(board(key), str(player))) is not None:
                rows.append(_row(standing, await found.rank(board(key), str(player)), names))
        return PlayerBoards(player, tuple(rows), str(found.position))


@operation(
    id="list_counted_games", method="GET", path="/v1/players/{player_id:uuid}/scores/{key:str}/games", tag=TAG,
    access="optional", query=PageQuery, problems=("no_such_thing",),
    answers={200: Answer(type=CountedGames, says="The counted games.")},
)  # fmt: skip
async def counted_games(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the games behind a player's row, newest first; others see no id of a game that is not public."""
    key = _known(call.request.path_params["key"])
    player = (await call.services.accounts.player(call.id("player_id"))).id
    own = call.caller is not None and call.caller.player == player
    async with call.services.reads.of(SCOREBOARDS) as found:
        page = await found.page(played(player, key), call.query.limit, after(call.query))
        games = tuple(_counted(one.document, own) for one in page.rows)
        return reply(CountedGames(games, following(page.after), str(found.position)))


def _known(key: str) -> str:
    if key not in GAME_TYPES:
        raise Refused("no_such_thing", "There is no such game type.")
    return key


def _row(row: Standing, rank: int | None, names: dict[UUID, str]) -> Row:
    return Row(
        rank=rank,
        player=row.player,
        name=names.get(row.player),
        game_type=row.game_type,
        games=row.games,
        wins=row.wins,
        losses=row.losses,
        draws=row.draws,
        not_completed=row.not_completed,
        win_rate=row.win_rate / 10**9,
        bound=row.bound / 10**9,
        streak=row.streak,
        best_streak=row.best_streak,
        fewest_moves=_best(row.fewest_moves),
        shortest_seconds=_best(row.shortest, 10**6),
        best_score=_best(row.best_score),
    )


def _best(best: Best | None, unit: int = 1) -> BestShown | None:
    return None if best is None else BestShown(best.value / unit, best.game)


def _counted(game: PlayedGame, own: bool) -> CountedGame:
    return CountedGame(
        game=game.game if own or game.public else None,
        outcome=game.outcome,
        reason=game.reason,
        moves=game.moves,
        undos=game.undos,
        seconds=_seconds(game.took),
        score=game.score,
    )


def _seconds(micros: Micros) -> float:
    return timedelta(microseconds=micros).total_seconds()


HANDLERS = (scoreboard, player_scores, counted_games)
