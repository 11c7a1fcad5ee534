"""Seasons over same-deal contests, the mean of a player's best days, and streaks of days.

A league's season is published when it is closed, and by each amendment after it.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from hashlib import sha256
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.league.rules import DayRules
from domain.record import DAY, Micros
from projections.contests.results import Kind, Score
from projections.engine.contract import Recorded, rank_key, reason_text

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
    return opens // DAY


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
    entries = list(days)
    values = {day.contest: day.score.value(rules) for day in entries}
    compared = sorted(((value, contest) for contest, value in values.items() if value is not None), reverse=True)
    best = compared[: rules.best]
    mean = sum((value for value, _ in best), Fraction(0)) / max(len(best), 1)
    chosen = {contest for _, contest in best}
    ratios = {contest: None if value is None else value.as_integer_ratio() for contest, value in values.items()}
    listed = (
        SeasonDay(day.contest, day.opens, day.score.kind, ratios[day.contest], day.contest in chosen) for day in entries
    )
    return SeasonRow(
        player=player, rules=rules.id, mean=mean.as_integer_ratio(), listed=len(compared) >= rules.least,
        days=tuple(listed), compared=len(compared), solved=sum(GOOD["solved"](day.score) for day in entries),
    )  # fmt: skip


def sort_of(row: SeasonRow) -> bytes | None:
    """Listed by the mean alone: equal means share the place."""
    return rank_key(row.mean[0] * _FINE // row.mean[1]) if row.listed else None


def streak(player: UUID, days: Iterable[DayScore]) -> Streak:
    """The streaks that these days make, in their order."""
    result = Streak(player)
    for day in days:
        result = extended_streak(result, day)
    return result


def extended_streak(before: Streak, day: DayScore) -> Streak:
    """The streaks after a day that is later than all days in them."""
    runs = {name: _extended_run(getattr(before, name), day.day) for name, good in GOOD.items() if good(day.score)}
    return replace(before, **runs)


def _extended_run(run: Run, day: int) -> Run:
    length = run.length + (day > run.last) if day - run.last <= 1 and run.length else 1
    return Run(length, max(run.best, length), day)


class PublishedRow(Struct, frozen=True):
    """A player's row and place; equal means share it, None: too few days."""

    place: int | None
    row: SeasonRow


class PublishedSeason(Struct, frozen=True, kw_only=True):
    """The season as everybody was told at this position: number 0 when it was closed, then the amendments."""

    number: int
    position: int
    at: Micros
    hash: str
    because: str
    rows: tuple[PublishedRow, ...]


def published_season(number: int, rows: Iterable[SeasonRow], recorded: Recorded) -> PublishedSeason:
    """What these rows say, published because of this event: best first, those who are not listed last."""
    record, sorts = recorded.record, [(row, sort_of(row)) for row in rows]
    ordered = sorted((sort for _, sort in sorts if sort is not None), reverse=True)
    made = [PublishedRow(1 + ordered.index(sort) if sort else None, row) for row, sort in sorts]
    placed = tuple(sorted(made, key=lambda entry: (entry.place or len(made) + 1, entry.row.player)))
    return PublishedSeason(
        number=number, position=recorded.position, at=record.time, hash=digest(placed), rows=placed,
        because=reason_text(record.event),
    )  # fmt: skip


def digest(rows: Iterable[PublishedRow]) -> str:
    """SHA-256, in hex, of a JSON array of rows without any space.

    A row is [player, place, [numerator, denominator] of the mean, days compared, days solved, days]; a day is
    [contest, kind, [numerator, denominator] of its value, whether it is counted]; what there is not is null. The form
    is fixed: it does not follow a change of the documents.
    """
    canonical = [
        [row.player, place, row.mean, row.compared, row.solved,
         [[day.contest, day.kind, day.value, day.counted] for day in row.days]]
        for place, row in ((entry.place, entry.row) for entry in rows)
    ]  # fmt: skip
    return sha256(msgspec.json.encode(canonical)).hexdigest()
