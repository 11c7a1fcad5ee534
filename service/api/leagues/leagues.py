"""Leagues: found, list, look, rename, dissolve."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.league import decide
from domain.league.aggregate import League
from domain.league.events import Membership
from domain.league.rules import LEAGUE_RULES
from projections.leagues.documents import all_leagues, leagues_of
from projections.leagues.league_projection import LEAGUES_PROJECTION
from service.api import headers
from service.api.leagues import league_shapes as shapes
from service.api.paging import PageQuery, next_cursor, page_cursor
from service.api.showing import fill_struct
from service.event_store.ids import uuid7
from service.http.operation import Answer, Call, operation, reply
from service.live import shapes as wire
from service.problems import patterns

TAG = "leagues"
Key = Annotated[str, Meta(max_length=40, pattern=patterns.KEY, description="The game type.")]
Rules = Annotated[
    str,
    Meta(
        max_length=60,
        description="A rule set: `/leagues/rules` works each of them out.",
        examples=["box-units-3"],
        extra_json_schema={"enum": list(LEAGUE_RULES)},
    ),
]


class FoundBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The league that you found. What a league's games are played with is fixed with it."""

    name: wire.Name
    game_type: Key
    options: Annotated[dict[str, Any], Meta(description="As when a game is opened.")] = {}
    rules: Rules
    membership: Annotated[Membership, Meta(description="Whether anybody may join.")] = "open"
    table: Annotated[int, Meta(ge=1, le=5, description="Seats at one game.")] | None = None
    rounds: Annotated[int, Meta(ge=1, le=10, description="How often the same players meet.")] = 1
    division_size: Annotated[int, Meta(ge=2, le=50, description="Players of a division.")] = 6
    move_seconds: Annotated[int, Meta(ge=5, le=30 * 86_400, description="Seconds for each move.")] | None = None


class LeagueNameBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A new name."""

    name: wire.Name


class ReasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why."""

    reason: wire.Reason


class LeaguesQuery(PageQuery, frozen=True, forbid_unknown_fields=True):
    """Which leagues."""

    player_id: (
        Annotated[UUID, Meta(description="Only those this player organises, plays in or is invited to.")] | None
    ) = None


_LEAGUE = {"league_id": "$response.body#/id"}
_SEASON = _LEAGUE | {"season": "1"}
_OF_SEASON = {"league_id": "$response.body#/league_id", "season": "$response.body#/season"}
_FIXTURE = {"league_id": "$response.body#/league_id", "fixture_id": "$response.body#/fixtures/0/id"}
_PLAYER = _LEAGUE | {"player_id": "$response.body#/organisers/0/id"}


def _links(parameters: dict[str, Any], **says: str) -> dict[str, Any]:
    return {name: {"operationId": name, "parameters": parameters, "description": text} for name, text in says.items()}


LEAGUE_LINKS: dict[str, Any] = {
    **_links(
        _LEAGUE, get_league="Look at the league.", join_league="Join it.", leave_league="Leave it.",
        rename_league="Give it another name.", invite_to_league="Invite somebody.",
        appoint_organiser="Name an organiser.",
        open_season="Open the next season.", list_league_rulings="Its own rulings.", dissolve_league="End it.",
    ),
    **_links(
        _PLAYER, remove_member="Remove a member.", dismiss_organiser="Take an organiser's role away.",
        withdraw_league_invitation="Withdraw an invitation.",
    ),
    **_links(
        {"player_id": _PLAYER["player_id"]}, get_reliability="An organiser's reliability.",
        get_player_ladders="An organiser's ratings.",
    ),
    **_links(
        _SEASON, close_season="Close the first season.", get_tables="Its tables.", list_fixtures="Its fixtures.",
        get_promotions="Who moves after it.",
    ),
}  # fmt: skip

FIXTURE_LINKS: dict[str, Any] = _links(
    _FIXTURE, open_fixture="Open the first one's game.", award_fixture="Give it to who was there.",
    cancel_fixture="Say that it was not played.", reopen_fixture="Take that back.",
) | _links(_OF_SEASON, get_tables="The season's tables.")  # fmt: skip


SHOWN = Answer(type=shapes.LeagueShown, says="The league.", links=LEAGUE_LINKS)
WRITTEN: dict[str, Any] = {
    "tag": TAG, "access": "required", "scope": "leagues:organise", "answers": {200: SHOWN},
    "problems": ("no_such_thing", "illegal"),
}  # fmt: skip


@operation(
    id="found_league", method="POST", path="/v1/leagues", tag=TAG, access="required", scope="leagues:organise",
    body=FoundBody, problems=("illegal",),
    blames={
        **dict.fromkeys(("unknown_game_type", "pure_luck"), "game_type"), "options": "options",
        **dict.fromkeys(("unknown_rules", "two_players", "solo_only", "no_boards"), "rules"),
    },
    answers={201: Answer(
        type=shapes.LeagueShown, says="The league is founded.", headers=headers.LOCATION, links=LEAGUE_LINKS,
    )},
    examples={
        "a box league": {"name": "Thursday table", "game_type": "spite_and_malice", "rules": "box-units-3"},
        "same deals": {"name": "Patience club", "game_type": "klondike", "rules": "same-deal-1"},
    },
)  # fmt: skip
async def found_league(call: Call[FoundBody, None]) -> Response[bytes]:
    """Found a league. You are its organiser, and a member once you join."""
    wanted = fill_struct(decide.Founding, call.body)
    league = await call.services.leagues.open(uuid7(), decide.found_league(wanted, call.player), call.player)
    return await league_response(call, league, 201, Location=f"/v1/leagues/{league.id}")


@operation(
    id="list_leagues", may_lag=True, method="GET", path="/v1/leagues", tag=TAG, query=LeaguesQuery,
    answers={200: Answer(type=shapes.LeagueList, says="A page of leagues.")},
)  # fmt: skip
async def list_leagues(call: Call[None, LeaguesQuery]) -> Response[bytes]:
    """List leagues, newest first."""
    return reply(await listed_leagues(call))


async def listed_leagues(call: Call[Any, LeaguesQuery]) -> shapes.LeagueList:
    """A page of leagues."""
    collection = all_leagues() if call.query.player_id is None else leagues_of(call.query.player_id)
    async with call.services.reads.of(LEAGUES_PROJECTION) as found:
        page = await found.page(collection, call.query.limit, page_cursor(call.query))
        rows = tuple(fill_struct(shapes.LeagueEntry, one.document, id=one.document.league) for one in page.rows)
        return shapes.LeagueList(rows, next_cursor(page.after), str(found.position))


@operation(
    id="get_league", method="GET", path="/v1/leagues/{league_id:uuid}", tag=TAG, answers={200: SHOWN},
    problems=("no_such_thing",),
)  # fmt: skip
async def get_league(call: Call[None, None]) -> Response[bytes]:
    """Show a league: its rules, its people, its seasons."""
    return await league_response(call, await call.services.leagues.of(call.id("league_id")))


@operation(
    id="rename_league", method="PATCH", path="/v1/leagues/{league_id:uuid}", body=LeagueNameBody, **WRITTEN,
    examples={"a name": {"name": "Friday table"}},
)  # fmt: skip
async def rename_league(call: Call[LeagueNameBody, None]) -> Response[bytes]:
    """Give a league another name."""
    return await act_on_league(call, lambda league: decide.rename(league, call.body.name, call.player))


@operation(
    id="dissolve_league", method="POST", path="/v1/leagues/{league_id:uuid}/dissolve", body=ReasonBody, **WRITTEN,
    examples={"a reason": {"reason": "We move on."}},
)  # fmt: skip
async def dissolve_league(call: Call[ReasonBody, None]) -> Response[bytes]:
    """End a league; its tables stay."""
    return await act_on_league(call, lambda league: decide.dissolve(league, call.body.reason, call.player))


async def act_on_league(call: Call[Any, Any], decision: Any) -> Response[bytes]:
    """Record what is decided of the league in the path, and show it."""
    league = await call.services.leagues.act(call.id("league_id"), decision, call.player)
    return await league_response(call, league)


async def league_response(call: Call[Any, Any], league: League, status: int = 200, **more: str) -> Response[bytes]:
    """The league with its people's names."""
    names = await call.services.accounts.names(shapes.people_of(league))
    return reply(shapes.league(league, names), status, **more)


HANDLERS = (found_league, list_leagues, get_league, rename_league, dissolve_league)
