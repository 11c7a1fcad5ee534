"""What happens to a league: events in the past tense. They hold ids and what the organisers wrote, no personal data."""

from typing import Any, Literal, get_args
from uuid import UUID

from msgspec import Struct

from domain.league.rules import BoxRules, DayRules
from domain.record import Micros

Membership = Literal["open", "invite"]


class Founded(Struct, frozen=True, kw_only=True, tag="league/founded", omit_defaults=True):
    """The first event of every league. Its rule set stands here in full, so that it never changes.

    `table`: seats at one game; `rounds`: how often the same players meet; `move_seconds`: as when a game is opened.
    """

    name: str
    organiser: UUID
    game_type: str
    options: dict[str, Any]
    rules: BoxRules | DayRules
    membership: Membership = "open"
    table: int = 2
    rounds: int = 1
    division_size: int = 6
    move_seconds: int | None = None


class Renamed(Struct, frozen=True, tag="league/renamed"):
    name: str


class MemberInvited(Struct, frozen=True, tag="league/member_invited"):
    player: UUID


class InvitationWithdrawn(Struct, frozen=True, tag="league/invitation_withdrawn"):
    """An organiser withdrew the invitation, or the invited player declined it."""

    player: UUID


class MemberJoined(Struct, frozen=True, tag="league/member_joined"):
    player: UUID


class MemberLeft(Struct, frozen=True, tag="league/member_left", omit_defaults=True):
    """Out of the league, and out of the season that runs; `reason` where an organiser removed them."""

    player: UUID
    reason: str | None = None


class OrganiserNamed(Struct, frozen=True, tag="league/organiser_named"):
    player: UUID


class OrganiserDismissed(Struct, frozen=True, tag="league/organiser_dismissed"):
    player: UUID


class Fixture(Struct, frozen=True):
    """A game that is to be played: by whom, in order of the seats, in which division and round, both from 0."""

    id: UUID
    division: int
    round: int
    players: tuple[UUID, ...]


class SeasonOpened(Struct, frozen=True, kw_only=True, tag="league/season_opened"):
    """A season begins, with who plays in which division (0 the highest) and what is to be played."""

    season: int
    starts: Micros
    ends: Micros
    divisions: tuple[tuple[UUID, ...], ...]
    fixtures: tuple[Fixture, ...]


class ContestAdded(Struct, frozen=True, tag="league/contest_added"):
    """A same-deal contest of this season."""

    season: int
    contest: UUID


class PlayerReplaced(Struct, frozen=True, tag="league/player_replaced"):
    """`by` takes the place of `player` in the fixtures of the season that have no game; what was played stays."""

    season: int
    player: UUID
    by: UUID


class WalkoverGiven(Struct, frozen=True, tag="league/walkover_given", omit_defaults=True):
    """Full points without a game to `to`, zero in every tie-break; the others, `absent`, did not show."""

    fixture: UUID
    to: UUID
    reason: str
    absent: tuple[UUID, ...] = ()


class NotPlayed(Struct, frozen=True, tag="league/not_played"):
    """Nobody gets points; `absent` did not come (if empty, nobody is at fault)."""

    fixture: UUID
    absent: tuple[UUID, ...]
    reason: str


class FixtureReopened(Struct, frozen=True, tag="league/fixture_reopened"):
    """The walkover, or the ruling that the fixture was not played, is withdrawn."""

    fixture: UUID
    reason: str


class SeasonClosed(Struct, frozen=True, tag="league/season_closed"):
    """The tables as they stand at this event's position are published; what changes later is an amendment."""

    season: int


class Move(Struct, frozen=True):
    """A player changes division for the next season."""

    player: UUID
    before: int
    after: int


class PromotionsDecided(Struct, frozen=True, tag="league/promotions_decided"):
    """Who plays where next, and the hash of the published tables that the decision rests on."""

    season: int
    tables: str
    moves: tuple[Move, ...]


class Dissolved(Struct, frozen=True, tag="league/dissolved"):
    """The league is over; its tables stay."""

    reason: str


LeagueEvent = (
    Founded | Renamed | MemberInvited | InvitationWithdrawn | MemberJoined | MemberLeft | OrganiserNamed
    | OrganiserDismissed | SeasonOpened | ContestAdded | PlayerReplaced | WalkoverGiven | NotPlayed | FixtureReopened
    | SeasonClosed | PromotionsDecided | Dissolved
)  # fmt: skip
LEAGUE_EVENTS: tuple[type[LeagueEvent], ...] = get_args(LeagueEvent)
