"""Who is in a league: invitations, joining and leaving, organisers."""

from uuid import UUID

from domain.game_type import Illegal
from domain.league import events as ev
from domain.league.aggregate import League
from domain.league.decide.guards import Events, check_not_dissolved, check_organiser

MOST_MEMBERS = 1000
MOST_INVITED = 1000
MOST_ORGANISERS = 20


def invite(league: League, player: UUID, by: UUID) -> Events:
    """An organiser offers membership."""
    check_organiser(league, by)
    if player in league.members:
        raise Illegal("member", "That player is a member.")
    if player in league.invited:
        raise Illegal("already_invited", "That player is invited.")
    if len(league.invited) >= MOST_INVITED:
        raise Illegal("too_many_invites", f"At most {MOST_INVITED} invitations stand at a time.")
    return [ev.MemberInvited(player)]


def withdraw_invitation(league: League, player: UUID, by: UUID) -> Events:
    """By an organiser, or by who was invited."""
    if by != player:
        check_organiser(league, by)
    check_not_dissolved(league)
    if player not in league.invited:
        raise Illegal("not_invited", "That player is not invited.")
    return [ev.InvitationWithdrawn(player)]


def join(league: League, by: UUID) -> Events:
    """Anybody where membership is open, else whoever is invited; plays from the next season on."""
    check_not_dissolved(league)
    if by in league.members:
        raise Illegal("member", "You are a member.")
    if league.founded.membership == "invite" and by not in league.invited and by not in league.organisers:
        raise Illegal("not_invited", "Membership of this league is by invitation.")
    if len(league.members) >= MOST_MEMBERS:
        raise Illegal("league_full", f"A league has {MOST_MEMBERS} members at most.")
    return [ev.MemberJoined(by)]


def leave(league: League, by: UUID) -> Events:
    """The member leaves the league and its open season; the tables decide what becomes of the fixtures."""
    return _remove_member(league, by, None)


def remove(league: League, player: UUID, reason: str, by: UUID) -> Events:
    """An organiser removes a member, saying why."""
    check_organiser(league, by)
    return _remove_member(league, player, reason)


def _remove_member(league: League, player: UUID, reason: str | None) -> Events:
    check_not_dissolved(league)
    if player not in league.members:
        raise Illegal("not_a_member", "That player is not a member.")
    return [ev.MemberLeft(player, reason)]


def name_organiser(league: League, player: UUID, by: UUID) -> Events:
    """Another organiser beside those there are."""
    check_organiser(league, by)
    if player in league.organisers:
        raise Illegal("organiser", "That player is an organiser.")
    if len(league.organisers) >= MOST_ORGANISERS:
        raise Illegal("too_many_organisers", f"A league has {MOST_ORGANISERS} organisers at most.")
    return [ev.OrganiserNamed(player)]


def dismiss_organiser(league: League, player: UUID, by: UUID) -> Events:
    """Any organiser may go, but the last."""
    check_organiser(league, by)
    if player not in league.organisers:
        raise Illegal("not_an_organiser", "That player is not an organiser.")
    if len(league.organisers) == 1:
        raise Illegal("last_organiser", "A league keeps one organiser at least.")
    return [ev.OrganiserDismissed(player)]
