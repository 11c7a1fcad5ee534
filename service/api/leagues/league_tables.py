"""A season's tables: what stands in them, what was published of them; as JSON, CSV and text."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from projections.leagues.boxes import Row
from projections.leagues.fixture_outcomes import Kind
from service.accounts.names import Names, Person, people, person
from service.api.leagues.league_seasons import Standing, standing
from service.api.leagues.league_shapes import people_of
from service.api.leagues.leagues import TAG
from service.api.paging import LogPosition
from service.api.showing import fill_struct
from service.api.tabular import MEDIA_TYPES, csv_text, placed_rows, safe_name, short_name, tabular_response, text_page
from service.http.negotiation import choose_media_type
from service.http.operation import Answer, Call, operation
from service.live import shapes
from service.problems import Refused

HASH = (
    "SHA-256, in hex, of a JSON array of the rows without any space. A row is [id of the player, place, points, games,"
    " wins, ties, losses, head to head, twice Sonneborn-Berger (an integer), score difference, contributions], a"
    " contribution [fixture_id, kind, points, place, game_id]; what there is not is null."
)

GAMES = (
    "The games that count: the sum of wins, ties and losses. Under a rule set without `forfeits_count` also the"
    " forfeits that the player won."
)
HEAD_TO_HEAD = "Against those with equal points: two for each who was beaten, one for each who was tied with."
SONNEBORN_BERGER = (
    "The points of who was beaten and half the points of who was tied with: a whole number or one and a half, `24` or"
    " `24.5`. A forfeit counts as a win in it; under a rule set without `forfeits_count` it does not, and only points"
    " that were won at the table are added up. Each rule set has a page with a worked table: `/leagues/rules/{id}`."
)


class ContributionShown(Struct, frozen=True, kw_only=True):
    """What one fixture gives a player: why they stand there."""

    fixture_id: UUID
    kind: Kind
    points: int
    place: int | None
    game_id: UUID | None
    opponents: tuple[Person, ...]


class TableRow(Struct, frozen=True, kw_only=True):
    """A row. Equal places are shared; None: unranked for want of games."""

    place: int | None
    player: Person
    points: int
    games: Annotated[int, Meta(description=GAMES)]
    wins: int
    ties: int
    losses: int
    head_to_head: Annotated[int, Meta(description=HEAD_TO_HEAD)]
    sonneborn_berger: Annotated[float, Meta(description=SONNEBORN_BERGER)]
    score_difference: int
    contributions: tuple[ContributionShown, ...]


class PublishedShown(Struct, frozen=True, kw_only=True):
    """A table as it was published: number 0 when the season was closed, then the amendments."""

    number: int
    log_position: LogPosition
    at: shapes.Time
    hash: Annotated[str, Meta(description=HASH)]
    because: str
    rows: tuple[TableRow, ...]


class DivisionTable(Struct, frozen=True, kw_only=True):
    """A division's table as it stands, and what was published of it."""

    division: int
    rows: tuple[TableRow, ...]
    published: tuple[PublishedShown, ...]


class Tables(Struct, frozen=True, kw_only=True):
    """All tables of a season, the highest division first."""

    league_id: UUID
    season: int
    rules: str
    closed: bool
    divisions: tuple[DivisionTable, ...]
    log_position: LogPosition


class DivisionQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which division."""

    division: Annotated[int, Meta(ge=0, le=999, description="One division alone, from 0, the highest.")] | None = None


@operation(
    may_lag=True,
    id="get_tables", method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/tables", tag=TAG,
    query=DivisionQuery,
    answers={200: Answer(type=Tables, says="The tables.", media_types=MEDIA_TYPES)},
    problems=("no_such_thing", "not_acceptable"),
)  # fmt: skip
async def get_tables(call: Call[None, DivisionQuery]) -> Response[Any]:
    """Show a season's tables: JSON, CSV (`Accept: text/csv`) or text; every row explains itself."""
    media_type = choose_media_type(call, *MEDIA_TYPES)
    made = await tables_of(call, await standing(call), call.query.division)
    return tabular_response(media_type, made, tables_csv, tables_text)


async def tables_of(call: Call[Any, Any], found: Standing, division: int | None = None) -> Tables:
    """The season's tables, or that of one division, with their players' names; raises Refused."""
    names, wanted = await call.services.accounts.names(people_of(found.league)), wanted_divisions(found, division)
    divisions = tuple(
        DivisionTable(
            division=table.division, rows=_rows(table.rows, names),
            published=tuple(
                fill_struct(
                    PublishedShown, published, rows=_rows(published.rows, names),
                    log_position=str(published.position), at=shapes.moment(published.at),
                ) for published in table.published
            ),
        )
        for number, table in found.of(found.season.number).items() if number in wanted
    )  # fmt: skip
    return Tables(
        league_id=found.league.id, season=found.season.number, rules=found.league.founded.rules.id,
        closed=found.season.closed, divisions=divisions, log_position=found.position,
    )  # fmt: skip


def wanted_divisions(found: Standing, division: int | None) -> set[int]:
    """This division, or all for None; raises Refused where there is none."""
    every = range(len(found.season.divisions))
    if division is not None and division not in every:
        raise Refused("no_such_thing", "There is no such division.")
    return set(every) if division is None else {division}


def _rows(found: Sequence[Row], names: Names) -> tuple[TableRow, ...]:
    return tuple(
        fill_struct(
            TableRow, row, player=person(row.player, names), sonneborn_berger=row.sonneborn_berger / 2,
            contributions=tuple(
                fill_struct(
                    ContributionShown, one, fixture_id=one.fixture, game_id=one.game,
                    opponents=people(one.opponents, names),
                ) for one in row.contributions
            ),
        )
        for row in found
    )  # fmt: skip


_COLUMNS = (
    "place", "points", "games", "wins", "ties", "losses", "head_to_head", "sonneborn_berger", "score_difference",
)  # fmt: skip


def tables_csv(tables: Tables) -> str:
    """One line a row under a line of names; the log position stands in each."""
    columns = ("division", "player_id", "name", *_COLUMNS, "rules", "log_position")
    rows = []
    for division in tables.divisions:
        for row in division.rows:
            values = [getattr(row, column) for column in _COLUMNS]
            whole = [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]
            player = (row.player.id, safe_name(row.player.name))
            rows.append((division.division, *player, *whole, tables.rules, tables.log_position))
    return csv_text(columns, rows)


def tables_text(tables: Tables) -> str:
    """The tables one under the other."""
    lines = [f"Season {tables.season}{', closed' if tables.closed else ''}, rules {tables.rules}."]
    for division in tables.divisions:
        lines += ["", f"Division {division.division + 1}", *_division_lines(division)]
    return text_page(lines, None, tables.log_position)


def _division_lines(division: DivisionTable) -> Iterator[str]:
    yield f"{'':>4} {'':<24}{'games':>6}{'won':>5}{'tied':>5}{'lost':>5}{'points':>8}{'h2h':>5}{'SB':>8}{'diff':>7}"
    for place, row in placed_rows(division.rows, [row.place for row in division.rows]):
        counts = f"{row.games:>6}{row.wins:>5}{row.ties:>5}{row.losses:>5}{row.points:>8}"
        breaks = f"{row.head_to_head:>5}{row.sonneborn_berger:>8.1f}{row.score_difference:>+7}"
        yield f"{place:>4} {short_name(row.player.name):<24}{counts}{breaks}"
    for one in division.published[1:]:
        yield f"     Amendment {one.number}: {one.because}."


HANDLERS = (get_tables,)
