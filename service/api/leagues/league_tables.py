"""A league's tables and fixtures."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.league import decide
from domain.league import events as ev
from domain.league.aggregate import Season
from projections.leagues.boxes import Contribution, Kind, Row
from projections.leagues.league_projection import LEAGUES_PROJECTION, Table, division_games
from service.accounts.names import Names, Person, people, person
from service.api.leagues.league_seasons import Standing, find_standing
from service.api.leagues.leagues import COMMAND, FIXTURE_LINKS, TAG, ReasonBody, act_on_league, people_of
from service.api.paging import LogPosition
from service.api.tabular import MEDIA_TYPES, csv_text, placed_rows, safe_name, short_name, tabular_response, text_page
from service.api.viewing import fill_struct, first_answer, opened_answer, reply_found, reply_opened
from service.event_store import keyed_writes
from service.http.operation import Answer, Call, operation, reply
from service.http.representation import choose_media_type
from service.leagues.commands import LeagueParts, fixture_game, require_unplayed
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
    """One fixture's contribution to a row."""

    fixture_id: UUID
    kind: Kind
    points: int
    place: int | None
    game_id: UUID | None
    opponents: tuple[Person, ...]


class TableRow(Struct, frozen=True, kw_only=True):
    """A row. Equal places are shared; `place` None: too few games."""

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
    """A division's table now, and its published tables."""

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
    id="get_tables", may_lag=True, method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/tables",
    tag=TAG, query=DivisionQuery, answers={200: Answer(type=Tables, says="The tables.", media_types=MEDIA_TYPES)},
    problems=("not_acceptable",),
)  # fmt: skip
async def get_tables(call: Call[None, DivisionQuery]) -> Response[Any]:
    """Show a season's tables: JSON, CSV (`Accept: text/csv`) or text; every row explains itself."""
    media_type = choose_media_type(call, *MEDIA_TYPES)
    made = await tables_of(call, await find_standing(call), call.query.division)
    return tabular_response(media_type, made, tables_csv, tables_text)


async def tables_of(call: Call[Any, Any], standing: Standing, division: int | None = None) -> Tables:
    """The season's tables, or one division's; raises Refused."""
    names = await call.accounts.names(people_of(standing.league))
    numbers = select_divisions(standing, division)
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
        for number, table in standing.of(standing.season.number).items() if number in numbers
    )  # fmt: skip
    return Tables(
        league_id=standing.league.id, season=standing.season.number, rules=standing.league.founded.rules.id,
        closed=standing.season.closed, divisions=divisions, log_position=standing.position,
    )  # fmt: skip


def select_divisions(standing: Standing, division: int | None) -> set[int]:
    """This division, or all for None; raises Refused where there is none."""
    every = range(len(standing.season.divisions))
    if division is not None and division not in every:
        raise Refused("no_such_thing", "There is no such division.")
    return set(every) if division is None else {division}


def _rows(rows: Sequence[Row], names: Names) -> tuple[TableRow, ...]:
    return tuple(
        fill_struct(
            TableRow, row, player=person(row.player, names), sonneborn_berger=row.sonneborn_berger / 2,
            contributions=tuple(
                fill_struct(
                    ContributionShown, contribution, fixture_id=contribution.fixture, game_id=contribution.game,
                    opponents=people(contribution.opponents, names),
                ) for contribution in row.contributions
            ),
        )
        for row in rows
    )  # fmt: skip


_COLUMNS = (
    "place", "points", "games", "wins", "ties", "losses", "head_to_head", "sonneborn_berger", "score_difference",
)  # fmt: skip


def tables_csv(tables: Tables) -> str:
    """One line a row under a header line; each has the log position."""
    columns = ("division", "player_id", "name", *_COLUMNS, "rules", "log_position")
    rows = []
    for division in tables.divisions:
        for row in division.rows:
            values = [getattr(row, column) for column in _COLUMNS]
            cells = [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]
            player = (row.player.id, safe_name(row.player.name))
            rows.append((division.division, *player, *cells, tables.rules, tables.log_position))
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
    for amendment in division.published[1:]:
        yield f"     Amendment {amendment.number}: {amendment.because}."


class FixtureShown(Struct, frozen=True, kw_only=True):
    """A fixture; `game_id`: the game that counts, else the newest one."""

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
    """The player who gets the points, and the reason."""

    to_player_id: UUID
    reason: shapes.Reason


class NotPlayedBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The reason, and the players who are to blame."""

    reason: shapes.Reason
    absent_player_ids: Annotated[tuple[UUID, ...], Meta(max_length=5)] = ()


@operation(
    id="list_fixtures", may_lag=True, method="GET", path="/v1/leagues/{league_id:uuid}/seasons/{season:int}/fixtures",
    tag=TAG, query=DivisionQuery, answers={200: Answer(type=FixtureList, says="The fixtures.", links=FIXTURE_LINKS)},
)  # fmt: skip
async def list_fixtures(call: Call[None, DivisionQuery]) -> Response[bytes]:
    """List a season's fixtures with their states."""
    return reply(await fixtures_of(call, await find_standing(call), call.query.division))


async def fixtures_of(call: Call[Any, Any], standing: Standing, division: int | None = None) -> FixtureList:
    """The season's fixtures, or one division's; raises Refused."""
    divisions = select_divisions(standing, division)
    names = await call.accounts.names(people_of(standing.league))
    games, tables = await _games(call, standing, divisions), standing.of(standing.season.number)
    return FixtureList(
        league_id=standing.league.id, season=standing.season.number, log_position=standing.position,
        fixtures=tuple(
            fixture for fixture in _fixtures(standing.season, tables, games, names) if fixture.division in divisions
        ),
    )  # fmt: skip


async def _games(call: Call[Any, Any], standing: Standing, divisions: set[int]) -> dict[UUID, UUID]:
    """The newest game opened for each fixture; ids of games grow with time."""
    games: dict[UUID, UUID] = {}
    async with call.reads.of(LEAGUES_PROJECTION) as snapshot:
        for division in sorted(divisions):
            listed = division_games(standing.league.id, standing.season.number, division)
            for _, game in await snapshot.documents(listed):
                if game.play.fixture is not None:
                    games[game.play.fixture] = game.play.game
    return games


def _fixtures(
    season: Season, tables: Mapping[int, Table], games: Mapping[UUID, UUID], names: Names
) -> tuple[FixtureShown, ...]:
    """Every fixture with its state in the tables; `games`: the newest game opened for each."""
    parts: dict[UUID, dict[UUID, Contribution]] = {}
    for row in (row for table in tables.values() for row in table.rows):
        for part in row.contributions:
            parts.setdefault(part.fixture, {})[row.player] = part
    return tuple(
        _fixture(season, fixture, parts.get(fixture.id, {}), games.get(fixture.id), names)
        for fixture in season.fixtures
    )


def _fixture(
    season: Season, fixture: ev.Fixture, parts: Mapping[UUID, Contribution], game: UUID | None, names: Names
) -> FixtureShown:  # fmt: skip
    ended, part = season.ended.get(fixture.id), next(iter(parts.values()), None)
    seats = zip(fixture.players, season.playing(fixture), strict=True)
    players = [before if before in parts else now for before, now in seats]
    return FixtureShown(
        id=fixture.id, division=fixture.division, round=fixture.round,
        players=people(players, names),
        state="to_play" if part is None else part.kind,
        game_id=part.game if part is not None and part.game is not None else game,
        reason=None if ended is None else ended.reason,
    )  # fmt: skip


@operation(
    id="open_fixture", method="POST", path=f"{_PATH}/open", tag=TAG, access="required", scope="games:play", answers={
        201: opened_answer("The game is open."), 200: opened_answer("The game that was open already."),
    }, problems=("illegal",),
)  # fmt: skip
async def open_fixture(call: Call[None, None]) -> Response[bytes]:
    """Open the game of a fixture of yours: you are seated, the others' seats are reserved for them.

    A fixture has one game at a time: a second request returns it. After one that was aborted or voided there may be
    another. It is rated and public, and only its players can sit down.
    """
    if (repeated := await first_answer(call)) is not None:
        return repeated
    league = await call.area(LeagueParts).leagues.of(call.id("league_id"))
    game, fresh = await fixture_game(call, league, call.id("fixture_id"))
    return await (reply_opened if fresh else reply_found)(call, game)


@operation(
    id="award_fixture", method="POST", path=f"{_PATH}/award", body=WalkoverBody, **COMMAND,
    member_of_rule={"not_in_fixture": "to_player_id"},
    examples={"nobody came": {"to_player_id": _PLAYER, "reason": "The other side offered no date."}},
)  # fmt: skip
async def award_fixture(call: Call[WalkoverBody, None]) -> Response[bytes]:
    """Give a fixture to the side that was there: full points, nothing in tie-breaks and ratings. For organisers."""
    fixture, body = await unplayed_fixture(call), call.body
    return await act_on_league(
        call, lambda league: decide.give_walkover(league, fixture, body.to_player_id, body.reason, call.player)
    )


@operation(
    id="cancel_fixture", method="POST", path=f"{_PATH}/cancel", body=NotPlayedBody, **COMMAND,
    member_of_rule={"not_in_fixture": "absent_player_ids"}, examples={"no date": {"reason": "No date was found."}},
)  # fmt: skip
async def cancel_fixture(call: Call[NotPlayedBody, None]) -> Response[bytes]:
    """Declare a fixture not played: it gives no points. For organisers."""
    fixture, body = await unplayed_fixture(call), call.body
    return await act_on_league(
        call,
        lambda league: decide.declare_not_played(league, fixture, body.absent_player_ids, body.reason, call.player),
    )


@operation(
    id="reopen_fixture", method="POST", path=f"{_PATH}/reopen", body=ReasonBody, **COMMAND,
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
        await require_unplayed(call.reads, await call.area(LeagueParts).leagues.of(call.id("league_id")), fixture)
    return fixture
