"""A box league's fixtures: what became of each, opening their games, and how they end without one."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.league import decide
from domain.league import events as ev
from domain.league.aggregate import Season
from projections.leagues.boxes import Contribution
from projections.leagues.documents import Table, division_games
from projections.leagues.fixture_outcomes import Kind
from projections.leagues.league_projection import LEAGUES_PROJECTION
from service.accounts.names import Names, Person, people
from service.api.leagues.league_seasons import Standing, standing
from service.api.leagues.league_shapes import people_of
from service.api.leagues.league_tables import DivisionQuery, wanted_divisions
from service.api.leagues.leagues import FIXTURE_LINKS, TAG, WRITTEN, ReasonBody, act_on_league
from service.api.paging import LogPosition
from service.api.viewing import first_answer, opened_answer, reply_found, reply_opened
from service.event_store import keyed_writes
from service.http.operation import Answer, Call, operation, reply
from service.leagues.acting import fixture_game, require_unplayed
from service.live import shapes


class FixtureShown(Struct, frozen=True, kw_only=True):
    """A fixture: `state` is what became of it, `game_id` the game that counts, or the newest one
    that was opened."""

    id: UUID
    division: int
    round: int
    players: tuple[Person, ...]
    state: Kind
    game_id: UUID | None
    reason: str | None


class FixtureList(Struct, frozen=True, kw_only=True):
    """All fixtures of a season, or of one of its divisions. The list is whole: it has no pages."""

    league_id: UUID
    season: int
    fixtures: tuple[FixtureShown, ...]
    log_position: LogPosition


_PATH = "/v1/leagues/{league_id:uuid}/fixtures/{fixture_id:uuid}"
_PLAYER = "01890000-0000-7000-8000-000000000000"


class WalkoverBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who was there, and what happened."""

    to_player_id: UUID
    reason: shapes.Reason


class NotPlayedBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who did not show, if it was somebody's fault, and why."""

    reason: shapes.Reason
    absent_player_ids: Annotated[tuple[UUID, ...], Meta(max_length=5)] = ()


@operation(
    may_lag=True,
    id="list_fixtures", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/fixtures", tag=TAG,
    query=DivisionQuery,
    answers={200: Answer(type=FixtureList, says="The fixtures.", links=FIXTURE_LINKS)}, problems=("no_such_thing",),
)  # fmt: skip
async def list_fixtures(call: Call[None, DivisionQuery]) -> Response[bytes]:
    """List a season's fixtures and what became of each."""
    return reply(await fixtures_of(call, await standing(call), call.query.division))


async def fixtures_of(call: Call[Any, Any], found: Standing, division: int | None = None) -> FixtureList:
    """The season's fixtures, or those of one division, what became of each, and its game; raises Refused."""
    wanted = wanted_divisions(found, division)
    names = await call.services.accounts.names(people_of(found.league))
    made = _fixtures(found.season, found.of(found.season.number), await _games(call, found, wanted), names)
    return FixtureList(
        league_id=found.league.id, season=found.season.number, log_position=found.position,
        fixtures=tuple(one for one in made if one.division in wanted),
    )  # fmt: skip


async def _games(call: Call[Any, Any], found: Standing, divisions: set[int]) -> dict[UUID, UUID]:
    """The newest game opened for each fixture; ids of games grow with time."""
    games: dict[UUID, UUID] = {}
    async with call.services.reads.of(LEAGUES_PROJECTION) as snapshot:
        for division in sorted(divisions):
            for _, one in await snapshot.documents(division_games(found.league.id, found.season.number, division)):
                if one.play.fixture is not None:
                    games[one.play.fixture] = one.play.game
    return games


def _fixtures(
    season: Season, tables: Mapping[int, Table], games: Mapping[UUID, UUID], names: Names
) -> tuple[FixtureShown, ...]:
    """Every fixture with what the tables say of it; `games`: the newest game opened for each."""
    said: dict[UUID, dict[UUID, Contribution]] = {}
    for row in (row for table in tables.values() for row in table.rows):
        for part in row.contributions:
            said.setdefault(part.fixture, {})[row.player] = part
    return tuple(_fixture(season, one, said.get(one.id, {}), games.get(one.id), names) for one in season.fixtures)


def _fixture(
    season: Season, one: ev.Fixture, parts: Mapping[UUID, Contribution], game: UUID | None, names: Names
) -> FixtureShown:  # fmt: skip
    ended, part = season.ended.get(one.id), next(iter(parts.values()), None)
    seats = zip(one.players, season.playing(one), strict=True)
    players = [before if before in parts else now for before, now in seats]
    return FixtureShown(
        id=one.id, division=one.division, round=one.round,
        players=people(players, names),
        state="to_play" if part is None else part.kind,
        game_id=part.game if part is not None and part.game is not None else game,
        reason=None if ended is None else ended.reason,
    )  # fmt: skip


@operation(
    id="open_fixture", method="POST", path=f"{_PATH}/open", tag=TAG, access="required", scope="games:play",
    answers={
        201: opened_answer("The game is open."), 200: opened_answer("The game that was open already."),
    },
    problems=("no_such_thing", "illegal"),
)  # fmt: skip
async def open_fixture(call: Call[None, None]) -> Response[bytes]:
    """Open the game of a fixture of yours: you are seated, the others' seats are kept for them.

    There is one game of a fixture: whoever asks second gets the one that is open. After one that was aborted or voided
    there may be another. It is rated, everybody may watch it, and nobody else can sit down.
    """
    if (repeated := await first_answer(call)) is not None:
        return repeated
    league = await call.services.leagues.of(call.id("league_id"))
    game, fresh = await fixture_game(call.services, league, call.id("fixture_id"), call.player)
    return await (reply_opened if fresh else reply_found)(call, game)


@operation(
    id="award_fixture", method="POST", path=f"{_PATH}/award", body=WalkoverBody, **WRITTEN,
    blames={"not_in_fixture": "to_player_id"},
    examples={"nobody came": {"to_player_id": _PLAYER, "reason": "The other side offered no date."}},
)  # fmt: skip
async def award_fixture(call: Call[WalkoverBody, None]) -> Response[bytes]:
    """Give a fixture to the side that was there: full points, nothing in tie-breaks and ratings. For organisers."""
    fixture, body = await unplayed_fixture(call), call.body
    return await act_on_league(
        call, lambda league: decide.give_walkover(league, fixture, body.to_player_id, body.reason, call.player)
    )


@operation(
    id="cancel_fixture", method="POST", path=f"{_PATH}/cancel", body=NotPlayedBody, **WRITTEN,
    blames={"not_in_fixture": "absent_player_ids"},
    examples={"no date": {"reason": "No date was found."}},
)  # fmt: skip
async def cancel_fixture(call: Call[NotPlayedBody, None]) -> Response[bytes]:
    """Declare a fixture not played: nobody gets anything for it. For organisers."""
    fixture, body = await unplayed_fixture(call), call.body
    return await act_on_league(
        call,
        lambda league: decide.declare_not_played(league, fixture, body.absent_player_ids, body.reason, call.player),
    )


@operation(
    id="reopen_fixture", method="POST", path=f"{_PATH}/reopen", body=ReasonBody, **WRITTEN,
    examples={"a mistake": {"reason": "They did come."}},
)  # fmt: skip
async def reopen_fixture(call: Call[ReasonBody, None]) -> Response[bytes]:
    """Take back that a fixture was walked over or not played. For organisers."""
    fixture, reason = call.id("fixture_id"), call.body.reason
    return await act_on_league(call, lambda league: decide.reopen_fixture(league, fixture, reason, call.player))


async def unplayed_fixture(call: Call[Any, Any]) -> UUID:
    """The id of the fixture in the path; raises Illegal where it was played."""
    fixture = call.id("fixture_id")
    if keyed_writes.first_use() is None:
        await require_unplayed(call.services.reads, await call.services.leagues.of(call.id("league_id")), fixture)
    return fixture


HANDLERS = (list_fixtures, open_fixture, award_fixture, cancel_fixture, reopen_fixture)
