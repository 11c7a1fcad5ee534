"""What members and organisers may do: each function gives the events, or raises Illegal with the rule's slug."""

from domain.league.decide.fixtures import declare_not_played, fixture_players, give_walkover, reopen_fixture
from domain.league.decide.founding import Founding, dissolve, found_league, rename
from domain.league.decide.guards import Events
from domain.league.decide.membership import (
    dismiss_organiser,
    invite,
    join,
    leave,
    name_organiser,
    remove,
    withdraw_invitation,
)
from domain.league.decide.seasons import add_contest, close_season, decide_promotions, open_season, replace_player

__all__ = [
    "Events",
    "Founding",
    "add_contest",
    "close_season",
    "decide_promotions",
    "declare_not_played",
    "dismiss_organiser",
    "dissolve",
    "fixture_players",
    "found_league",
    "give_walkover",
    "invite",
    "join",
    "leave",
    "name_organiser",
    "open_season",
    "remove",
    "rename",
    "reopen_fixture",
    "replace_player",
    "withdraw_invitation",
]
