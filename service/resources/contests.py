"""Same-deal contests: the day's deals, a league's own, one attempt each, results and seasons."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.contest.aggregate import Announcement
from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.league import decide
from domain.league.rules import BoxRules, DayRules
from projections.days import (
    ATTEMPTS,
    CONTESTS,
    DAYS_PROJECTION,
    SCORES,
    ContestRow,
    SeasonRow,
    contest_list,
    league_season,
    public_season,
)
from projections.projection import Collection
from service import wire
from service.days import rules_of
from service.openings import fresh_secret
from service.operation import Answer, Call, operation, reply
from service.problems import Refused
from service.resources import contest_shapes as shapes
from service.resources import examples, headers
from service.resources.game_lists import Key
from service.resources.games import opened
from service.resources.league_shapes import micros
from service.resources.pages import PageQuery, after, following

TAG = "contests"
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$", description="A day of UTC: `2026-11-20`.")]
Month = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}$", description="A month of UTC: `2026-11`.")]


class ContestsQuery(PageQuery, frozen=True, forbid_unknown_fields=True):
    """Which contests: of a day, of a game type, or of a league; of today if none is named."""

    day: Day | None = None
    game_type: Key | None = None
    league: Annotated[UUID, Meta(description="A league's own contests.")] | None = None


class SeasonQuery(PageQuery, frozen=True, forbid_unknown_fields=True):
    """Which month; the one that it is if none is named."""

    month: Month | None = None


class LeagueContestBody(Struct, frozen=True, forbid_unknown_fields=True):
    """When a league's own contest is."""

    opens: datetime
    closes: datetime


@operation(
    id="list_contests", method="GET", path="/v1/contests", tag=TAG, access="optional", query=ContestsQuery,
    answers={200: Answer(type=shapes.ContestList, says="A page of contests.")},
)  # fmt: skip
async def contests(call: Call[None, ContestsQuery]) -> Response[bytes]:
    """List same-deal contests, newest first."""
    query = call.query
    wanted = contest_list(query.league or query.game_type or query.day or wire.today())
    async with call.services.reads.of(DAYS_PROJECTION) as found:
        page = await found.page(wanted, query.limit, after(query))
        rows = [await _shown(call, found, one.document) for one in page.rows]
        return reply(shapes.ContestList(tuple(rows), following(page.after), str(found.position)))


async def _shown(call: Call[Any, Any], found: Any, row: ContestRow) -> shapes.ContestShown:
    own = None if call.caller is None else await found.document(ATTEMPTS(row.contest), str(call.caller.player))
    return shapes.contest(row, None if own is None else own.play.game, str(found.position))


@operation(
    id="get_contest", method="GET", path="/v1/contests/{contest_id:uuid}", tag=TAG, access="optional",
    answers={200: Answer(type=shapes.ContestShown, says="The contest.")}, problems=("no_such_thing",),
)  # fmt: skip
async def contest(call: Call[None, None]) -> Response[bytes]:
    """Show a contest; its seed once it is closed."""
    async with call.services.reads.of(DAYS_PROJECTION) as found:
        row = await found.document(CONTESTS(), str(call.id("contest_id")))
        if row is None:
            raise Refused("no_such_thing", "There is no such contest.")
        return reply(await _shown(call, found, row))


@operation(
    id="enter_contest", method="POST", path="/v1/contests/{contest_id:uuid}/attempt", tag=TAG, access="required",
    scope="play", problems=("no_such_thing", "illegal"),
    answers={201: Answer(
        type=wire.GameLook, says="Your attempt.", headers=headers.ETAG | headers.LOCATION, links=examples.GAME_LINKS,
    )},
)  # fmt: skip
async def enter(call: Call[None, None]) -> Response[bytes]:
    """Be dealt the contest's cards: your one attempt that counts.

    Nobody else sees it before the contest is closed. Without a move it is no attempt; one that is not finished when
    the contest and its grace have passed is lost. Clean is what was played without undo.
    """
    await _member(call)
    step = await call.services.contests.enter(call.id("contest_id"), call.player)
    return await opened(call, step.game)


async def _member(call: Call[Any, Any]) -> None:
    """A league's contest is for those who play in its season."""
    said = (await call.services.contests.of(call.id("contest_id"))).announced
    if said.league is not None:
        league = await call.services.leagues.of(said.league)
        if call.player not in league.members:
            raise Illegal("members_only", "That contest is for members of its league.")


@operation(
    id="list_results", method="GET", path="/v1/contests/{contest_id:uuid}/results", tag=TAG, access="optional",
    query=PageQuery, answers={200: Answer(type=shapes.Results, says="A page of results.")},
    problems=("no_such_thing", "illegal"),
)  # fmt: skip
async def results(call: Call[None, PageQuery]) -> Response[bytes]:
    """List a closed contest's results, best first; matchpoints over everybody who is ranked."""
    async with call.services.reads.of(DAYS_PROJECTION) as found:
        row = await found.document(CONTESTS(), str(call.id("contest_id")))
        if row is None:
            raise Refused("no_such_thing", "There is no such contest.")
        if not row.closed:
            raise Illegal("contest_open", "Results are told when the contest and its grace have passed.")
        page = await found.page(SCORES(row.contest), call.query.limit, after(call.query))
        position = str(found.position)
    names = await call.services.accounts.names([one.document.player for one in page.rows])
    shown = tuple(shapes.score(one.document, names) for one in page.rows)
    return reply(shapes.Results(contest=row.contest, results=shown, next=following(page.after), log_position=position))


@operation(
    id="get_day_season", method="GET", path="/v1/day-seasons/{key:str}", tag=TAG, query=SeasonQuery,
    answers={200: Answer(type=shapes.DaySeason, says="A page of the season.")}, problems=("no_such_thing",),
)  # fmt: skip
async def day_season(call: Call[None, SeasonQuery]) -> Response[bytes]:
    """Show a month of a game type's same-deal days: the mean over each player's best ones."""
    key = call.request.path_params["key"]
    if key not in GAME_TYPES:
        raise Refused("no_such_thing", "There is no such game type.")
    return await _season(call, public_season(key, call.query.month or wire.today()[:7]), rules_of(key))


@operation(
    id="get_league_standings", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/standings",
    tag=TAG, query=PageQuery, answers={200: Answer(type=shapes.DaySeason, says="A page of the standings.")},
    problems=("no_such_thing", "illegal"),
)  # fmt: skip
async def standings(call: Call[None, PageQuery]) -> Response[bytes]:
    """Show a season of a same-deal league."""
    league, number = await call.services.leagues.of(call.id("league_id")), call.request.path_params["season"]
    if not 1 <= number <= len(league.seasons):
        raise Refused("no_such_thing", "There is no such season.")
    if isinstance(league.founded.rules, BoxRules):
        raise Illegal("box_league", "A box league has tables.")
    return await _season(call, league_season(league.id, number), league.founded.rules)


async def _season(call: Call[Any, Any], rows: Collection[SeasonRow], rules: DayRules) -> Response[bytes]:
    async with call.services.reads.of(DAYS_PROJECTION) as found:
        page = await found.page(rows, call.query.limit, after(call.query))
        listed, position = await found.size(rows), str(found.position)
    names = await call.services.accounts.names([one.document.player for one in page.rows])
    imps = rules.scoring == "imps"
    shown = tuple(shapes.season_row(one.document, one.rank, imps, names) for one in page.rows)
    return reply(shapes.DaySeason(
        rules=rules.id, listed=listed, rows=shown, next=following(page.after), log_position=position,
    ))  # fmt: skip


@operation(
    id="announce_league_contest", method="POST", path="/v1/leagues/{league_id:uuid}/contests", tag=TAG,
    access="required", scope="play", body=LeagueContestBody, problems=("no_such_thing", "illegal"),
    answers={201: Answer(type=shapes.ContestShown, says="The contest is announced.", headers=headers.LOCATION)},
    examples={"a day": {"opens": "2026-12-01T00:00:00Z", "closes": "2026-12-02T00:00:00Z"}},
)  # fmt: skip
async def announce(call: Call[LeagueContestBody, None]) -> Response[bytes]:
    """Announce a contest of a league, in the season that runs. For organisers of same-deal leagues."""
    league = await call.services.leagues.of(call.id("league_id"))
    decide.add_contest(league, league.id, call.player)
    founded = league.founded
    kind, rules = GAME_TYPES[founded.game_type], founded.rules
    if isinstance(rules, BoxRules):
        raise Illegal("box_league", "A box league plays fixtures, not same-deal contests.")
    wanted = Announcement(
        game_type=kind.key, options=wire.read(founded.options, kind.options), rules=rules,
        opens=micros(call.body.opens), closes=micros(call.body.closes), seed=fresh_secret().seed, league=league.id,
    )  # fmt: skip
    made = await call.services.contests.announce(wanted, call.player)
    await call.services.leagues.act(league.id, lambda one: decide.add_contest(one, made.id, call.player), call.player)
    row = ContestRow(contest=made.id, announced=made.announced, announced_at=0)
    return reply(shapes.contest(row, None, "0"), 201, Location=f"/v1/contests/{made.id}")


HANDLERS = (contests, contest, enter, results, day_season, standings, announce)
