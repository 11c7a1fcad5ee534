"""Scoreboards: the life-time board of each game type, and one player's rows on all of them."""

from typing import Any
from uuid import UUID

from litestar import Response

from domain.games import GAME_TYPES
from projections.boards.scoreboards import SCOREBOARDS, board, played_games
from projections.boards.standings import LIFE_TIME
from service.api.boards import scoreboard_shapes as shapes
from service.api.boards.texts import board_csv, board_text
from service.api.paging import PageQuery, next_cursor, page_cursor
from service.api.tabular import MEDIA_TYPES, tabular_response
from service.http.negotiation import choose_media_type
from service.http.operation import Answer, Call, operation, reply
from service.http.services import Services
from service.problems import Refused

TAG = "scoreboards"


@operation(
    id="get_scoreboard", may_lag=True, method="GET", path="/v1/scoreboards/{key:str}", tag=TAG, query=PageQuery,
    answers={200: Answer(type=shapes.Board, says="A page of the board.", media_types=MEDIA_TYPES)},
    problems=("no_such_thing", "not_acceptable"),
)  # fmt: skip
async def get_scoreboard(call: Call[None, PageQuery]) -> Response[Any]:
    """Show the life-time board of a game type, ranked by the Wilson lower bound of the win rate of clean games.

    JSON, CSV (`Accept: text/csv`) or text. Nobody is listed where several play, for a win rate tells whom one has
    chosen as opponents: the ladder ranks them. Each player's own row has its numbers all the same. Where one plays
    alone, an attempt counts from its first move on: given up, or left for a day, it is lost.
    """
    media_type = choose_media_type(call, *MEDIA_TYPES)
    made = await board_of(call.services, call.request.path_params["key"], call.query)
    return tabular_response(media_type, made, board_csv, board_text)


async def board_of(services: Services, game_type: str, query: PageQuery) -> shapes.Board:
    """A page of the board of this game type; raises Refused where there is none."""
    key = _require_game_type(game_type)
    async with services.reads.of(SCOREBOARDS) as found:
        page = await found.page(board(key), query.limit, page_cursor(query))
        listed, position = await found.size(board(key)), str(found.position)
    names = await services.accounts.names([row.document.player for row in page.rows])
    rows = tuple(shapes.board_row(one.document, one.rank, names) for one in page.rows)
    return shapes.Board(
        game_type=key, rules=LIFE_TIME.id, least_games=LIFE_TIME.least_games, listed=listed, rows=rows,
        next=next_cursor(page.after), log_position=position,
    )  # fmt: skip


@operation(
    id="get_player_scores", may_lag=True, method="GET", path="/v1/players/{player_id:uuid}/scores", tag=TAG,
    answers={200: Answer(type=shapes.PlayerBoards, says="The player's rows.")}, problems=("no_such_thing",),
)  # fmt: skip
async def get_player_scores(call: Call[None, None]) -> Response[bytes]:
    """Show one player's row on every board, listed or not."""
    player = (await call.services.accounts.player(call.id("player_id"))).id
    return reply(await rows_of(call.services, player))


async def rows_of(services: Services, player: UUID) -> shapes.PlayerBoards:
    """The rows of a player."""
    names = await services.accounts.names([player])
    rows: list[shapes.Row] = []
    async with services.reads.of(SCOREBOARDS) as found:
        for key in GAME_TYPES:
            if (standing := await found.document(board(key), str(player))) is not None:
                rows.append(shapes.board_row(standing, await found.rank(board(key), str(player)), names))
        return shapes.PlayerBoards(player, LIFE_TIME.id, tuple(rows), str(found.position))


@operation(
    may_lag=True,
    id="list_counted_games", method="GET", path="/v1/players/{player_id:uuid}/scores/{key:str}/games", tag=TAG,
    access="optional", query=PageQuery, problems=("no_such_thing",),
    answers={200: Answer(type=shapes.CountedGames, says="The counted games.")},
)  # fmt: skip
async def list_counted_games(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the games behind a player's row, newest first: everybody may look at them."""
    return reply(await counted_games_of(call))


async def counted_games_of(call: Call[Any, PageQuery]) -> shapes.CountedGames:
    """A page of the counted games of the player and the game type in the path."""
    key = _require_game_type(call.request.path_params["key"])
    player = (await call.services.accounts.player(call.id("player_id"))).id
    async with call.services.reads.of(SCOREBOARDS) as found:
        page = await found.page(played_games(player, key), call.query.limit, page_cursor(call.query))
        games = tuple(shapes.counted_game(one.document) for one in page.rows)
        return shapes.CountedGames(LIFE_TIME.id, games, next_cursor(page.after), str(found.position))


def _require_game_type(key: str) -> str:
    if key not in GAME_TYPES:
        raise Refused("no_such_thing", "There is no such game type.")
    return key


HANDLERS = (get_scoreboard, get_player_scores, list_counted_games)
