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
from service.api.viewing import RatingShown, show_rating
from service.http.operation import Answer, Call, operation, reply
from service.http.services import Services
from service.live import shapes
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
    """What is told once it was attempted: the solution, and the game whose position after `step` this is."""

    solution: tuple[LineMove, ...]
    game_id: UUID
    step: int


class PuzzlePosition(Struct, frozen=True, kw_only=True):
    """A position in which every card is known, and what the rules allow there."""

    game_type: str
    revision: int
    options: dict[str, Any]
    view: shapes.View
    commands: tuple[shapes.AnyPlayCommand, ...]


class Puzzle(Struct, frozen=True, kw_only=True):
    """A position in which one continuation wins, and all others lose.

    `moves`: how many the solution has. `plays`: first attempts that made the rating. `solved`: what came of your first
    attempt, `source` from then on, and `themes`, which tell of the solution; None and no themes before, and for whoever
    is not signed in.
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
    """How a player stands after so many first attempts; a streak is of those solved in a row."""

    rating: RatingShown
    attempts: int
    solved: int
    missed: int
    streak: int
    best_streak: int


class PuzzleAnswer(Struct, frozen=True, kw_only=True):
    """What the moves came to: `right`, it goes on from `position`; `solved`; or `wrong`, from `position` on.

    `counted`: it was a first attempt, which has changed the ratings. `standing`: yours; None without a player.
    """

    puzzle_id: UUID
    outcome: Outcome
    position: PuzzlePosition
    counted: bool
    standing: PuzzleStanding | None
    source: PuzzleSource | None


class Found(Struct, frozen=True):
    """A puzzle with its game as it stood there."""

    kept: StoredPuzzle
    game: Game
    state: Any


@operation(
    id="get_next_puzzle", method="GET", path="/v1/puzzles/next", tag=TAG, access="optional", query=PuzzleQuery,
    problems=("no_such_thing",), answers={200: Answer(type=Puzzle, says="A puzzle.")},
)  # fmt: skip
async def get_next_puzzle(call: Call[None, PuzzleQuery]) -> Response[bytes]:
    """Get a puzzle that you have not tried, near to your rating; without a token that of the day.

    Asked again it may be another one: puzzles come, and ratings move. Its id leads back to it. None is of a game of
    your own.
    """
    return reply(await show_puzzle(call.services, await next_for(call.services, call.caller, call.query), call.caller))


@operation(
    id="get_daily_puzzle", method="GET", path="/v1/puzzles/daily", tag=TAG, access="optional",
    problems=("no_such_thing",), answers={200: Answer(type=Puzzle, says="The puzzle of the day.")},
)  # fmt: skip
async def get_daily_puzzle(call: Call[None, None]) -> Response[bytes]:
    """Get the puzzle of this day of UTC, the same for everybody.

    It stays all day, unless its game is withdrawn: then another one follows.
    """
    return reply(await show_puzzle(call.services, await next_for(call.services, None, PuzzleQuery()), call.caller))


@operation(
    id="get_puzzle", method="GET", path="/v1/puzzles/{puzzle_id:uuid}", tag=TAG, access="optional",
    problems=("no_such_thing",), answers={200: Answer(type=Puzzle, says="The puzzle.")},
)  # fmt: skip
async def get_puzzle(call: Call[None, None]) -> Response[bytes]:
    """Get a puzzle.

    Its solution, and the game that it comes from, are told to players who have tried it.
    """
    found = await find_puzzle(call.services, call.id("puzzle_id"))
    return reply(await show_puzzle(call.services, found, call.caller))


@operation(
    id="attempt_puzzle", method="POST", path="/v1/puzzles/{puzzle_id:uuid}/attempts", tag=TAG, access="optional",
    scope="games:play", keyless="The first attempt counts, and a repeat changes nothing.",
    body=AttemptBody, problems=("no_such_thing", "illegal"),
    answers={200: Answer(type=PuzzleAnswer, says="What the moves came to.")},
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
    found, services = await find_puzzle(call.services, call.id("puzzle_id")), call.services
    kept, kind = found.kept, found.game.type
    line = kept.solution(kind)
    outcome, state = judge(kind, found.state, line, call.body.commands)
    is_over, player = outcome != "right", None if call.caller is None else call.caller.player
    counted = False
    if is_over and player is not None:
        counted = await collection.count_attempt(services.store, player, kept, solved=outcome == "solved")
    return reply(PuzzleAnswer(
        puzzle_id=kept.id, outcome=outcome, position=_position(found.game, state), counted=counted,
        standing=None if player is None else await standing_of(services, player),
        source=_source(found, line) if is_over else None,
    ))  # fmt: skip


@operation(
    id="get_puzzle_standing", method="GET", path="/v1/account/puzzles", tag=TAG, access="required",
    answers={200: Answer(type=PuzzleStanding, says="How you stand.")},
)  # fmt: skip
async def get_puzzle_standing(call: Call[None, None]) -> Response[bytes]:
    """Tell your rating at puzzles, how many you have solved and missed, and your streaks."""
    return reply(await standing_of(call.services, call.player))


async def standing_of(services: Services, player: UUID) -> PuzzleStanding:
    """How this player stands."""
    one = await collection.standing_of(services.store, player)
    return PuzzleStanding(
        rating=show_rating(one.rating), attempts=one.attempts, solved=one.solved, missed=one.attempts - one.solved,
        streak=one.streak, best_streak=one.best_streak,
    )  # fmt: skip


async def next_for(services: Services, caller: Caller | None, query: PuzzleQuery) -> Found:
    """A puzzle for this caller, for None that of the day; raises Refused where there is none."""
    store, found, wanted = services.store, None, Selection(query.game_type, query.theme, query.rating)
    while found is None:
        if caller is None:
            kept = await collection.find_of_day(store, shapes.today(), wanted)
        else:
            standing = await collection.standing_of(store, caller.player)
            kept = await collection.find_next(store, caller.player, standing.rating, wanted)
        if kept is None:
            raise Refused("no_such_thing", "There is no such puzzle, or none that you have not tried.")
        found = await _found(services, kept)
    return found


async def find_puzzle(services: Services, puzzle: UUID) -> Found:
    """This puzzle; raises Refused."""
    kept = await collection.find(services.store, puzzle)
    found = None if kept is None else await _found(services, kept)
    if found is None:
        raise Refused("no_such_thing", "There is no such puzzle.")
    return found


async def _found(services: Services, kept: StoredPuzzle) -> Found | None:
    """The puzzle with its position; None if not everybody may see its game any more: then it goes."""
    try:
        game = await services.room.game(kept.game)
    except NoSuchGame:
        game = None
    if game is None or not is_open(game):
        await collection.forget(services.store, kept.game)
        return None
    replay = await services.replays.of(game)
    return Found(kept, game, replay.after(kept.step).state)


async def show_puzzle(services: Services, found: Found, caller: Caller | None) -> Puzzle:
    """The puzzle as this caller sees it."""
    kept = found.kept
    line = kept.solution(found.game.type)
    solved = None if caller is None else await collection.is_solved(services.store, caller.player, kept.id)
    return Puzzle(
        id=kept.id, position=_position(found.game, found.state), themes=() if solved is None else kept.themes,
        moves=len(line), rating=show_rating(kept.rating), plays=kept.plays, solved=solved,
        source=None if solved is None else _source(found, line),
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


def _source(found: Found, line: Sequence[Sequence[Any]]) -> PuzzleSource:
    moves = tell_line(found.game.type, found.state, [commands[0] for commands in line])
    return PuzzleSource(moves, found.kept.game, found.kept.step)


HANDLERS = (get_next_puzzle, get_daily_puzzle, get_puzzle, attempt_puzzle, get_puzzle_standing)
