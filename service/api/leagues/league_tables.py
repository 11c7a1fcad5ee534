"""A season's tables and fixtures."""

from collections.abc import Iterator
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from projections.leagues.documents import division_games
from projections.leagues.league_projection import LEAGUES_PROJECTION
from service.api.leagues import league_table_shapes as shapes
from service.api.leagues.league_links import FIXTURE_LINKS
from service.api.leagues.league_shapes import people_of
from service.api.leagues.league_standing import Standing, standing
from service.api.leagues.leagues import TAG
from service.api.leagues.texts import csv, text
from service.api.tabular import MEDIA_TYPES, tabular_response
from service.http.negotiation import choose_media_type
from service.http.operation import Answer, Call, operation, reply
from service.problems import Refused


class DivisionQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which division."""

    division: Annotated[int, Meta(ge=0, le=999, description="One division alone, from 0, the highest.")] | None = None


@operation(
    may_lag=True,
    id="get_tables", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/tables", tag=TAG,
    query=DivisionQuery,
    answers={200: Answer(type=shapes.Tables, says="The tables.", media_types=MEDIA_TYPES)},
    problems=("no_such_thing", "not_acceptable"),
)  # fmt: skip
async def get_tables(call: Call[None, DivisionQuery]) -> Response[Any]:
    """Show a season's tables: JSON, CSV (`Accept: text/csv`) or text; every row explains itself."""
    media_type = choose_media_type(call, *MEDIA_TYPES)
    made = await tables_of(call, await standing(call), call.query.division)
    return tabular_response(media_type, made, csv, text)


async def tables_of(call: Call[Any, Any], found: Standing, division: int | None = None) -> shapes.Tables:
    """The season's tables, or that of one division, with their players' names; raises Refused."""
    names, wanted = await call.services.accounts.names(people_of(found.league)), set(_divisions(found, division))
    tables = [table for number, table in found.of(found.season.number).items() if number in wanted]
    return shapes.Tables(
        league=found.league.id, season=found.season.number, rules=found.league.founded.rules.id,
        closed=found.season.closed, divisions=tuple(shapes.division(one, names) for one in tables),
        log_position=found.position,
    )  # fmt: skip


def _divisions(found: Standing, division: int | None) -> Iterator[int]:
    if division is not None and division >= len(found.season.divisions):
        raise Refused("no_such_thing", "There is no such division.")
    yield from range(len(found.season.divisions)) if division is None else [division]


@operation(
    may_lag=True,
    id="list_fixtures", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/fixtures", tag=TAG,
    query=DivisionQuery,
    answers={200: Answer(type=shapes.Fixtures, says="The fixtures.", links=FIXTURE_LINKS)}, problems=("no_such_thing",),
)  # fmt: skip
async def list_fixtures(call: Call[None, DivisionQuery]) -> Response[bytes]:
    """List a season's fixtures and what became of each."""
    return reply(await fixtures_of(call, await standing(call), call.query.division))


async def fixtures_of(call: Call[Any, Any], found: Standing, division: int | None = None) -> shapes.Fixtures:
    """The season's fixtures, or those of one division, what became of each, and its game; raises Refused."""
    wanted = set(_divisions(found, division))
    names = await call.services.accounts.names(people_of(found.league))
    made = shapes.fixtures(found.season, found.of(found.season.number), await _games(call, found, wanted), names)
    return shapes.Fixtures(
        league=found.league.id, season=found.season.number, log_position=found.position,
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


HANDLERS = (get_tables, list_fixtures)
