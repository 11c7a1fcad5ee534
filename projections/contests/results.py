"""The results of one same-deal contest: who is ranked, in which order, and what each is worth against the field
(matchpoints, or IMPs).

Rulings of ours where the sources are silent: whoever was dealt the cards and made no move has made no attempt. An
attempt that was not over when its sealing key was given up is shown as unreadable and never compared, even if the key
comes back: by then the deal is public. Where points are compared, an attempt given up is placed behind every one
played to its end, and in IMPs it is worth no more than the worst of those: otherwise leaving a poor hand would pay.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import ForPoints, LowestScore
from domain.contest.events import Announced
from domain.games import GAME_TYPES
from domain.league.rules import DayRules
from domain.play import events as game_ev
from domain.play.deciding import TOO_LONG
from domain.play.endings import CONTEST_OVER
from domain.record import Micros
from projections.engine.contract import rank_key
from projections.games.counted_games import Play

# The scale of Law 78B of the Laws of Duplicate Bridge: the least difference for each number of IMPs from 1 on.
_IMPS = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000,
    3500, 4000,
)  # fmt: skip


Kind = Literal["ranked", "not_clean", "void", "no_attempt", "fresh_account", "unreadable"]
Key = tuple[int, ...]
_GIVEN_UP = ("resigned", "timed_out", CONTEST_OVER, TOO_LONG)


class Attempt(Struct, frozen=True, omit_defaults=True):
    """One player's attempt at a contest. `unreadable`: the contest was closed without it, for its key was given up.

    `seasoned`: how many games the player had played to their end before entering, as far as the rules ask.
    """

    contest: UUID
    player: UUID
    entered_at: Micros
    play: Play
    unreadable: bool = False
    seasoned: int = 0


class Score(Struct, frozen=True, kw_only=True):
    """A row of a contest's results. Of the attempts that are ranked `place` counts from 1, `of` is how many they are.

    `kind`: `ranked`; `not_clean` (with undo); `void`; `no_attempt` (given up before the first move);
    `fresh_account` (entered with fewer games behind them than the rules ask); `unreadable` (no
    moves and no time are told of it: what it had come to is not known). `completed`: it
    was played to its end. `percent` is the share of matchpoints as a fraction, None in a field of one; `imps` are
    against the average of the field. `outcome`: what came of it in words, where the game tells any.
    """

    player: UUID
    game: UUID
    kind: Kind
    solved: bool
    completed: bool
    clean: bool
    score: int | None
    moves: int
    took: Micros
    place: int | None = None
    of: int = 0
    points: int = 0
    percent: tuple[int, int] | None = None
    imps: int | None = None
    outcome: str = ""

    def value(self, rules: DayRules) -> Fraction | None:
        """What it gives to a season: the share of matchpoints, or IMPs; None where it was not compared."""
        if self.kind != "ranked" or self.percent is None:
            return None
        return Fraction(self.imps or 0) if rules.scoring == "imps" else Fraction(*self.percent)


def scores(announced: Announced, attempts: Iterable[Attempt]) -> list[Score]:
    """The result of every attempt that is over, as it counts; matchpoints among those that are ranked."""
    all_scores = [score for attempt in attempts if (score := _score_unplaced(announced.rules, attempt)) is not None]
    ranked = [score for score in all_scores if score.kind == "ranked"]
    placed = {score.player: score for score in _placed_scores(announced, ranked)}
    return [placed.get(score.player, score) for score in all_scores]


def _score_unplaced(rules: DayRules, attempt: Attempt) -> Score | None:
    play = attempt.play
    if attempt.unreadable:
        return Score(
            player=attempt.player, game=play.game, kind="void" if play.voided else "unreadable",
            solved=False, completed=False, clean=False, score=None, moves=0, took=0,
        )  # fmt: skip
    return None if (result := play.result) is None else _finished_score(rules, attempt, result)


def _finished_score(rules: DayRules, attempt: Attempt, result: game_ev.Finished) -> Score:
    play = attempt.play
    return Score(
        player=attempt.player, game=play.game, kind=_kind(rules, attempt, result), solved=result.ending == "won",
        completed=result.ending != "abandoned" and result.reason not in _GIVEN_UP, clean=result.undos == 0,
        score=result.scores[0] if result.scores else None, moves=result.moves, took=play.finished_at - play.opened_at,
        outcome=result.outcome,
    )  # fmt: skip


def _kind(rules: DayRules, attempt: Attempt, result: game_ev.Finished) -> Kind:
    if not attempt.play.counts_within:
        return "void"
    if result.moves == 0 and result.ending != "won":
        return "no_attempt"
    if attempt.seasoned < rules.seasoned:
        return "fresh_account"
    return "not_clean" if rules.clean_only and result.undos else "ranked"


def _placed_scores(announced: Announced, ranked: Sequence[Score]) -> Iterator[Score]:
    keys = [key_of(announced, score) for score in ranked]
    imps_ = against_the_field(ranked) if announced.rules.scoring == "imps" else [None] * len(ranked)
    for score, place, points, own in zip(ranked, places(keys), matchpoints(keys), imps_, strict=True):
        share = percentage(points, len(ranked))
        percent = None if share is None else share.as_integer_ratio()
        yield replace(score, place=place, of=len(ranked), points=points, percent=percent, imps=own)


def key_of(announced: Announced, score: Score) -> Key:
    """What orders results of one deal, the greatest first, by the kind of game.

    All or nothing: solved, cards home, fewer moves, less time. Lowest score: fewer cards left instead. Where a game is
    played for points: played to its end, points, and less time if the rules want it.
    """
    kind, time = GAME_TYPES[announced.game_type], (-score.took,) if announced.rules.time_counts else ()
    points = (0, 0) if score.score is None else (1, -score.score if kind.has(LowestScore) else score.score)
    if kind.has(ForPoints):
        return (int(score.completed), *points, *time)
    return (int(score.solved), *points, -score.moves, *time)


_UNRANKED: tuple[Kind, ...] = ("void", "no_attempt", "not_clean", "unreadable", "fresh_account")


def sort_of(score: Score) -> bytes:
    """The ranked ones by place, then the others by kind."""
    return rank_key(0, _UNRANKED.index(score.kind)) if score.place is None else rank_key(1, -score.place)


def against_the_field(ranked: Sequence[Score]) -> list[int | None]:
    """IMPs for the difference from the rounded average of the field."""
    worst = min((score.score or 0 for score in ranked if score.completed), default=None)
    points = [
        min(score.score or 0, score.score or 0 if worst is None or score.completed else worst) for score in ranked
    ]
    average = datum(points) if points else 0
    return [imps(own - average) for own in points]


def matchpoints(results: Sequence[tuple[int, ...]]) -> list[int]:
    """Two for each result that is beaten and one for each that is equalled; greater tuples are better.

    They add up to n(n-1) over n results.
    """
    ordered = sorted(results)
    return [bisect_left(ordered, own) + bisect_right(ordered, own) - 1 for own in results]


def places(results: Sequence[tuple[int, ...]]) -> list[int]:
    """By result its place, counted from 1; equal ones share it."""
    ordered = sorted(results)
    return [1 + len(ordered) - bisect_right(ordered, own) for own in results]


def percentage(points: int, field: int) -> Fraction | None:
    """The share of the most matchpoints there are in a field of so many; None for one alone, who has met nobody."""
    return Fraction(points, 2 * (field - 1)) if field > 1 else None


def imps(difference: int) -> int:
    """A difference of points on the scale of IMPs."""
    scale = bisect_right(_IMPS, abs(difference))
    return scale if difference >= 0 else -scale


def datum(points: Sequence[int]) -> int:
    """The average of the field, rounded to the nearest ten, halves away from nought (as Butler scoring has it)."""
    average = Fraction(sum(points), len(points))
    tens = int(abs(average) / 10 + Fraction(1, 2))
    return 10 * tens if average >= 0 else -10 * tens
