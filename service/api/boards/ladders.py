"""Ladders: ratings of those who play against each other, and the games behind them."""

from typing import Any
from uuid import UUID

from litestar import Response

from domain.games import GAME_TYPES
from domain.league.rules import LADDER
from projections.ladders.documents import games, history, ladder
from projections.ladders.ladder_projection import LADDERS
from service.api.boards import ladder_shapes as shapes
from service.api.boards.texts import ladder_csv, ladder_text
from service.api.paging import PageQuery, next_cursor, page_cursor
from service.api.tabular import MEDIA_TYPES, tabular_response
from service.http.negotiation import choose_media_type
from service.http.operation import Answer, Call, operation, reply
from service.http.services import Services
from service.problems import Refused

TAG = "ladders"


@operation(
    id="get_ladder", may_lag=True, method="GET", path="/v1/ladders/{key:str}", tag=TAG, query=PageQuery,
    answers={200: Answer(type=shapes.Ladder, says="A page of the ladder.", media_types=MEDIA_TYPES)},
    problems=("no_such_thing", "not_acceptable"),
)  # fmt: skip
async def get_ladder(call: Call[None, PageQuery]) -> Response[Any]:
    """Show a game type's ladder: players by rating less three times its uncertainty (OpenSkill).

    JSON, CSV (`Accept: text/csv`) or text. Who has too few rated games, or none for a time, is not listed. A game
    changes a rating by its weight: little against an opponent of whom little is known, or whom one meets again and
    again. So nobody is listed who has only beaten new accounts.
    """
    media_type = choose_media_type(call, *MEDIA_TYPES)
    made = await ladder_of(call.services, call.request.path_params["key"], call.query)
    return tabular_response(media_type, made, ladder_csv, ladder_text)


async def ladder_of(services: Services, game_type: str, query: PageQuery) -> shapes.Ladder:
    """A page of the ladder of this game type; raises Refused where there is none."""
    key = _require_ladder(game_type)
    async with services.reads.of(LADDERS) as found:
        page = await found.page(ladder(key), query.limit, page_cursor(query))
        listed, position = await found.size(ladder(key)), str(found.position)
    names = await services.accounts.names([one.document.player for one in page.rows])
    rows = tuple(shapes.entry(one.document, one.rank, names) for one in page.rows)
    return shapes.Ladder(
        game_type=key, rules=LADDER.id, listed=listed, rows=rows, next=next_cursor(page.after), log_position=position,
    )  # fmt: skip


@operation(
    id="get_player_ladders", may_lag=True, method="GET", path="/v1/players/{player_id:uuid}/ladders", tag=TAG,
    answers={200: Answer(type=shapes.PlayerLadders, says="The player's ratings.")}, problems=("no_such_thing",),
)  # fmt: skip
async def get_player_ladders(call: Call[None, None]) -> Response[bytes]:
    """Show a player's rating in every game type they have played rated against others, listed or not."""
    player = (await call.services.accounts.player(call.id("player_id"))).id
    return reply(await ratings_of(call.services, player))


async def ratings_of(services: Services, player: UUID) -> shapes.PlayerLadders:
    """The player's ratings, listed or not."""
    names = await services.accounts.names([player])
    rows: list[shapes.LadderEntry] = []
    async with services.reads.of(LADDERS) as found:
        for key in GAME_TYPES:
            if (row := await found.document(ladder(key), str(player))) is not None:
                rows.append(shapes.entry(row, await found.rank(ladder(key), str(player)), names))
        return shapes.PlayerLadders(player, LADDER.id, tuple(rows), str(found.position))


@operation(
    may_lag=True,
    id="list_rated_games", method="GET", path="/v1/players/{player_id:uuid}/ladders/{key:str}/games", tag=TAG,
    access="optional", query=PageQuery, problems=("no_such_thing",),
    answers={200: Answer(type=shapes.RatedGames, says="The rated games.")},
)  # fmt: skip
async def list_rated_games(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the games behind a player's rating, newest first, each with its weight, the rating before and after."""
    return reply(await rated_games_of(call))


async def rated_games_of(call: Call[Any, PageQuery]) -> shapes.RatedGames:
    """A page of the rated games of the player and the game type in the path."""
    key = _require_ladder(call.request.path_params["key"])
    player = (await call.services.accounts.player(call.id("player_id"))).id
    async with call.services.reads.of(LADDERS) as found:
        page = await found.gathered([history(player, key)], games(key), call.query.limit, page_cursor(call.query))
        position = str(found.position)
    names = await call.services.accounts.names([one for game in page.documents for one in game.players])
    shown = tuple(shapes.game(one, player, names) for one in page.documents)
    return shapes.RatedGames(LADDER.id, shown, next_cursor(page.after), position)


def _require_ladder(key: str) -> str:
    if key not in GAME_TYPES or GAME_TYPES[key].seats[-1] < 2:
        raise Refused("no_such_thing", "There is no such ladder.")
    return key


HANDLERS = (get_ladder, get_player_ladders, list_rated_games)
