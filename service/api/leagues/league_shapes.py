"""Leagues as they go over the wire."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from domain.league import events as ev
from domain.league.aggregate import League, Season
from domain.league.rules import BoxRules, DayRules
from projections.leagues.documents import Membership
from service.api.paging import LogPosition
from service.api.people import Names, Person, person
from service.live import shapes


class ReplacementShown(Struct, frozen=True):
    """`by` plays what `player` had left to play."""

    player: Person
    by: Person


class SeasonShown(Struct, frozen=True, kw_only=True):
    """A season in short: divisions as they were at its start. `left` have left the league since then."""

    season: int
    starts: datetime
    ends: datetime
    divisions: tuple[tuple[Person, ...], ...]
    left: tuple[UUID, ...]
    replaced: tuple[ReplacementShown, ...]
    fixtures: int
    contests: tuple[UUID, ...]
    closed: bool
    decided: bool


class LeagueShown(Struct, frozen=True, kw_only=True):
    """A league: its rule set in full, its people, its seasons, oldest first."""

    id: UUID
    name: str
    kind: Literal["box", "same_deal"]
    game_type: str
    options: dict[str, Any]
    rules: BoxRules | DayRules
    membership: ev.Membership
    table: int
    rounds: int
    division_size: int
    move_seconds: int | None
    founded_at: datetime
    organisers: tuple[Person, ...]
    members: tuple[Person, ...]
    invited: tuple[Person, ...]
    seasons: tuple[SeasonShown, ...]
    dissolved: bool
    version: int


class LeagueEntry(Struct, frozen=True, kw_only=True):
    """A league in a list."""

    id: UUID
    name: str
    kind: str
    game_type: str
    members: int
    season: int
    running: bool
    dissolved: bool


class LeagueList(Struct, frozen=True):
    """A page of leagues, newest first."""

    leagues: tuple[LeagueEntry, ...]
    next: str | None
    log_position: LogPosition


def people_of(league: League) -> list[UUID]:
    """All players whose names are needed to show a league."""
    divisions = [player for season in league.seasons for division in season.divisions for player in division]
    substitutes = [change.by for season in league.seasons for change in season.replaced]
    return list(dict.fromkeys((*league.organisers, *league.members, *league.invited, *divisions, *substitutes)))


def league(found: League, names: Names) -> LeagueShown:
    """A league as everybody sees it."""
    founded = found.founded
    return LeagueShown(
        id=found.id, name=found.name, kind="box" if isinstance(founded.rules, BoxRules) else "same_deal",
        game_type=founded.game_type, options=founded.options, rules=founded.rules, membership=founded.membership,
        table=founded.table, rounds=founded.rounds, division_size=founded.division_size,
        move_seconds=founded.move_seconds, founded_at=shapes.moment(found.founded_at),
        organisers=tuple(person(one, names) for one in found.organisers),
        members=tuple(person(one, names) for one in found.members),
        invited=tuple(person(one, names) for one in found.invited),
        seasons=tuple(_season(one, names) for one in found.seasons), dissolved=found.dissolved, version=found.version,
    )  # fmt: skip


def _season(season: Season, names: Names) -> SeasonShown:
    return SeasonShown(
        season=season.number, starts=shapes.moment(season.starts), ends=shapes.moment(season.ends),
        divisions=tuple(tuple(person(one, names) for one in division) for division in season.divisions),
        left=season.left,
        replaced=tuple(ReplacementShown(person(one.player, names), person(one.by, names)) for one in season.replaced),
        fixtures=len(season.fixtures), contests=season.contests, closed=season.closed,
        decided=season.decided is not None,
    )  # fmt: skip


def entry(found: Membership) -> LeagueEntry:
    return LeagueEntry(
        id=found.league, name=found.name, kind=found.kind, game_type=found.game_type, members=found.members,
        season=found.season, running=found.running, dissolved=found.dissolved,
    )  # fmt: skip
