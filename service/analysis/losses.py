"""How often somebody loses what could be won, and where: a sum over the analyses of their patiences."""

from collections.abc import Iterable
from typing import Annotated, NamedTuple
from uuid import UUID

from msgspec import Meta, Struct

from service.analysis.report import Outcome, PatienceReport


class AnalysedGame(NamedTuple):
    """A patience that is over, and its analysis."""

    game_id: UUID
    game_type: str
    report: PatienceReport


class LossesOfType(Struct, frozen=True, kw_only=True):
    """One game type's analysed games by what became of them.

    `lost`: what could still be won; `unwinnable`: the deal; `given_up`: it could still be won at the end; `open`: the
    search ended at its bound.
    """

    game_type: str
    analysed: int
    won: int
    lost: int
    unwinnable: int
    given_up: int
    open: int
    lost_share: (
        Annotated[float, Meta(ge=0, le=1, description="The mean share of a game that was played when it was lost.")]
        | None
    )


class LostGame(Struct, frozen=True):
    """A game in which what could be won was lost at this step, of so many."""

    game_id: UUID
    game_type: str
    lost_step: int
    steps: int


def sum_losses(games: Iterable[AnalysedGame]) -> tuple[LossesOfType, ...]:
    """By game type, those with the most lost games first."""
    kept: dict[str, list[PatienceReport]] = {}
    for game in games:
        kept.setdefault(game.game_type, []).append(game.report)
    told = [_losses(key, reports) for key, reports in kept.items()]
    return tuple(sorted(told, key=lambda one: (-one.lost, -one.analysed, one.game_type)))


def _losses(game_type: str, reports: list[PatienceReport]) -> LossesOfType:
    shares = [one.lost_step / steps(one) for one in reports if one.outcome == "lost" and one.lost_step is not None]

    def ended(outcome: Outcome) -> int:
        return sum(one.outcome == outcome for one in reports)

    return LossesOfType(
        game_type=game_type, analysed=len(reports), won=ended("won"), lost=ended("lost"),
        unwinnable=ended("unwinnable"), given_up=ended("given_up"), open=ended("open"),
        lost_share=round(sum(shares) / len(shares), 3) if shares else None,
    )  # fmt: skip


def lost_games(games: Iterable[AnalysedGame]) -> tuple[LostGame, ...]:
    """Those whose step is known, in their order."""
    return tuple(
        LostGame(game.game_id, game.game_type, game.report.lost_step, steps(game.report))
        for game in games
        if game.report.outcome == "lost" and game.report.lost_step is not None
    )


def steps(report: PatienceReport) -> int:
    """The last step of the game."""
    return report.spans[-1].last
