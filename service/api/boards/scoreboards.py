"""Scoreboards: each game type's board, one player's rows, and reliability; as JSON, CSV and text."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.games import GAME_TYPES
from domain.league.rules import RELIABILITY
from projections.boards.reliability import RELIABILITIES, Kind, Reliability, kept, rows
from projections.boards.scoreboards import LIFE_TIME, SCOREBOARDS, Best, Standing, board, played_games
from service.accounts.names import Names, Person, person
from service.accounts.players import Accounts
from service.api.paging import LogPosition, PageQuery, next_cursor, page_cursor
from service.api.tabular import MEDIA_TYPES, csv_text, placed_rows, safe_name, short_name, tabular_response, text_page
from service.api.viewing import fill_struct
from service.http.operation import Answer, Call, operation, reply
from service.http.representation import choose_media_type
from service.live import shapes
from service.problems import Refused
from service.workers.reads import Reads

TAG = "scoreboards"
Rate = Annotated[float, Meta(description="0 to 1, rounded to nine places.")]
Rules = Annotated[str, Meta(description="The named, versioned rules of this board.")]


class BestShown(Struct, frozen=True):
    """A best value and the game it was reached in."""

    value: float
    game_id: UUID


class Row(Struct, frozen=True, kw_only=True):
    """A player's row. `bound` is the Wilson 95 % lower bound of the win rate; `rank` None: not listed yet.

    All games and the clean ones (without undo) are counted apart; the clean ones rank.
    """

    rank: int | None
    player: Person
    game_type: str
    games: int
    wins: int
    losses: int
    draws: int
    not_completed: int
    win_rate: Rate
    bound: Rate
    clean_games: int
    clean_wins: int
    clean_win_rate: Rate
    clean_bound: Rate
    streak: int
    best_streak: int
    fewest_moves: BestShown | None
    shortest_seconds: BestShown | None
    best_score: BestShown | None


class Board(Struct, frozen=True, kw_only=True):
    """A page of a board, best first; ties share the rank. `next` is the cursor of the next page."""

    game_type: str
    rules: Rules
    least_games: Annotated[int, Meta(description="Clean games that a player needs to be listed.")]
    listed: int
    rows: tuple[Row, ...]
    next: str | None
    log_position: LogPosition


class PlayerBoards(Struct, frozen=True):
    """One player's rows, by game type."""

    player: Person
    rules: Rules
    rows: tuple[Row, ...]
    log_position: LogPosition


class CountedGame(Struct, frozen=True, kw_only=True):
    """A game that counts."""

    game_id: UUID
    outcome: str
    reason: str
    moves: int
    undos: int
    seconds: float
    score: int | None


class CountedGames(Struct, frozen=True):
    """The games counted in a row, newest first."""

    rules: Rules
    games: tuple[CountedGame, ...]
    next: str | None
    log_position: LogPosition


@operation(
    id="get_scoreboard", may_lag=True, method="GET", path="/v1/scoreboards/{game_type:str}", tag=TAG, query=PageQuery,
    answers={200: Answer(type=Board, says="A page of the board.", media_types=MEDIA_TYPES)},
    problems=("not_acceptable",),
)  # fmt: skip
async def get_scoreboard(call: Call[None, PageQuery]) -> Response[Any]:
    """Show the life-time board of a game type, ranked by the Wilson lower bound of the win rate of clean games.

    JSON, CSV (`Accept: text/csv`) or text. Games for several players have no list, for a win rate depends on the choice
    of opponents: the ladder ranks them; `get_player_scores` has the numbers. A solo game counts from its first move:
    resigned, or left for a day, it is lost.
    """
    media_type = choose_media_type(call, *MEDIA_TYPES)
    made = await board_of(call.reads, call.accounts, call.request.path_params["game_type"], call.query)
    return tabular_response(media_type, made, board_csv, board_text)


async def board_of(reads: Reads, accounts: Accounts, game_type: str, query: PageQuery) -> Board:
    """A page of the board of this game type; raises Refused where there is none."""
    key = _require_game_type(game_type)
    async with reads.of(SCOREBOARDS) as snapshot:
        page = await snapshot.page(board(key), query.limit, page_cursor(query))
        listed, position = await snapshot.size(board(key)), str(snapshot.position)
    names = await accounts.names([row.document.player for row in page.rows])
    rows = tuple(_row(row.document, row.rank, names) for row in page.rows)
    return Board(
        game_type=key, rules=LIFE_TIME.id, least_games=LIFE_TIME.least_games, listed=listed, rows=rows,
        next=next_cursor(page.after), log_position=position,
    )  # fmt: skip


@operation(
    id="get_player_scores", may_lag=True, method="GET", path="/v1/players/{player_id:uuid}/scores", tag=TAG,
    answers={200: Answer(type=PlayerBoards, says="The player's rows.")},
)  # fmt: skip
async def get_player_scores(call: Call[None, None]) -> Response[bytes]:
    """Show one player's row on every board, listed or not."""
    player = (await call.accounts.player(call.id("player_id"))).id
    return reply(await rows_of(call.reads, call.accounts, player))


async def rows_of(reads: Reads, accounts: Accounts, player: UUID) -> PlayerBoards:
    """The rows of a player."""
    names = await accounts.names([player])
    rows: list[Row] = []
    async with reads.of(SCOREBOARDS) as snapshot:
        for key in GAME_TYPES:
            if (standing := await snapshot.document(board(key), str(player))) is not None:
                rows.append(_row(standing, await snapshot.rank(board(key), str(player)), names))
        return PlayerBoards(person(player, names), LIFE_TIME.id, tuple(rows), str(snapshot.position))


@operation(
    id="list_counted_games", may_lag=True, method="GET",
    path="/v1/players/{player_id:uuid}/scores/{game_type:str}/games", tag=TAG, access="optional", query=PageQuery,
    answers={200: Answer(type=CountedGames, says="The counted games.")},
)  # fmt: skip
async def list_counted_games(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the games behind a player's row, newest first: everybody may look at them."""
    return reply(await counted_games_of(call))


async def counted_games_of(call: Call[Any, PageQuery]) -> CountedGames:
    """A page of the counted games of the player and the game type in the path."""
    key = _require_game_type(call.request.path_params["game_type"])
    player = (await call.accounts.player(call.id("player_id"))).id
    async with call.reads.of(SCOREBOARDS) as snapshot:
        page = await snapshot.page(played_games(player, key), call.query.limit, page_cursor(call.query))
        games = tuple(
            fill_struct(CountedGame, game, game_id=game.game, seconds=timedelta(microseconds=game.took).total_seconds())
            for game in (row.document for row in page.rows)
        )
        return CountedGames(LIFE_TIME.id, games, next_cursor(page.after), str(snapshot.position))


def _require_game_type(key: str) -> str:
    if key not in GAME_TYPES:
        raise Refused("no_such_thing", "There is no such game type.")
    return key


def _row(row: Standing, rank: int | None, names: Names) -> Row:
    return Row(
        rank=rank, player=person(row.player, names), game_type=row.game_type,
        games=row.games, wins=row.wins, losses=row.losses, draws=row.draws, not_completed=row.not_completed,
        win_rate=row.win_rate / 10**9, bound=row.bound / 10**9,
        clean_games=row.clean_games, clean_wins=row.clean_wins,
        clean_win_rate=row.clean_win_rate / 10**9, clean_bound=row.clean_bound / 10**9,
        streak=row.streak, best_streak=row.best_streak, fewest_moves=_best(row.fewest_moves),
        shortest_seconds=_best(row.shortest, 10**6), best_score=_best(row.best_score),
    )  # fmt: skip


def _best(best: Best | None, unit: int = 1) -> BestShown | None:
    return None if best is None else BestShown(best.value / unit, best.game)


_COLUMNS = (
    "clean_games", "clean_wins", "clean_win_rate", "clean_bound", "games", "wins", "losses",
    "draws", "not_completed", "win_rate", "bound", "streak", "best_streak",
)  # fmt: skip
_BEST = ("fewest_moves", "shortest_seconds", "best_score")


def board_csv(board: Board) -> str:
    """One line a player under a header line; each has the rules and the log position."""
    rows = []
    for row in board.rows:
        cells = (row.rank, row.player.id, safe_name(row.player.name), *(getattr(row, column) for column in _COLUMNS))
        best: Iterable[BestShown | None] = (getattr(row, column) for column in _BEST)
        values = (None if record is None else record.value for record in best)
        rows.append((*cells, *values, board.rules, board.log_position))
    return csv_text(("rank", "player_id", "name", *_COLUMNS, *_BEST, "rules", "log_position"), rows)


def board_text(board: Board) -> str:
    """The page of the board as lines."""
    head = [f"Board of {board.game_type}, rules {board.rules}: from {board.least_games} clean games on.", ""]
    lines = [f"{'':>5} {'':<24}{'clean':>7}{'won':>6}{'bound':>8}{'all':>7}{'won':>6}{'best run':>10}"]
    for rank, row in placed_rows(board.rows, [row.rank for row in board.rows]):
        name = f"{rank:>5} {short_name(row.player.name):<24}"
        clean = f"{row.clean_games:>7}{row.clean_wins:>6}{row.clean_bound:>8.3f}"
        lines.append(f"{name}{clean}{row.games:>7}{row.wins:>6}{row.best_streak:>10}")
    return text_page([*head, *lines], board.next, board.log_position)


class KeptShown(Struct, frozen=True, kw_only=True):
    """A game that the player did not finish, or a fixture that they missed."""

    game_id: UUID | None
    fixture_id: UUID | None
    at: shapes.Time
    kind: Kind


class ReliabilityShown(Struct, frozen=True, kw_only=True):
    """Of a player's last rated games with others, `kept` were seen through; it is no rating.

    `failures` says which were not, newest first. While `barred_until` is ahead, rated tables are closed to them.
    """

    player: Person
    rules: Annotated[str, Meta(description="The named, versioned rules.")]
    games: int
    kept: int
    barred_until: shapes.Time | None
    failures: tuple[KeptShown, ...]
    log_position: LogPosition


@operation(
    id="get_reliability", may_lag=True, method="GET", path="/v1/players/{player_id:uuid}/reliability", tag="players",
    answers={200: Answer(type=ReliabilityShown, says="The player's reliability.")},
)  # fmt: skip
async def get_reliability(call: Call[None, None]) -> Response[bytes]:
    """Show how many of their games with others a player finished."""
    player = (await call.accounts.player(call.id("player_id"))).id
    return reply(await reliability_of(call.reads, call.accounts, player))


async def reliability_of(reads: Reads, accounts: Accounts, player: UUID) -> ReliabilityShown:
    """The player's reliability; all counts are 0 for a player without rated games against others."""
    async with reads.of(RELIABILITIES) as snapshot:
        row = await snapshot.document(rows(), str(player)) or Reliability(player, RELIABILITY.id, 0, 0, 0, 0)
        lines = [line for _, line in await snapshot.documents(kept(player)) if line.kind != "finished"]
        position = str(snapshot.position)
    names = await accounts.shown_names([player])
    failures = sorted(lines, key=lambda line: -line.position)[: RELIABILITY.window]
    return fill_struct(
        ReliabilityShown, row, player=person(player, names),
        barred_until=shapes.moment(row.barred_until) if row.barred_until else None,
        failures=tuple(
            KeptShown(
                game_id=None if line.kind == "no_show" else line.what,
                fixture_id=line.what if line.kind == "no_show" else None, at=shapes.moment(line.at), kind=line.kind,
            ) for line in failures
        ),
        log_position=position,
    )  # fmt: skip
