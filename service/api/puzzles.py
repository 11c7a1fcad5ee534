"""Puzzles: positions of finished games at which exactly one continuation still wins."""

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.play.aggregate import Game
from domain.view import ALL_SEEING
from service import problems
from service.accounts.access import Caller
from service.analysis.report import LineMove, tell_line
from service.api.viewing import RatingShown, fill_struct, show_rating
from service.event_store.store import EventStore
from service.http.operation import Answer, Call, operation, reply
from service.live import shapes
from service.live.replay import LiveParts
from service.live.seats import NoSuchGame
from service.problems import Refused
from service.puzzles import collection
from service.puzzles.collection import Band, Selection, StoredPuzzle
from service.puzzles.mining import LONGEST, Outcome, Theme, is_open, judge

TAG = "puzzles"
_GAME_TYPE = "A game type's key; left out, any."
_THEME = (
    "What the solution does. `dig_for_ace`: cards come off a column with an ace under them; `empty_column`: one is "
    "emptied, or filled; `full_cells`: a move while every cell is taken; `last_pass`: one while the stock is out and "
    "does not come again; `two_of_a_rank`: one of two cards of a rank that could both go there; `end_play`: at most a "
    "quarter of a pack is left at the beginning."
)
_RATING = "`easier`: rated a point below you or more, `harder`: above; without a token, than a new player is."
AnyTheme = Annotated[Theme, Meta(description=_THEME)]


class PuzzleQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which puzzles are meant."""

    game_type: Annotated[str, Meta(max_length=40, pattern=problems.KEY, description=_GAME_TYPE)] | None = None
    theme: AnyTheme | None = None
    rating: Annotated[Band, Meta(description=_RATING)] | None = None


class AttemptBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The moves from the puzzle's position on."""

    commands: Annotated[tuple[shapes.AnyPlayCommand, ...], Meta(min_length=1, max_length=LONGEST)]


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


class Puzzle(Struct, frozen=True, kw_only=True):
    """A position in which one continuation wins, and all others lose.

    `moves`: how many the solution has. `plays`: first attempts that made the rating. `solved`: the result of your first
    attempt. `source` and `themes`, which hint at the solution, come with it; before, and without signing in, they are
    null and empty.
    """

    id: UUID
    position: PuzzlePosition
    themes: tuple[AnyTheme, ...]
    moves: int
    rating: RatingShown
    plays: int
    solved: bool | None
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

    `counted`: it was a first attempt, which has changed the ratings. `standing`: yours; None without a player.
    """

    puzzle_id: UUID
    outcome: Outcome
    position: PuzzlePosition
    counted: bool
    standing: PuzzleStanding | None
    source: PuzzleSource | None


class PlacedPuzzle(Struct, frozen=True):
    """A puzzle with its game and its position."""

    puzzle: StoredPuzzle
    game: Game
    state: Any


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
    puzzle, kind = placed.puzzle, placed.game.type
    line = puzzle.solution(kind)
    outcome, state = judge(kind, placed.state, line, call.body.commands)
    is_over, player = outcome != "right", None if call.caller is None else call.caller.player
    counted = False
    if is_over and player is not None:
        counted = await collection.count_attempt(call.store, player, puzzle, solved=outcome == "solved")
    return reply(PuzzleAnswer(
        puzzle_id=puzzle.id, outcome=outcome, position=_position(placed.game, state), counted=counted,
        standing=None if player is None else await standing_of(call.store, player),
        source=_source(placed, line) if is_over else None,
    ))  # fmt: skip


@operation(
    id="get_puzzle_standing", method="GET", path="/v1/account/puzzles", tag=TAG, access="required",
    answers={200: Answer(type=PuzzleStanding, says="Your rating and counts.")},
)  # fmt: skip
async def get_puzzle_standing(call: Call[None, None]) -> Response[bytes]:
    """Tell your rating at puzzles, how many you have solved and missed, and your streaks."""
    return reply(await standing_of(call.store, call.player))


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
    """The puzzle with its position; None if its game is no longer public: the puzzle is then deleted."""
    try:
        game = await call.room.game(puzzle.game)
    except NoSuchGame:
        game = None
    if game is None or not is_open(game):
        await collection.forget(call.store, puzzle.game)
        return None
    replay = await call.area(LiveParts).replays.of(game)
    return PlacedPuzzle(puzzle, game, replay.after(puzzle.step).state)


async def show_puzzle(store: EventStore, placed: PlacedPuzzle, caller: Caller | None) -> Puzzle:
    """The puzzle as this caller sees it."""
    puzzle = placed.puzzle
    line = puzzle.solution(placed.game.type)
    solved = None if caller is None else await collection.is_solved(store, caller.player, puzzle.id)
    return Puzzle(
        id=puzzle.id, position=_position(placed.game, placed.state), themes=() if solved is None else puzzle.themes,
        moves=len(line), rating=show_rating(puzzle.rating), plays=puzzle.plays, solved=solved,
        source=None if solved is None else _source(placed, line),
    )  # fmt: skip


def _position(game: Game, state: Any) -> PuzzlePosition:
    kind = game.type
    return PuzzlePosition(
        game_type=kind.key,
        revision=kind.revision,
        options=game.opening.options,
        view=kind.look(state, ALL_SEEING),  # type: ignore[arg-type]  # the domain's View encodes alike
        commands=tuple(kind.legal_commands(state, 0)),
    )


def _source(placed: PlacedPuzzle, line: Sequence[Sequence[Any]]) -> PuzzleSource:
    moves = tell_line(placed.game.type, placed.state, [commands[0] for commands in line])
    return PuzzleSource(moves, placed.puzzle.game, placed.puzzle.step)
