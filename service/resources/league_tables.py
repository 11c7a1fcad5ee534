"""A season's tables and fixtures."""

from typing import Any
from uuid import UUID

from litestar import Response

from projections.league_documents import division_games
from projections.leagues import LEAGUES_PROJECTION
from service.operation import Answer, Call, operation, reply
from service.resources import league_table_shapes as shapes
from service.resources.league_shapes import people_of
from service.resources.league_standing import Standing, standing
from service.resources.leagues import TAG
from service.resources.replay import accepted
from service.resources.tabular import MEDIA_TYPES, as_accepted
from service.table_texts import csv, text


@operation(
    id="get_tables", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/tables", tag=TAG,
    answers={200: Answer(type=shapes.Tables, says="The tables.", media_types=MEDIA_TYPES)},
    problems=("no_such_thing", "not_acceptable"),
)  # fmt: skip
async def tables_(call: Call[None, None]) -> Response[Any]:
    """Show a season's tables: JSON, CSV (`Accept: text/csv`) or text; every row explains itself."""
    media_type = accepted(call, *MEDIA_TYPES)
    made = await _tables(call, await standing(call))
    return as_accepted(media_type, made, csv, text)


async def _tables(call: Call[Any, Any], found: Standing) -> shapes.Tables:
    names = await call.services.accounts.names(people_of(found.league))
    tables = found.of(found.season.number)
    return shapes.Tables(
        league=found.league.id, season=found.season.number, rules=found.league.founded.rules.id,
        closed=found.season.closed, divisions=tuple(shapes.division(one, names) for one in tables.values()),
        log_position=found.position,
    )  # fmt: skip


@operation(
    id="list_fixtures", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/fixtures", tag=TAG,
    answers={200: Answer(type=shapes.Fixtures, says="The fixtures.")}, problems=("no_such_thing",),
)  # fmt: skip
async def fixtures_(call: Call[None, None]) -> Response[bytes]:
    """List a season's fixtures and what became of each."""
    found = await standing(call)
    names = await call.services.accounts.names(people_of(found.league))
    tables = found.of(found.season.number)
    made = shapes.fixtures(found.season, tables, await _games(call, found), names)
    return reply(shapes.Fixtures(
        league=found.league.id, season=found.season.number, fixtures=made, log_position=found.position,
    ))  # fmt: skip


async def _games(call: Call[Any, Any], found: Standing) -> dict[UUID, UUID]:
    """The newest game opened for each fixture; ids of games grow with time."""
    games: dict[UUID, UUID] = {}
    async with call.services.reads.of(LEAGUES_PROJECTION) as snapshot:
        for division in range(len(found.season.divisions)):
            for _, one in await snapshot.documents(division_games(found.league.id, found.season.number, division)):
                if one.play.fixture is not None:
                    games[one.play.fixture] = one.play.game
    return games


HANDLERS = (tables_, fixtures_)
