"""What each move of a game of several was worth: the mover's share of the win, before it and after.

A share is the mean over worlds that the mover could not tell apart, each played on greedily by all seats: for ten
turns, and where the game has not ended by then an estimate fitted to earlier games judges the position. The same worlds
and lots are played with the move and without it, so that most of their luck falls out of the difference. All moves are
looked at in a few worlds, those that seem to matter in many fresh ones: a move is not called large for the luck by
which it was chosen.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from heapq import nlargest
from math import sqrt
from random import Random
from statistics import fmean, variance
from typing import Annotated, Any, NamedTuple, cast

import msgspec
from msgspec import Meta, Struct

from domain.capabilities import Resample
from domain.chance import Chance
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.verify import records_by_step
from domain.view import Seat
from service.analysis.report import Complete, tell_end
from service.house.engine import GreedyPlay

_FEW, _MANY = 4, 40
"""Worlds for every move, and for those that seem to matter."""
_CANDIDATES = 8
_TURNS = 10
"""Turns after which a world is judged instead of played on."""


class Move(NamedTuple):
    """A move of a game: the state it was made in, by which seat, and the command."""

    step: int
    seat: Seat
    state: Any
    command: Struct


class Swing(Struct, frozen=True):
    """How a move changed the mover's share of the win, each 0 to 1: against a greedy move in the same worlds.

    Each of the `worlds` is played on for ten turns and then judged by an estimate, unless it has ended. `error`: the
    standard error of `after` - `before` over them; `level_error`: that of `after` alone, null in earlier reports.
    """

    step: int
    seat: Seat
    before: float
    after: float
    error: float
    worlds: int
    level_error: float | None = None

    @property
    def size(self) -> float:
        """How far the share moved."""
        return abs(self.after - self.before)

    @property
    def is_told_from_luck(self) -> bool:
        """Whether it is more than two standard errors."""
        return self.size > 2 * self.error


class Outcome(NamedTuple):
    """The mover's shares of one world: with a greedy move, and with the move that was made."""

    before: float
    after: float


def moves_of(records: Iterable[AnyRecord]) -> list[Move]:
    """The moves that were made on turn, in their order."""
    game: Game | None = None
    moves = []
    for step in records_by_step(tuple(records)):
        seat, command, state = step[0].seat, step[0].command, cast(Any, game and game.state)
        if game and state is not None and seat == state.turn and isinstance(command, game.type.commands):
            moves.append(Move(step[0].step, state.turn, state, command))
        game = fold(step, game)
    return moves


class Judge:
    """Judges the moves of one game; the same game is judged alike on every machine."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._options: dict[str, Any] = msgspec.to_builtins(game.options)

    def swing(self, move: Move, worlds: range) -> Swing:
        """The swing of this move in the worlds of these numbers, two or more."""
        shares = [self._play(move, number) for number in worlds]
        before, after = fmean(share.before for share in shares), fmean(share.after for share in shares)
        error = sqrt(variance([share.after - share.before for share in shares]) / len(shares))
        level_error = sqrt(variance([share.after for share in shares]) / len(shares))
        return Swing(move.step, move.seat, before, after, error, len(shares), level_error)

    def _play(self, move: Move, number: int) -> Outcome:
        lot = sha256(b"%s/%d/%d" % (self._game.id.bytes, move.step, number)).digest()
        world = self._game.type.get(Resample).draw(move.state, move.seat, Chance(lot))
        play = self._greedy_play(lot)
        greedy = play.rank(world, move.seat)[0]
        before = self._share(play, play.state_after(world, move.seat, greedy), move.seat)
        if greedy == move.command:
            return Outcome(before, before)
        play = self._greedy_play(lot)
        return Outcome(before, self._share(play, play.state_after(world, move.seat, move.command), move.seat))

    def _greedy_play(self, lot: bytes) -> GreedyPlay:
        return GreedyPlay(self._game.type, self._options, Random(lot))

    def _share(self, play: GreedyPlay, state: Struct, seat: Seat) -> float:
        return play.share(play.play(state, _TURNS), seat)


def judge_moves(game: Game, moves: Sequence[Move], earlier: Iterable[Swing] = ()) -> Iterator[Swing]:
    """A swing for each move, first in few worlds; then those that seem to matter again, in many others.

    The `earlier` swings are not judged again.
    """
    judge, seen = Judge(game), {(swing.step, swing.worlds): swing for swing in earlier}
    for move in moves:
        if (move.step, _FEW) not in seen:
            yield seen.setdefault((move.step, _FEW), judge.swing(move, range(_FEW)))
    first = [swing for swing in seen.values() if swing.worlds == _FEW and swing.size]
    largest = {swing.step for swing in nlargest(_CANDIDATES, first, key=lambda swing: (swing.size, swing.step))}
    for move in moves:
        if move.step in largest and (move.step, _MANY) not in seen:
            yield judge.swing(move, range(_FEW, _FEW + _MANY))


def expected_swings(moves: Sequence[Move]) -> int:
    """How many swings `judge_moves` finds at most."""
    return len(moves) + min(_CANDIDATES, len(moves))


class SeveralReport(Struct, frozen=True, tag_field="kind", tag="several"):
    """What the moves of a game of several were worth.

    `swings`: one for each move on turn, in four worlds: they choose what is looked at again and are too few to draw a
    curve of (see `level_error`). `moments`: the largest that are no luck, in forty other worlds, the largest first.
    """

    swings: tuple[Swing, ...]
    moments: tuple[Swing, ...]
    sentences: Annotated[tuple[str, ...], Meta(min_length=3, max_length=3, description="It all, in three.")]
    complete: Complete = False


def report_swings(swings: Sequence[Swing], *, complete: bool = True) -> SeveralReport:
    """The report of these swings; `complete`: there are no more."""
    curve, moments = [swing for swing in swings if swing.worlds == _FEW], largest_swings(swings)
    sentences = []
    for swing in moments:
        shares = f"from {swing.before:.0%} to {swing.after:.0%}".replace("%", " %")
        sentences.append(f"At step {swing.step} the share of Player {swing.seat + 1} went {shares}.")
    sentences += ["No other move is known to have changed much."] * (3 - len(sentences))
    return SeveralReport(tuple(curve), tuple(moments), tell_end(tuple(sentences), complete), complete)


def largest_swings(swings: Iterable[Swing], most: int = 3) -> list[Swing]:
    """The game's moments: the largest swings that were judged in many worlds and are no luck, the largest first."""
    sure = [swing for swing in swings if swing.worlds >= _MANY and swing.is_told_from_luck]
    return nlargest(most, sure, key=lambda swing: swing.size)
