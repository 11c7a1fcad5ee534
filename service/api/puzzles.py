"""Puzzles: positions of finished games at which exactly one continuation still wins."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.games import AnyGameType
from domain.view import ALL_SEEING
from service import problems
from service.accounts.access import Caller
from service.accounts.names import Person, person
from service.analysis.report import LineMove, tell_line
from service.api.viewing import RatingShown, fill_struct, show_rating
from service.event_store.store import EventStore
from service.http.operation import Answer, Call, operation, reply
from service.live import shapes
from service.live.replay import LiveParts
from service.live.seats import NoSuchGame
from service.problems import Refused
from service.puzzles import collection, runs
from service.puzzles.collection import Band, Selection, StoredPuzzle
from service.puzzles.corpus import NOBODY, deal_puzzle
from service.puzzles.mining import LONGEST, Lost, Outcome, Theme, is_open, judge
from service.puzzles.runs import Mode
from service.solving import state_after

TAG = "puzzles"
_SHOWN = 2 * LONGEST
"""The most moves of a winning line that are shown."""
_GAME_TYPE = "A game type's key; left out, any."
_THEME = (
    "What the solution does. `dig_for_ace`: cards come off a column with an ace under them; `empty_column`: one is "
    "emptied, or filled; `full_cells`: a move while every cell is taken; `last_pass`: one while the stock is out and "
    "does not come again; `two_of_a_rank`: one of two cards of a rank that could both go there; `end_play`: at most a "
    "quarter of a pack is left at the beginning."
)
_RATING = "`easier`: rated a point below you or more, `harder`: above; without a token, than a new player is."
_MODE = "`rush`: as many as you can solve in three minutes, three misses end it; `streak`: until the first miss."
AnyTheme = Annotated[Theme, Meta(description=_THEME)]


class PuzzleQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which puzzles are meant."""

    game_type: Annotated[str, Meta(max_length=40, pattern=problems.KEY, description=_GAME_TYPE)] | None = None
    theme: AnyTheme | None = None
    rating: Annotated[Band, Meta(description=_RATING)] | None = None


class AttemptBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The moves from the puzzle's position on. `run_id`: your run whose puzzle this is; it counts there, too."""

    commands: Annotated[tuple[shapes.AnyPlayCommand, ...], Meta(min_length=1, max_length=LONGEST)]
    run_id: UUID | None = None


class RunBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which kind of run."""

    mode: Annotated[Mode, Meta(description=_MODE)]


class PuzzleRunPlace(Struct, frozen=True):
    """A player, and how many puzzles their best run of the day has."""

    player: Person
    solved: int


class PuzzleRun(Struct, frozen=True, kw_only=True):
    """A run of puzzles. `puzzle_id`: its puzzle under way; null: it is over. A rush ends at `ends_at`.

    `best_of_day`: the players' best runs.
    """

    id: UUID
    mode: Annotated[Mode, Meta(description=_MODE)]
    solved: int
    missed: int
    misses: Annotated[int, Meta(description="So many misses end it.")]
    ends_at: shapes.Time | None
    puzzle_id: UUID | None
    best_of_day: tuple[PuzzleRunPlace, ...]


class PuzzleSource(Struct, frozen=True):
    """The solution and the origin, shown after an attempt: the position is the game's after `step`."""

    solution: tuple[LineMove, ...]
    game_id: UUID
    step: int


class PuzzlePosition(Struct, frozen=True, kw_only=True):
    """A position in which every card is known, and the legal commands."""

    game_type: str
    revision: int
    options: dict[str, Any]
    view: shapes.View
    commands: tuple[shapes.AnyPlayCommand, ...]


class LostMove(Struct, frozen=True):
    """The wrong move, how many moves are left after it (none of them wins), and the right ones.

    `line` is the solution from this position on, a few moves more of a puzzle that came with the service; `positions`
    are those after its moves.
    """

    sentence: str
    moves_left: int
    line: tuple[LineMove, ...]
    positions: tuple[PuzzlePosition, ...]


class Puzzle(Struct, frozen=True, kw_only=True):
    """A position in which one continuation wins, and all others lose.

    `moves`: how many the solution has. `plays`: first attempts that made the rating. `solved`: your first attempt's
    result. `source`, `solution` and `themes`, which hint at the solution, come with it; before, and signed out,
    they are null and empty. A puzzle that came with the service has no game here: its `source` stays null.
    """

    id: UUID
    position: PuzzlePosition
    themes: tuple[AnyTheme, ...]
    moves: int
    rating: RatingShown
    plays: int
    solved: bool | None
    solution: tuple[LineMove, ...]
    source: PuzzleSource | None


class PuzzleStanding(Struct, frozen=True, kw_only=True):
    """A player's rating and counts of first attempts; a streak counts successive solved ones."""

    rating: RatingShown
    attempts: int
    solved: int
    missed: int
    streak: int
    best_streak: int


class PuzzleAnswer(Struct, frozen=True, kw_only=True):
    """The result of the moves: `right`, continue from `position`; `solved`; or `wrong`, from `position` on.

    `counted`: it was a first attempt, which has changed the ratings. `standing`: yours; None without a player. `lost`:
    why a wrong move is wrong. `run`: the run, with its next puzzle once this one is over. `solution` and `source` come
    once it is over.
    """

    puzzle_id: UUID
    outcome: Outcome
    position: PuzzlePosition
    counted: bool
    standing: PuzzleStanding | None
    solution: tuple[LineMove, ...]
    source: PuzzleSource | None
    lost: LostMove | None
    run: PuzzleRun | None


class PlacedPuzzle(Struct, frozen=True):
    """A puzzle with its position. `rest`: commands that win from there; None: its game is stored, and tells them."""

    puzzle: StoredPuzzle
    kind: AnyGameType
    state: Any
    rest: tuple[Any, ...] | None = None

    def line(self) -> tuple[tuple[Any, ...], ...]:
        """The solution: for each move the commands that make it."""
        return self.puzzle.solution(self.kind)


@operation(
    id="get_next_puzzle", method="GET", path="/v1/puzzles/next", tag=TAG, access="optional", query=PuzzleQuery,
    problems=("no_such_thing",), answers={200: Answer(type=Puzzle, says="A puzzle.")},
)  # fmt: skip
async def get_next_puzzle(call: Call[None, PuzzleQuery]) -> Response[bytes]:
    """Get a puzzle that you have not tried, near your rating; without a token the puzzle of the day.

    A repeat may return another one. `get_puzzle` finds it by its id. It never comes from a game of your own.
    """
    return reply(await show_puzzle(call.store, await next_for(call, call.caller, call.query), call.caller))


@operation(
    id="get_daily_puzzle", method="GET", path="/v1/puzzles/daily", tag=TAG, access="optional",
    problems=("no_such_thing",), answers={200: Answer(type=Puzzle, says="The puzzle of the day.")},
)  # fmt: skip
async def get_daily_puzzle(call: Call[None, None]) -> Response[bytes]:
    """Get the puzzle of this day of UTC, the same for everybody.

    It stays all day, unless its game is withdrawn: then another one follows.
    """
    return reply(await show_puzzle(call.store, await next_for(call, None, PuzzleQuery()), call.caller))


@operation(
    id="get_puzzle", method="GET", path="/v1/puzzles/{puzzle_id:uuid}", tag=TAG, access="optional",
     answers={200: Answer(type=Puzzle, says="The puzzle.")},
)  # fmt: skip
async def get_puzzle(call: Call[None, None]) -> Response[bytes]:
    """Get a puzzle.

    Players who have tried it see its solution and its game.
    """
    placed = await find_puzzle(call, call.id("puzzle_id"))
    return reply(await show_puzzle(call.store, placed, call.caller))


@operation(
    id="attempt_puzzle", method="POST", path="/v1/puzzles/{puzzle_id:uuid}/attempts", tag=TAG, access="optional",
    scope="games:play", keyless="The first attempt counts, and a repeat changes nothing.", body=AttemptBody,
    problems=("illegal",), answers={200: Answer(type=PuzzleAnswer, says="What the moves came to.")},
    examples={"the first move": {"commands": [
        {"type": "black_hole/move", "source": "tableau_14", "target": "foundation"},
    ]}},
)  # fmt: skip
async def attempt_puzzle(call: Call[AttemptBody, None]) -> Response[bytes]:
    """Try to solve a puzzle: its moves from the position on.

    While they are right and not all, say them again with the next one. The attempt is over with the first wrong move
    or with the last right one; a player's first is a game against the puzzle, rated by OpenSkill. A move that the rules
    forbid is refused and is no attempt. Without a token with `games:play` nothing is counted.
    """
    placed = await find_puzzle(call, call.id("puzzle_id"))
    run = None if call.body.run_id is None else await _own_run(call, call.body.run_id)
    puzzle, line = placed.puzzle, placed.line()
    outcome, state, lost = judge(placed.kind, placed.state, line, call.body.commands)
    is_over, player = outcome != "right", None if call.caller is None else call.caller.player
    counted = False
    if is_over and run is not None and run.current == puzzle.id:
        run = await runs.count_puzzle(call.store, run, solved=outcome == "solved")
    if is_over and player is not None:
        counted = await collection.count_attempt(call.store, player, puzzle, solved=outcome == "solved")
    return reply(PuzzleAnswer(
        puzzle_id=puzzle.id, outcome=outcome, position=_position(placed.kind, state), counted=counted,
        standing=None if player is None else await standing_of(call.store, player),
        solution=_solution(placed) if is_over else (), source=_source(placed) if is_over else None,
        lost=None if lost is None else _lost(placed, state, lost),
        run=None if run is None else await show_run(call, run),
    ))  # fmt: skip


@operation(
    id="start_puzzle_run", method="POST", path="/v1/puzzle-runs", tag=TAG, access="optional", scope="games:play",
    keyless="A repeat begins another run, and one that nobody goes on with counts nothing.",
    body=RunBody, answers={201: Answer(type=PuzzleRun, says="The run.")},
    examples={"three minutes": {"mode": "rush"}},
)  # fmt: skip
async def start_puzzle_run(call: Call[RunBody, None]) -> Response[bytes]:
    """Start a run of puzzles, each at least as hard as the one before.

    Attempts with its id lead from one puzzle to the next. Without a token it is among nobody's best.
    """
    return reply(await start_run(call, call.body.mode), 201)


@operation(
    id="get_puzzle_run", method="GET", path="/v1/puzzle-runs/{run_id:uuid}", tag=TAG, access="optional",
    problems=("no_such_thing",), answers={200: Answer(type=PuzzleRun, says="The run.")},
)  # fmt: skip
async def get_puzzle_run(call: Call[None, None]) -> Response[bytes]:
    """Get a run of yours, or one that was started without a token, within a week."""
    return reply(await find_run(call, call.id("run_id")))


@operation(
    id="get_puzzle_standing", method="GET", path="/v1/account/puzzles", tag=TAG, access="required",
    answers={200: Answer(type=PuzzleStanding, says="Your rating and counts.")},
)  # fmt: skip
async def get_puzzle_standing(call: Call[None, None]) -> Response[bytes]:
    """Tell your rating at puzzles, how many you have solved and missed, and your streaks."""
    return reply(await standing_of(call.store, call.player))


async def start_run(call: Call[Any, Any], mode: Mode) -> PuzzleRun:
    """A new run of the caller."""
    player = None if call.caller is None else call.caller.player
    return await show_run(call, await runs.begin_run(call.store, player, mode))


async def find_run(call: Call[Any, Any], run_id: UUID) -> PuzzleRun:
    """The caller's run, with another puzzle if its own was withdrawn; raises Refused."""
    run = await _own_run(call, run_id)
    while run.current is not None:
        puzzle = await collection.find(call.store, run.current)
        if puzzle is not None and await _place_puzzle(call, puzzle) is not None:
            break
        run = await runs.skip_puzzle(call.store, run)
    return await show_run(call, run)


async def _own_run(call: Call[Any, Any], run_id: UUID) -> runs.Run:
    run = await runs.find_run(call.store, run_id)
    if run is None or run.player not in (None, None if call.caller is None else call.caller.player):
        raise Refused("no_such_thing", "There is no such run.")
    return run


async def show_run(call: Call[Any, Any], run: runs.Run) -> PuzzleRun:
    """The run as its player sees it."""
    return PuzzleRun(
        id=run.id, mode=run.mode, solved=run.solved, missed=run.missed, misses=runs.MISSES[run.mode],
        ends_at=None if run.ends_at is None else shapes.moment(run.ends_at), puzzle_id=run.current,
        best_of_day=await best_of_day(call, run.mode),
    )  # fmt: skip


async def best_of_day(call: Call[Any, Any], mode: Mode) -> tuple[PuzzleRunPlace, ...]:
    """The players' best runs of this day of UTC."""
    places = await runs.best_of_day(call.store, mode, shapes.today())
    names = await call.accounts.names([player for player, _ in places])
    return tuple(PuzzleRunPlace(person(player, names), solved) for player, solved in places)


async def standing_of(store: EventStore, player: UUID) -> PuzzleStanding:
    """The player's rating and counts."""
    standing = await collection.standing_of(store, player)
    missed = standing.attempts - standing.solved
    return fill_struct(PuzzleStanding, standing, rating=show_rating(standing.rating), missed=missed)


async def next_for(call: Call[Any, Any], caller: Caller | None, query: PuzzleQuery) -> PlacedPuzzle:
    """A puzzle for this caller, the puzzle of the day for None; raises Refused where there is none."""
    store, placed, selection = call.store, None, Selection(query.game_type, query.theme, query.rating)
    while placed is None:
        if caller is None:
            puzzle = await collection.find_of_day(store, shapes.today(), selection)
        else:
            standing = await collection.standing_of(store, caller.player)
            puzzle = await collection.find_next(store, caller.player, standing.rating, selection)
        if puzzle is None:
            raise Refused("no_such_thing", "There is no such puzzle, or none that you have not tried.")
        placed = await _place_puzzle(call, puzzle)
    return placed


async def find_puzzle(call: Call[Any, Any], puzzle_id: UUID) -> PlacedPuzzle:
    """This puzzle; raises Refused."""
    puzzle = await collection.find(call.store, puzzle_id)
    placed = None if puzzle is None else await _place_puzzle(call, puzzle)
    if placed is None:
        raise Refused("no_such_thing", "There is no such puzzle.")
    return placed


async def _place_puzzle(call: Call[Any, Any], puzzle: StoredPuzzle) -> PlacedPuzzle | None:
    """The puzzle with its position; None if its game is no longer there or public: the puzzle is then deleted."""
    if puzzle.player == NOBODY and (deal := deal_puzzle(puzzle.game, puzzle.step)) is not None:
        return PlacedPuzzle(puzzle, *deal)
    try:
        game = await call.room.game(puzzle.game)
    except NoSuchGame:
        game = None
    if game is None or not is_open(game):
        await collection.forget(call.store, puzzle.game)
        return None
    replay = await call.area(LiveParts).replays.of(game)
    return PlacedPuzzle(puzzle, game.type, replay.after(puzzle.step).state)


async def show_puzzle(store: EventStore, placed: PlacedPuzzle, caller: Caller | None) -> Puzzle:
    """The puzzle as this caller sees it."""
    puzzle = placed.puzzle
    solved = None if caller is None else await collection.is_solved(store, caller.player, puzzle.id)
    return Puzzle(
        id=puzzle.id, position=_position(placed.kind, placed.state), themes=() if solved is None else puzzle.themes,
        moves=len(placed.line()), rating=show_rating(puzzle.rating), plays=puzzle.plays, solved=solved,
        solution=() if solved is None else _solution(placed), source=None if solved is None else _source(placed),
    )  # fmt: skip


def _position(kind: AnyGameType, state: Any) -> PuzzlePosition:
    return PuzzlePosition(
        game_type=kind.key,
        revision=kind.revision,
        options=msgspec.to_builtins(state.options),
        view=kind.look(state, ALL_SEEING),  # type: ignore[arg-type]  # the domain's View encodes alike
        commands=tuple(kind.legal_commands(state, 0)),
    )


def _solution(placed: PlacedPuzzle) -> tuple[LineMove, ...]:
    return tell_line(placed.kind, placed.state, [commands[0] for commands in placed.line()])


def _source(placed: PlacedPuzzle) -> PuzzleSource | None:
    """The stored game; None for a puzzle that came with the service."""
    if placed.rest is not None:
        return None
    return PuzzleSource(_solution(placed), placed.puzzle.game, placed.puzzle.step)


def _lost(placed: PlacedPuzzle, state: Any, lost: Lost) -> LostMove:
    kind, (move,) = placed.kind, tell_line(placed.kind, state, [lost.command])
    commands = placed.rest or [commands[0] for commands in placed.line()]
    moves, positions = commands[lost.number :][:_SHOWN], list[PuzzlePosition]()
    line = tell_line(kind, state, moves)
    for command in moves:
        state = state_after(kind, state, command)
        positions.append(_position(kind, state))
    return LostMove(move.sentence, len(kind.legal_commands(lost.state, 0)), line, tuple(positions))
