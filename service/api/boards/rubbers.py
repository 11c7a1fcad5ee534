"""Rubbers of Bridge Solitaire: the scoresheet as JSON and on paper, a player's rubbers, and the back score."""

from uuid import UUID

from litestar import Response

from projections.rubbers.back_scores import RubberTotals
from projections.rubbers.paper import paper
from projections.rubbers.rubber_projection import RUBBERS, back_lines, rubbers, sheets, totals
from projections.rubbers.sheets import RubberSheet
from service.accounts.access import Caller
from service.api.boards import rubber_shapes as shapes
from service.api.paging import PageQuery, next_cursor, page_cursor
from service.http.negotiation import TEXT, choose_media_type
from service.http.operation import Answer, Call, operation, reply
from service.http.services import Services
from service.live import seats
from service.problems import Refused

TAG = "rubbers"


@operation(
    id="get_rubber", may_lag=True, method="GET", path="/v1/rubbers/{game_id:uuid}", tag=TAG, access="optional",
    answers={200: Answer(type=shapes.Rubber, says="The scoresheet.", media_types=("application/json", TEXT))},
    problems=("no_such_thing", "not_acceptable"),
)  # fmt: skip
async def get_rubber(call: Call[None, None]) -> Response[bytes] | Response[str]:
    """Show a rubber's scoresheet: JSON, or as it is written on paper (`Accept: text/plain`)."""
    media_type = choose_media_type(call, "application/json", TEXT)
    sheet, position = await sheet_of(call.services, call.caller, call.id("game_id"))
    if media_type == TEXT:
        return Response(paper(sheet.sheet), media_type="text/plain; charset=utf-8")
    return reply(shapes.rubber(sheet, sheet.sheet, position))


async def sheet_of(services: Services, caller: Caller | None, game_id: UUID) -> tuple[RubberSheet, str]:
    """The scoresheet of a game that the caller may see, and its log position; raises Refused."""
    game = seats.visible_game(await services.room.game(game_id), caller)
    async with services.reads.of(RUBBERS) as found:
        sheet, position = await found.document(sheets(), str(game.id)), str(found.position)
    if sheet is None:
        raise Refused("no_such_thing", "This game has no scoresheet.")
    return sheet, position


@operation(
    may_lag=True,
    id="list_rubbers", method="GET", path="/v1/players/{player_id:uuid}/rubbers", tag=TAG, access="optional",
    query=PageQuery, answers={200: Answer(type=shapes.RubberList, says="The player's rubbers.")},
    problems=("no_such_thing",),
)  # fmt: skip
async def list_rubbers(call: Call[None, PageQuery]) -> Response[bytes]:
    """List a player's rubbers, newest first; others see only the public ones."""
    player = (await call.services.accounts.player(call.id("player_id"))).id
    return reply(await rubbers_of(call.services, call.caller, player, call.query))


async def rubbers_of(services: Services, caller: Caller | None, player: UUID, query: PageQuery) -> shapes.RubberList:
    """A page of the player's rubbers; callers other than the player get only the public ones."""
    own = caller is not None and caller.player == player
    async with services.reads.of(RUBBERS) as found:
        page = await found.page(rubbers(player), query.limit, page_cursor(query))
        rows = tuple(shapes.row(one.document) for one in page.rows if own or one.document.public)
        return shapes.RubberList(rows, next_cursor(page.after), str(found.position))


@operation(
    may_lag=True,
    id="get_back_score", method="GET", path="/v1/players/{player_id:uuid}/back-score", tag=TAG, access="optional",
    query=PageQuery, answers={200: Answer(type=shapes.BackScore, says="The player's back score.")},
    problems=("no_such_thing",),
)  # fmt: skip
async def get_back_score(call: Call[None, PageQuery]) -> Response[bytes]:
    """Show a player's back score: rated rubbers that are over, each margin in hundreds, an odd fifty a hundred more."""
    player = (await call.services.accounts.player(call.id("player_id"))).id
    async with call.services.reads.of(RUBBERS) as found:
        life = await found.document(totals(), str(player)) or RubberTotals(player, "")
        page = await found.page(back_lines(player), call.query.limit, page_cursor(call.query))
        lines = tuple(shapes.line(one.document) for one in page.rows)
        return reply(shapes.back(life, lines, next_cursor(page.after), str(found.position)))


HANDLERS = (get_rubber, list_rubbers, get_back_score)
