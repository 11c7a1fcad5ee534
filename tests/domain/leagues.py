"""Leagues that stand somewhere, for tests of what may be decided of them."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from domain.league import decide
from domain.league import events as ev
from domain.league.aggregate import League, Season, evolve, league_record
from domain.league.rules import BOX, DAYS

ORGANISER = UUID(int=0x0B05)
LEAGUE = UUID(int=0x1EA6)
STRANGER = UUID(int=0xE0E)
FOUNDING = decide.Founding(name="Thursdays", game_type="spite_and_malice", rules=BOX.id)
PATIENCE = decide.Founding(name="Patience", game_type="klondike", rules=DAYS.id)


def member(number: int) -> UUID:
    return UUID(int=0xA00 + number)


def after(league: League | None, events: Sequence[Struct], by: UUID = ORGANISER) -> League:
    """The league after these events."""
    for event in events:
        version = 1 if league is None else league.version + 1
        league = evolve(league, league_record(LEAGUE, version, event, by, 1000 + version))
    assert league is not None
    return league


def founded(members: int = 0, wanted: decide.Founding = FOUNDING) -> League:
    league = after(None, decide.found_league(wanted, ORGANISER))
    for number in range(members):
        league = after(league, decide.join(league, member(number)))
    return league


def running(members: int = 4, wanted: decide.Founding = FOUNDING) -> League:
    """A league whose first season runs."""
    league = founded(members, wanted)
    return after(league, decide.open_season(league, 10, 20, ORGANISER))


def closed(members: int = 4, wanted: decide.Founding = FOUNDING) -> League:
    league = running(members, wanted)
    return after(league, decide.close_season(league, 1, ORGANISER))


def season(league: League) -> Season:
    assert league.season is not None
    return league.season


def first(league: League) -> ev.Fixture:
    return season(league).fixtures[0]
