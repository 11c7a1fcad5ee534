"""Seasons over same-deal contests, the mean of a player's best days, and streaks of days."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.league.rules import DayRules
from domain.record import Micros
from projections.contests.results import Kind, Score
from projections.engine.contract import rank_key

_FINE = 10**17
"""Means are ordered by whole parts of this size: the 24 IMPs there are at most fit into a sort's 63 bits."""


class DayScore(Struct, frozen=True):
    """A player's result of one contest, as seasons and streaks take it; `opens` is when its day began."""

    contest: UUID
    opens: Micros
    score: Score

    @property
    def day(self) -> int:
        """The UTC day of the deal."""
        return day_of(self.opens)


def day_of(opens: Micros) -> int:
    """The UTC day, counted from 1970-01-01."""
    return opens // 86_400_000_000


class SeasonDay(Struct, frozen=True):
    """What one contest gives to a player's season: a fraction, None where it was not compared."""

    contest: UUID
    opens: Micros
    kind: Kind
    value: tuple[int, int] | None
    counted: bool


class SeasonRow(Struct, frozen=True, kw_only=True):
    """A player's season: the mean over the best days; `compared` and `solved` count the days that were."""

    player: UUID
    rules: str
    days: tuple[SeasonDay, ...]
    mean: tuple[int, int]
    listed: bool
    compared: int
    solved: int


class Run(Struct, frozen=True):
    """Days in a row: those up to the `last` one, and the most there ever were."""

    length: int = 0
    best: int = 0
    last: int = -1


class Streak(Struct, frozen=True):
    """A player's days in a row at one game type, by the UTC day of the deal: days that rank, and days that solved."""

    player: UUID
    ranked: Run = Run()
    solved: Run = Run()


GOOD: dict[str, Callable[[Score], bool]] = {
    "ranked": lambda score: score.kind == "ranked",
    "solved": lambda score: score.kind == "ranked" and score.solved,
}
"""What makes a day one of each kind of run."""


def season_row(player: UUID, rules: DayRules, days: Iterable[DayScore]) -> SeasonRow:
    """The mean over the best days. A missed day does not count; with fewer days than `least` the row is not listed."""
    kept = list(days)
    values = {one.contest: one.score.value(rules) for one in kept}
    compared = sorted(((value, contest) for contest, value in values.items() if value is not None), reverse=True)
    best = compared[: rules.best]
    mean = sum((value for value, _ in best), Fraction(0)) / max(len(best), 1)
    chosen = {contest for _, contest in best}
    return SeasonRow(
        player=player, rules=rules.id, mean=mean.as_integer_ratio(), listed=len(compared) >= rules.least,
        days=tuple(_day(one, values[one.contest], one.contest in chosen) for one in kept), compared=len(compared),
        solved=sum(GOOD["solved"](one.score) for one in kept),
    )  # fmt: skip


def _day(one: DayScore, value: Fraction | None, counted: bool) -> SeasonDay:
    ratio = None if value is None else value.as_integer_ratio()
    return SeasonDay(one.contest, one.opens, one.score.kind, ratio, counted)


def sort_of(row: SeasonRow) -> bytes | None:
    """Listed by the mean alone: equal means share the place."""
    return rank_key(row.mean[0] * _FINE // row.mean[1]) if row.listed else None


def streak(player: UUID, days: Iterable[DayScore]) -> Streak:
    """The streaks that these days make, in their order."""
    found = Streak(player)
    for one in days:
        found = extended_streak(found, one)
    return found


def extended_streak(found: Streak, one: DayScore) -> Streak:
    """The streaks after a day that is later than all days in them."""
    runs = {name: _extended_run(getattr(found, name), one.day) for name, good in GOOD.items() if good(one.score)}
    return replace(found, **runs)


def _extended_run(run: Run, day: int) -> Run:
    length = run.length + (day > run.last) if day - run.last <= 1 and run.length else 1
    return Run(length, max(run.best, length), day)
