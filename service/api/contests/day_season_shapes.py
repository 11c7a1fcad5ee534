"""Seasons over same-deal contests as they go over the wire."""

from typing import Annotated, Literal, NamedTuple
from uuid import UUID

from msgspec import Meta, Struct

from domain.league.rules import DayRules
from projections.contests.results import Kind
from projections.contests.seasons import PublishedRow, PublishedSeason, SeasonDay, SeasonRow, Streak
from service.accounts.names import Names, Person, person
from service.api.paging import LogPosition
from service.api.showing import fill_struct
from service.live import shapes

HASH = (
    "SHA-256, in hex, of a JSON array of the rows without any space. A row is [id of the player, place, exact,"
    " compared, solved, days], a day [contest_id, kind, value, counted]; what there is not is null."
)


class SeasonDayShown(Struct, frozen=True, kw_only=True):
    """What one contest gives to a season: percent or IMPs, and whether it is among the best.

    `value` None: it was not compared, because it is not ranked or nobody else was.
    """

    contest_id: UUID
    opens: shapes.Time
    kind: Kind
    value: float | None
    counted: bool


class SeasonRowShown(Struct, frozen=True, kw_only=True):
    """A player's season. `mean` over the best days, rounded to two places; `rank` None: too few days yet.

    `compared` and `solved` count days. The streaks are of the game type, whatever the season: days of the deal in a
    row that were ranked, and that were solved, up to the newest day that is closed; None in a league's season.
    """

    rank: int | None
    player: Person
    mean: float
    days: tuple[SeasonDayShown, ...]
    compared: int
    solved: int
    streak: int | None
    best_streak: int | None
    solved_streak: int | None
    best_solved_streak: int | None


Ratio = Annotated[tuple[int, int], Meta(description="Numerator and denominator.")]


class PublishedDay(Struct, frozen=True, kw_only=True):
    """What a contest gave to a season that is published; `value` is exact, None where nothing was compared."""

    contest_id: UUID
    kind: Kind
    value: Ratio | None
    counted: bool


class PublishedPlace(Struct, frozen=True, kw_only=True):
    """A player's row as it was published; `place` None: too few days. `exact` is the mean, as the hash takes it."""

    place: int | None
    player: Person
    mean: float
    exact: Ratio
    compared: int
    solved: int
    days: tuple[PublishedDay, ...]


class PublishedStandings(Struct, frozen=True, kw_only=True):
    """A league's season as it was published: number 0 when it was closed, then the amendments."""

    number: int
    log_position: LogPosition
    at: shapes.Time
    hash: Annotated[str, Meta(description=HASH)]
    because: str
    rows: tuple[PublishedPlace, ...]


class DaySeason(Struct, frozen=True, kw_only=True):
    """A page of a season over same-deal days, best first; `least_days` are needed to be listed, `best_days` count."""

    of: Annotated[str, Meta(description="The game type, or the league's id.")]
    period: Annotated[str, Meta(description="The month, or the number of the league's season.")]
    rules: str
    scoring: Literal["matchpoints", "imps"]
    least_days: int
    best_days: int
    listed: int
    rows: tuple[SeasonRowShown, ...]
    published: Annotated[tuple[PublishedStandings, ...], Meta(description="Of a league's closed season, oldest first.")]
    next: str | None
    log_position: LogPosition


class DayStanding(Struct, frozen=True, kw_only=True):
    """One player's row of a season, listed or not: why they stand there."""

    rules: str
    row: SeasonRowShown
    log_position: LogPosition


class Streaks(NamedTuple):
    """A player's streaks and the newest day that is closed, where the season has streaks."""

    found: Streak
    newest: int


def season_row(
    found: SeasonRow, rank: int | None, rules: DayRules, names: Names, streaks: Streaks | None
) -> SeasonRowShown:
    return SeasonRowShown(
        rank=rank, player=person(found.player, names), mean=_value(found.mean, rules), compared=found.compared,
        solved=found.solved, days=tuple(_day(one, rules) for one in found.days), **_streaks(streaks),
    )  # fmt: skip


def publish_standings(found: PublishedSeason, rules: DayRules, names: Names) -> PublishedStandings:
    return fill_struct(
        PublishedStandings, found, log_position=str(found.position), at=shapes.moment(found.at),
        rows=tuple(_place(one, rules, names) for one in found.rows),
    )  # fmt: skip


def _place(one: PublishedRow, rules: DayRules, names: Names) -> PublishedPlace:
    row = one.row
    return PublishedPlace(
        place=one.place, player=person(row.player, names), mean=_value(row.mean, rules), exact=row.mean,
        compared=row.compared, solved=row.solved,
        days=tuple(fill_struct(PublishedDay, day, contest_id=day.contest) for day in row.days),
    )  # fmt: skip


def _streaks(streaks: Streaks | None) -> dict[str, int | None]:
    """Current and best streaks; a streak whose last day is before the newest closed day counts as 0."""
    if streaks is None:
        return dict.fromkeys(("streak", "best_streak", "solved_streak", "best_solved_streak"))
    newest, ranked, solved = streaks.newest, streaks.found.ranked, streaks.found.solved
    return {
        "streak": ranked.length if ranked.last >= newest else 0, "best_streak": ranked.best,
        "solved_streak": solved.length if solved.last >= newest else 0, "best_solved_streak": solved.best,
    }  # fmt: skip


def _day(one: SeasonDay, rules: DayRules) -> SeasonDayShown:
    value = None if one.value is None else _value(one.value, rules)
    return fill_struct(SeasonDayShown, one, contest_id=one.contest, opens=shapes.moment(one.opens), value=value)


def _value(fraction: tuple[int, int], rules: DayRules) -> float:
    return round((1 if rules.scoring == "imps" else 100) * fraction[0] / fraction[1], 2)
