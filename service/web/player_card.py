"""A player's card: ratings, reliability, leagues, days in a row."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from projections.contests.days import DAYS_PROJECTION, NEWEST, STREAKS
from projections.contests.seasons import Run
from service.api.boards.ladders import ratings_of
from service.api.boards.reliability import reliability_of
from service.api.leagues.leagues import LeaguesQuery, leagues_listed
from service.contests.days import played_daily
from service.web.page import Visit

_LEAGUES = 30


class DaysInARow(Struct, frozen=True):
    """Of one game type's days of the deal: how many in a row were ranked, and solved; a run is broken by a gap."""

    game_type: str
    ranked: int
    best_ranked: int
    solved: int
    best_solved: int


async def card(visit: Visit, player: UUID) -> dict[str, Any]:
    """What the card shows beside games and boards."""
    reliability = await reliability_of(visit.services, player)
    until = reliability.barred_until
    return {
        "ratings": (await ratings_of(visit.services, player)).rows,
        "reliability": reliability,
        "barred": until is not None and until > datetime.now(UTC),
        "leagues": (await leagues_listed(visit.asking(LeaguesQuery(player=player, limit=_LEAGUES)))).leagues,
        "days": await _days(visit, player),
    }


async def _days(visit: Visit, player: UUID) -> list[DaysInARow]:
    rows: list[DaysInARow] = []
    async with visit.services.reads.of(DAYS_PROJECTION) as found:
        for key in (kind.key for kind in played_daily()):
            streak, newest = await found.document(STREAKS(key), str(player)), await found.document(NEWEST(), key)
            if streak is not None and newest is not None:
                ranked, solved = (_running(run, newest.day) for run in (streak.ranked, streak.solved))
                rows.append(DaysInARow(key, ranked, streak.ranked.best, solved, streak.solved.best))
    return rows


def _running(run: Run, newest: int) -> int:
    return run.length if run.last >= newest else 0
