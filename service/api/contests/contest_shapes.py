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
from projections.contests.days import ContestRow
from projections.contests.results import Kind, Score
from service.api.paging import LogPosition
from service.api.people import Person, person
from service.live import shapes

Names = Mapping[UUID, str]


class ContestShown(Struct, frozen=True, kw_only=True):
    """A contest: the same cards for everybody who enters.

    `commitment` was published with it: as a game's proof has it, over `bound` and the seed, which is told once it is
    closed. `certificate`: whether a solver that sees every card has won the deal before it was announced (`winnable`),
    has not (`not_told`) or did not look. What else it told, and after how many `positions`, would give hidden cards
    away: that comes with the seed, and with it `witness`: where a game is to be had in which the solver wins the deal.
    It is null where a solver has not won it, and of contests from before lines were kept. `your_game` is your attempt.
    Attempts begin from `opens` until `closes`; the contest is closed, and everything told, after `results`.
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
    positions: int | None
    witness: str | None
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
    """A result. `kind`: `ranked`, `not_clean`, `void`, `no_attempt`, `fresh_account` or `unreadable`; of the ranked
    ones `place` counts from 1. `fresh_account`: entered with fewer games played to their end than the contest's rules
    ask (`seasoned`). `unreadable`: the key that the attempt was sealed under was lost before it was over.

    `points` are matchpoints, two for each result that is beaten and one for each that is equalled; `percent` is their
    share of the most there are, rounded to two places; `imps` are against the average of the field. `completed`: it
    was played to its end. `game` is told once the contest is closed. `outcome`: what came of it in words, where the
    game tells any (`4 spades, made, vulnerable: 620`).
    """

    place: int | None
    player: Person
    game: UUID | None
    kind: Kind
    solved: bool
    completed: bool
    clean: bool
    score: int | None
    moves: int
    seconds: float
    points: int
    of: int
    percent: float | None
    imps: int | None
    outcome: str | None


class Results(Struct, frozen=True, kw_only=True):
    """A page of a contest's results, best first, then those that are not ranked.

    `provisional`: the contest is not closed, and these are the attempts that are over so far.
    """

    contest: UUID
    game_type: str
    day: str | None
    provisional: bool
    results: tuple[ScoreShown, ...]
    next: str | None
    log_position: LogPosition


def contest(row: ContestRow, own: UUID | None, position: str) -> ContestShown:
    """A contest as this caller sees it."""
    said = row.announced
    kind = REVISIONS[said.game_type, said.revision]
    options = shapes.read_options(said.options, kind.options)
    certificate, positions = _certificate(row)
    return ContestShown(
        id=row.contest, game_type=said.game_type, revision=said.revision, options=said.options, rules=said.rules,
        day=said.day, league=said.league, opens=shapes.moment(said.opens), closes=shapes.moment(said.closes),
        results=shapes.moment(said.closes + said.rules.grace_seconds * 1_000_000), commitment=said.commitment,
        bound=bound(row.contest, said.game_type, options).decode(), seed=None if row.seed is None else row.seed.hex(),
        certificate=certificate, positions=positions,
        witness=f"/v1/contests/{row.contest}/witness" if row.closed and row.witness else None,
        entries=row.entries, closed=row.closed, your_game=own,
        log_position=position,
    )  # fmt: skip


def _certificate(row: ContestRow) -> tuple[Certificate, int | None]:
    """What a solver told of the deal, and after how many positions: all of it once the contest is closed."""
    said = row.announced
    if not row.closed:
        return "not_told" if said.certificate == "impossible" else said.certificate, None
    return (row.certificate, row.positions) if row.positions else (said.certificate, said.positions)


def score(found: Score, names: Names, told: bool) -> ScoreShown:
    """A result; the game only where it is told."""
    percent = None if found.percent is None else round(100 * found.percent[0] / found.percent[1], 2)
    return ScoreShown(
        place=found.place, player=person(found.player, names), game=found.game if told else None, kind=found.kind,
        solved=found.solved, completed=found.completed, clean=found.clean, score=found.score, moves=found.moves,
        seconds=found.took / 1_000_000, points=found.points, of=found.of, percent=percent, imps=found.imps,
        outcome=found.outcome or None,
    )  # fmt: skip
