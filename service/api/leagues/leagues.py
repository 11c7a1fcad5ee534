"""Leagues and their members."""

from typing import Annotated, Any, Literal
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.league import decide
from domain.league import events as ev
from domain.league.aggregate import League, Season
from domain.league.events import Membership
from domain.league.rules import LEAGUE_RULES, BoxRules, DayRules
from projections.leagues.league_projection import LEAGUES_PROJECTION, all_leagues, leagues_of
from service import problems
from service.accounts.names import Names, Person, people, person
from service.api import headers
from service.api.paging import LogPosition, PageQuery, next_cursor, page_cursor
from service.api.viewing import fill_struct
from service.event_store import keyed_writes
from service.event_store.ids import uuid7
from service.http.operation import Answer, Call, operation, reply
from service.leagues.commands import LeagueParts, require_organiser
from service.live import shapes


class ReplacementShown(Struct, frozen=True):
    """`by` plays what `player` had left to play."""

    player: Person
    by: Person


class DivisionShown(Struct, frozen=True):
    """A division of a season: its number, from 0, the highest, and who played in it at the start."""

    number: int
    players: tuple[Person, ...]


class SeasonShown(Struct, frozen=True, kw_only=True):
    """A season in short: divisions as they were at its start. `left` have left the league since then."""

    number: int
    starts: shapes.Time
    ends: shapes.Time
    divisions: tuple[DivisionShown, ...]
    left: tuple[Person, ...]
    replaced: tuple[ReplacementShown, ...]
    fixtures: int
    contest_ids: tuple[UUID, ...]
    closed: bool
    decided: bool


class LeagueShown(Struct, frozen=True, kw_only=True):
    """A league: its rule set in full, its people, its seasons, oldest first."""

    id: UUID
    name: str
    kind: Literal["box", "same_deal"]
    game_type: str
    options: dict[str, Any]
    rules: BoxRules | DayRules
    membership: ev.Membership
    table: int
    rounds: int
    division_size: int
    move_seconds: int | None
    founded_at: shapes.Time
    organisers: tuple[Person, ...]
    members: tuple[Person, ...]
    invited: tuple[Person, ...]
    seasons: tuple[SeasonShown, ...]
    dissolved: bool
    version: int


class LeagueEntry(Struct, frozen=True, kw_only=True):
    """A league in a list."""

    id: UUID
    name: str
    kind: str
    game_type: str
    members: int
    season: int
    running: bool
    dissolved: bool


class LeagueList(Struct, frozen=True):
    """A page of leagues, newest first."""

    leagues: tuple[LeagueEntry, ...]
    next: str | None
    log_position: LogPosition


def people_of(league: League) -> list[UUID]:
    """All players whose names are needed to show a league."""
    divisions = [player for season in league.seasons for division in season.divisions for player in division]
    others = [player for each in league.seasons for player in (*each.left, *(change.by for change in each.replaced))]
    return list(dict.fromkeys((*league.organisers, *league.members, *league.invited, *divisions, *others)))


def shown_league(league: League, names: Names) -> LeagueShown:
    """A league as everybody sees it."""
    founded = league.founded
    return fill_struct(
        LeagueShown, founded, id=league.id, name=league.name,
        kind="box" if isinstance(founded.rules, BoxRules) else "same_deal", founded_at=shapes.moment(league.founded_at),
        organisers=people(league.organisers, names), members=people(league.members, names),
        invited=people(league.invited, names), seasons=tuple(_season(season, names) for season in league.seasons),
        dissolved=league.dissolved, version=league.version,
    )  # fmt: skip


def _season(season: Season, names: Names) -> SeasonShown:
    return fill_struct(
        SeasonShown, season, starts=shapes.moment(season.starts), ends=shapes.moment(season.ends),
        divisions=tuple(DivisionShown(at, people(players, names)) for at, players in enumerate(season.divisions)),
        left=people(season.left, names), contest_ids=season.contests,
        replaced=tuple(ReplacementShown(person(old.player, names), person(old.by, names)) for old in season.replaced),
        fixtures=len(season.fixtures), decided=season.decided is not None,
    )  # fmt: skip


TAG = "leagues"
Key = Annotated[str, Meta(max_length=40, pattern=problems.KEY, description="The game type.")]
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
    """The new league. Its rules and the options of its games cannot be changed later."""

    name: shapes.Name
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

    name: shapes.Name


class ReasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why."""

    reason: shapes.Reason


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


SHOWN = Answer(type=LeagueShown, says="The league.", links=LEAGUE_LINKS)
COMMAND: dict[str, Any] = {
    "tag": TAG, "access": "required", "scope": "leagues:organise", "answers": {200: SHOWN},
    "problems": ("illegal",),
}  # fmt: skip


@operation(
    id="found_league", method="POST", path="/v1/leagues", tag=TAG, access="required", scope="leagues:organise",
    body=FoundBody, problems=("illegal",), member_of_rule={
        **dict.fromkeys(("unknown_game_type", "pure_luck"), "game_type"), "options": "options",
        **dict.fromkeys(("unknown_rules", "two_players", "solo_only", "no_boards"), "rules"),
    }, answers={201: Answer(
        type=LeagueShown, says="The league is founded.", headers=headers.LOCATION, links=LEAGUE_LINKS,
    )}, examples={
        "a box league": {"name": "Thursday table", "game_type": "spite_and_malice", "rules": "box-units-3"},
        "same deals": {"name": "Patience club", "game_type": "klondike", "rules": "same-deal-1"},
    },
)  # fmt: skip
async def found_league(call: Call[FoundBody, None]) -> Response[bytes]:
    """Found a league. You are its organiser, and a member once you join."""
    founding = fill_struct(decide.Founding, call.body)
    league = await call.area(LeagueParts).leagues.open(uuid7(), decide.found_league(founding, call.player), call.player)
    return await league_response(call, league, 201, Location=f"/v1/leagues/{league.id}")


@operation(
    id="list_leagues", may_lag=True, method="GET", path="/v1/leagues", tag=TAG, query=LeaguesQuery,
    answers={200: Answer(type=LeagueList, says="A page of leagues.")},
)  # fmt: skip
async def list_leagues(call: Call[None, LeaguesQuery]) -> Response[bytes]:
    """List leagues, newest first."""
    return reply(await listed_leagues(call))


async def listed_leagues(call: Call[Any, LeaguesQuery]) -> LeagueList:
    """A page of leagues."""
    collection = all_leagues() if call.query.player_id is None else leagues_of(call.query.player_id)
    async with call.reads.of(LEAGUES_PROJECTION) as snapshot:
        page = await snapshot.page(collection, call.query.limit, page_cursor(call.query))
        rows = tuple(fill_struct(LeagueEntry, row.document, id=row.document.league) for row in page.rows)
        return LeagueList(rows, next_cursor(page.after), str(snapshot.position))


@operation(
    id="get_league", method="GET", path="/v1/leagues/{league_id:uuid}", tag=TAG, answers={200: SHOWN},
)  # fmt: skip
async def get_league(call: Call[None, None]) -> Response[bytes]:
    """Show a league: its rules, its people, its seasons."""
    return await league_response(call, await call.area(LeagueParts).leagues.of(call.id("league_id")))


@operation(
    id="rename_league", method="PATCH", path="/v1/leagues/{league_id:uuid}", body=LeagueNameBody, **COMMAND,
    examples={"a name": {"name": "Friday table"}},
)  # fmt: skip
async def rename_league(call: Call[LeagueNameBody, None]) -> Response[bytes]:
    """Give a league another name."""
    return await act_on_league(call, lambda league: decide.rename(league, call.body.name, call.player))


@operation(
    id="dissolve_league", method="POST", path="/v1/leagues/{league_id:uuid}/dissolve", body=ReasonBody, **COMMAND,
    examples={"a reason": {"reason": "We move on."}},
)  # fmt: skip
async def dissolve_league(call: Call[ReasonBody, None]) -> Response[bytes]:
    """End a league; its tables stay."""
    return await act_on_league(call, lambda league: decide.dissolve(league, call.body.reason, call.player))


async def act_on_league(call: Call[Any, Any], decision: Any) -> Response[bytes]:
    """Record a decision on the league in the path, and show the league."""
    league = await call.area(LeagueParts).leagues.act(call.id("league_id"), decision, call.player)
    return await league_response(call, league)


async def league_response(call: Call[Any, Any], league: League, status: int = 200, **more: str) -> Response[bytes]:
    """The league with its people's names."""
    names = await call.accounts.names(people_of(league))
    return reply(shown_league(league, names), status, **more)


_MEMBER = {"player_id": "01890000-0000-7000-8000-000000000000"}


class PlayerBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which player."""

    player_id: UUID


class RemovalBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a member is removed."""

    reason: shapes.Reason


_OWN = {**COMMAND, "scope": "leagues:join"}


@operation(id="join_league", method="POST", path="/v1/leagues/{league_id:uuid}/join", **_OWN)
async def join_league(call: Call[None, None]) -> Response[bytes]:
    """Join a league, if it is open or you are invited; you play from its next season on."""
    return await act_on_league(call, lambda league: decide.join(league, call.player))


@operation(id="leave_league", method="POST", path="/v1/leagues/{league_id:uuid}/leave", **_OWN)
async def leave_league(call: Call[None, None]) -> Response[bytes]:
    """Leave a league, and the season that runs.

    Before half of your fixtures are played, none of them counts for anybody; later those that are left go to your
    opponents.
    """
    return await act_on_league(call, lambda league: decide.leave(league, call.player))


@operation(
    id="remove_member", method="POST", path="/v1/leagues/{league_id:uuid}/members/{player_id:uuid}/remove",
    body=RemovalBody, **COMMAND, examples={"a reason": {"reason": "Never came."}},
)  # fmt: skip
async def remove_member(call: Call[RemovalBody, None]) -> Response[bytes]:
    """Remove a member, with the same consequences as leaving. For organisers."""
    player = call.id("player_id")
    return await act_on_league(call, lambda league: decide.remove(league, player, call.body.reason, call.player))


@operation(
    id="invite_to_league", method="POST", path="/v1/leagues/{league_id:uuid}/invitations", **COMMAND,
    body=PlayerBody, member_of_rule=dict.fromkeys(("unknown_player", "member", "already_invited"), "player_id"),
    examples={"a player": _MEMBER},
)  # fmt: skip
async def invite_member(call: Call[PlayerBody, None]) -> Response[bytes]:
    """Invite a player to join. For organisers."""
    await require_player(call, call.body.player_id)
    return await act_on_league(call, lambda league: decide.invite(league, call.body.player_id, call.player))


@operation(
    id="withdraw_league_invitation", method="DELETE", path="/v1/leagues/{league_id:uuid}/invitations/{player_id:uuid}",
    **COMMAND,
)  # fmt: skip
async def delete_invitation(call: Call[None, None]) -> Response[bytes]:
    """Withdraw an invitation, or decline your own."""
    player = call.id("player_id")
    return await act_on_league(call, lambda league: decide.withdraw_invitation(league, player, call.player))


@operation(
    id="appoint_organiser", method="POST", path="/v1/leagues/{league_id:uuid}/organisers", **COMMAND, body=PlayerBody,
    member_of_rule=dict.fromkeys(("unknown_player", "organiser"), "player_id"), examples={"a player": _MEMBER},
)  # fmt: skip
async def post_organiser(call: Call[PlayerBody, None]) -> Response[bytes]:
    """Name another organiser. For organisers."""
    await require_player(call, call.body.player_id)
    return await act_on_league(call, lambda league: decide.name_organiser(league, call.body.player_id, call.player))


@operation(
    id="dismiss_organiser",
    method="DELETE",
    path="/v1/leagues/{league_id:uuid}/organisers/{player_id:uuid}",
    **COMMAND,
)
async def delete_organiser(call: Call[None, None]) -> Response[bytes]:
    """Take an organiser's role away, or give up your own; one organiser stays."""
    player = call.id("player_id")
    return await act_on_league(call, lambda league: decide.dismiss_organiser(league, player, call.player))


async def require_player(call: Call[Any, Any], player: UUID) -> None:
    """Raises Illegal if there is no such player; organisers alone learn that."""
    require_organiser(await call.area(LeagueParts).leagues.of(call.id("league_id")), call.player)
    if keyed_writes.first_use() is None and player not in await call.accounts.names([player]):
        raise Illegal("unknown_player", "There is no such player.")
