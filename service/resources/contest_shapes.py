"""Same-deal contests as they go over the wire."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.chance import bound
from domain.contest.events import Certificate
from domain.games import REVISIONS
from domain.league.rules import DayRules
from projections.days import ContestRow, Score, SeasonRow
from service import wire
from service.resources.league_shapes import Person, person
from service.resources.pages import LogPosition

Names = Mapping[UUID, str]


class ContestShown(Struct, frozen=True, kw_only=True):
    """A contest: the same cards for everybody who enters.

    `commitment` was published with it: as a game's proof has it, over `bound` and the seed, which is told once the
    contest is closed. `certificate`: what a solver told of the deal within so many positions. `your_game` is your
    attempt. Attempts begin from `opens` until `closes`; results come after `results`.
    """

    id: UUID
    game_type: str
    revision: int
    options: dict[str, Any]
    rules: DayRules
    day: str | None
    league: UUID | None
    opens: datetime
    closes: datetime
    results: datetime
    commitment: str
    bound: str
    seed: str | None
    certificate: Certificate
    positions: int
    entries: int
    closed: bool
    your_game: UUID | None
    log_position: LogPosition


class ContestList(Struct, frozen=True):
    """A page of contests, newest first."""

    contests: tuple[ContestShown, ...]
    next: str | None
    log_position: LogPosition


class ScoreShown(Struct, frozen=True, kw_only=True):
    """A result. `kind`: `ranked`, `not_clean`, `void` or `no_attempt`; of the ranked ones `place` counts from 1.

    `points` are matchpoints, two for each result that is beaten and one for each that is equalled; `percent` is their
    share of the most there are, rounded to two places; `imps` are against the average of the field.
    """

    place: int | None
    player: Person
    game: UUID
    kind: str
    solved: bool
    clean: bool
    score: int | None
    moves: int
    seconds: float
    points: int
    of: int
    percent: float
    imps: int | None


class Results(Struct, frozen=True, kw_only=True):
    """A page of a closed contest's results, best first, then those that are not ranked."""

    contest: UUID
    results: tuple[ScoreShown, ...]
    next: str | None
    log_position: LogPosition


class SeasonDayShown(Struct, frozen=True, kw_only=True):
    """What one contest gives to a season: percent or IMPs, and whether it is among the best."""

    contest: UUID
    value: float
    counted: bool


class SeasonRowShown(Struct, frozen=True, kw_only=True):
    """A player's season. `mean` over the best days, rounded to two places; `rank` None: too few days yet."""

    rank: int | None
    player: Person
    mean: float
    days: tuple[SeasonDayShown, ...]
    solved: int
    streak: int
    best_streak: int
    solved_streak: int


class DaySeason(Struct, frozen=True, kw_only=True):
    """A page of a season over same-deal days, best first."""

    rules: str
    listed: int
    rows: tuple[SeasonRowShown, ...]
    next: str | None
    log_position: LogPosition


def contest(row: ContestRow, own: UUID | None, position: str) -> ContestShown:
    """A contest as this caller sees it."""
    said = row.announced
    kind = REVISIONS[said.game_type, said.revision]
    options = wire.read(said.options, kind.options)
    return ContestShown(
        id=row.contest, game_type=said.game_type, revision=said.revision, options=said.options, rules=said.rules,
        day=said.day, league=said.league, opens=wire.moment(said.opens), closes=wire.moment(said.closes),
        results=wire.moment(said.closes + said.rules.grace_seconds * 1_000_000), commitment=said.commitment,
        bound=bound(row.contest, said.game_type, options).decode(), seed=None if row.seed is None else row.seed.hex(),
        certificate=said.certificate, positions=said.positions, entries=row.entries, closed=row.closed, your_game=own,
        log_position=position,
    )  # fmt: skip


def score(found: Score, names: Names) -> ScoreShown:
    above, below = found.percent
    return ScoreShown(
        place=found.place, player=person(found.player, names), game=found.game, kind=found.kind, solved=found.solved,
        clean=found.clean, score=found.score, moves=found.moves, seconds=found.took / 1_000_000, points=found.points,
        of=found.of, percent=round(100 * above / below, 2), imps=found.imps,
    )  # fmt: skip


def season_row(found: SeasonRow, rank: int | None, imps: bool, names: Names) -> SeasonRowShown:
    def value(fraction: tuple[int, int]) -> float:
        return round((1 if imps else 100) * fraction[0] / fraction[1], 2)

    return SeasonRowShown(
        rank=rank, player=person(found.player, names), mean=value(found.mean), solved=found.solved,
        days=tuple(SeasonDayShown(contest=d.contest, value=value(d.value), counted=d.counted) for d in found.days),
        streak=found.streak, best_streak=found.best_streak, solved_streak=found.solved_streak,
    )  # fmt: skip
