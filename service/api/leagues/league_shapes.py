"""Leagues as they go over the wire."""

from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from domain.league import events as ev
from domain.league.aggregate import League, Season
from domain.league.rules import BoxRules, DayRules
from service.accounts.names import Names, Person, people, person
from service.api.paging import LogPosition
from service.api.showing import fill_struct
from service.live import shapes


class ReplacementShown(Struct, frozen=True):
    """`by` plays what `player` had left to play."""

    player: Person
    by: Person


class DivisionShown(Struct, frozen=True):
    """A division of a season: its number, from 0, the highest, and who played in it at the start."""

    number: int
    players: tuple[Person, ...]


class SeasonShown(Struct, frozen=True, kw_only=True):
    """A season in short: divisions as they were at its start. `left` have left the league since then."""

    number: int
    starts: shapes.Time
    ends: shapes.Time
    divisions: tuple[DivisionShown, ...]
    left: tuple[Person, ...]
    replaced: tuple[ReplacementShown, ...]
    fixtures: int
    contest_ids: tuple[UUID, ...]
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
    founded_at: shapes.Time
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
    others = [player for one in league.seasons for player in (*one.left, *(change.by for change in one.replaced))]
    return list(dict.fromkeys((*league.organisers, *league.members, *league.invited, *divisions, *others)))


def league(found: League, names: Names) -> LeagueShown:
    """A league as everybody sees it."""
    founded = found.founded
    return fill_struct(
        LeagueShown, founded, id=found.id, name=found.name,
        kind="box" if isinstance(founded.rules, BoxRules) else "same_deal", founded_at=shapes.moment(found.founded_at),
        organisers=people(found.organisers, names), members=people(found.members, names),
        invited=people(found.invited, names), seasons=tuple(_season(one, names) for one in found.seasons),
        dissolved=found.dissolved, version=found.version,
    )  # fmt: skip


def _season(season: Season, names: Names) -> SeasonShown:
    return fill_struct(
        SeasonShown, season, starts=shapes.moment(season.starts), ends=shapes.moment(season.ends),
        divisions=tuple(DivisionShown(at, people(one, names)) for at, one in enumerate(season.divisions)),
        left=people(season.left, names), contest_ids=season.contests,
        replaced=tuple(ReplacementShown(person(one.player, names), person(one.by, names)) for one in season.replaced),
        fixtures=len(season.fixtures), decided=season.decided is not None,
    )  # fmt: skip
