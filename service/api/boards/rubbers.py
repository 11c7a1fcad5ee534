"""Rubbers of Bridge Solitaire: the scoresheet as JSON and on paper, a player's rubbers, and the back score."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.games.bridge_solitaire.state import Column, Contract, Entry, Side
from domain.play.events import Visibility
from projections.rubbers import rubber_projection as projection
from projections.rubbers.sheets import GameWon, RubberSheet, Status, ToGame, paper
from service.accounts.access import Caller
from service.accounts.names import Names, Person, person_if_any
from service.api.paging import LogPosition, PageQuery, next_cursor, page_cursor
from service.api.viewing import fill_struct
from service.http.operation import Answer, Call, operation, reply
from service.http.representation import TEXT, choose_media_type
from service.live import seats, shapes
from service.problems import Refused
from service.workers.reads import Reads

TAG = "rubbers"


class HandShown(Struct, frozen=True, kw_only=True):
    """A scored hand. `result` counts the declarer's tricks above or below what the contract needed."""

    number: int
    contract: Contract
    tricks_me: int
    tricks_it: int
    result: int
    vulnerable: tuple[Side, ...]
    finish: str


class Rubber(Struct, frozen=True, kw_only=True):
    """A rubber and its scoresheet. `net` is ME less IT.

    `entries` are all points ever written, each with its hand, side, place and kind. `to_game` and `if_stopped` (the
    premiums of a rubber that is left now, Law 80) are there while it is open.
    """

    game_id: UUID
    player: Person | None
    length: str
    status: Status
    voided: bool
    rated: bool
    visibility: Visibility
    opened_at: shapes.Time
    ended_at: shapes.Time | None
    me: Column
    it: Column
    net: int
    entries: tuple[Entry, ...]
    lines: Annotated[tuple[int, ...], Meta(description="Hands after which a line was drawn.")]
    games: tuple[GameWon, ...]
    hands: tuple[HandShown, ...]
    to_game: ToGame | None
    if_stopped: tuple[Entry, ...]
    log_position: LogPosition


class RubberEntry(Struct, frozen=True, kw_only=True):
    """A rubber in a player's list."""

    game_id: UUID
    status: Status
    opened_at: shapes.Time
    ended_at: shapes.Time | None
    hands: int
    games: tuple[Side, ...]
    me: int
    it: int
    net: int
    rated: bool


class RubberList(Struct, frozen=True):
    """A page of a player's rubbers, newest first."""

    rubbers: tuple[RubberEntry, ...]
    next: str | None
    log_position: LogPosition


class BackEntry(Struct, frozen=True, kw_only=True):
    """A line of the back score: a rubber's margin, exact and in hundreds, and the sums up to here."""

    game_id: UUID
    ended_at: shapes.Time
    status: Status
    net: int
    hundreds: int
    running_net: int
    running_hundreds: int


class BackScore(Struct, frozen=True, kw_only=True):
    """A player's back score, the last rubber first, with the life-time totals. `average` is points a rubber."""

    completed: int
    closed: int
    resigned: int
    won: int
    drawn: int
    lost: int
    won_two_nil: int
    net: int
    average: float
    best_net: int | None
    back_net: int
    back_hundreds: int
    entries: tuple[BackEntry, ...]
    next: str | None
    log_position: LogPosition


@operation(
    id="get_rubber", may_lag=True, method="GET", path="/v1/rubbers/{game_id:uuid}", tag=TAG, access="optional",
    answers={200: Answer(type=Rubber, says="The scoresheet.", media_types=("application/json", TEXT))},
    problems=("not_acceptable",),
)  # fmt: skip
async def get_rubber(call: Call[None, None]) -> Response[bytes] | Response[str]:
    """Show a rubber's scoresheet: JSON, or as it is written on paper (`Accept: text/plain`)."""
    media_type = choose_media_type(call, "application/json", TEXT)
    sheet, position = await sheet_of(call, call.id("game_id"))
    if media_type == TEXT:
        return Response(paper(sheet.sheet), media_type="text/plain; charset=utf-8")
    return reply(shown_rubber(sheet, position, await call.accounts.shown_names([sheet.player])))


async def sheet_of(call: Call[Any, Any], game_id: UUID) -> tuple[RubberSheet, str]:
    """The scoresheet of a game that the caller may see, and its log position; raises Refused."""
    game = seats.visible_game(await call.room.game(game_id), call.caller)
    async with call.reads.of(projection.RUBBERS) as snapshot:
        sheet, position = await snapshot.document(projection.sheets(), str(game.id)), str(snapshot.position)
    if sheet is None:
        raise Refused("no_such_thing", "This game has no scoresheet.")
    return sheet, position


@operation(
    id="list_rubbers", may_lag=True, method="GET", path="/v1/players/{player_id:uuid}/rubbers", tag=TAG,
    access="optional", query=PageQuery, answers={200: Answer(type=RubberList, says="The player's rubbers.")},
)  # fmt: skip
async def list_rubbers(call: Call[None, PageQuery]) -> Response[bytes]:
    """List a player's rubbers, newest first; others see only the public ones."""
    player = (await call.accounts.player(call.id("player_id"))).id
    return reply(await rubbers_of(call.reads, call.caller, player, call.query))


async def rubbers_of(reads: Reads, caller: Caller | None, player: UUID, query: PageQuery) -> RubberList:
    """A page of the player's rubbers; callers other than the player get only the public ones."""
    listed = projection.rubbers if caller is not None and caller.player == player else projection.public_rubbers
    async with reads.of(projection.RUBBERS) as snapshot:
        page = await snapshot.page(listed(player), query.limit, page_cursor(query))
        rows = tuple(fill_struct(RubberEntry, row.document, **_id_and_times(row.document)) for row in page.rows)
        return RubberList(rows, next_cursor(page.after), str(snapshot.position))


@operation(
    id="get_back_score", may_lag=True, method="GET", path="/v1/players/{player_id:uuid}/back-score", tag=TAG,
    access="optional", query=PageQuery, answers={200: Answer(type=BackScore, says="The player's back score.")},
)  # fmt: skip
async def get_back_score(call: Call[None, PageQuery]) -> Response[bytes]:
    """Show a player's back score: rated rubbers that are over, each margin in hundreds, an odd fifty a hundred more."""
    player = (await call.accounts.player(call.id("player_id"))).id
    async with call.reads.of(projection.RUBBERS) as snapshot:
        life = await snapshot.document(projection.totals(), str(player)) or projection.RubberTotals(player, "")
        page = await snapshot.page(projection.back_lines(player), call.query.limit, page_cursor(call.query))
        lines = tuple(
            fill_struct(BackEntry, line, game_id=line.game, ended_at=shapes.moment(line.ended_at))
            for line in (row.document for row in page.rows)
        )
        score = fill_struct(
            BackScore, life, average=life.average[0] / life.average[1], entries=lines, next=next_cursor(page.after),
            log_position=str(snapshot.position),
        )  # fmt: skip
        return reply(score)


def shown_rubber(rubber: RubberSheet, position: str, names: Names) -> Rubber:
    """The scoresheet as of this log position."""
    sheet = rubber.sheet
    return fill_struct(
        Rubber, rubber, **_id_and_times(rubber), player=person_if_any(rubber.player, names), me=sheet.me, it=sheet.it,
        entries=sheet.entries, lines=sheet.lines,
        hands=tuple(fill_struct(HandShown, hand, number=hand.hand) for hand in rubber.hands), log_position=position,
    )  # fmt: skip


def _id_and_times(rubber: RubberSheet | projection.RubberRow) -> dict[str, Any]:
    ended_at = None if rubber.ended_at is None else shapes.moment(rubber.ended_at)
    return {"game_id": rubber.game, "opened_at": shapes.moment(rubber.opened_at), "ended_at": ended_at}
