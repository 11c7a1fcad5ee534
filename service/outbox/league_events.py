"""What happens in a league: one row for each event, written in the transaction of what caused it."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Literal, NamedTuple
from uuid import UUID

from domain.record import Micros, uuid8
from service.event_store.writing.rows import Companion
from service.outbox.owned_events import CHANNEL, POSITION, OwnedEvents

LeagueEventType = Literal[
    "renamed", "member_invited", "invitation_withdrawn", "member_joined", "member_left", "organiser_named",
    "organiser_dismissed", "season_opened", "contest_added", "contest_closed", "player_replaced", "walkover_given",
    "not_played", "fixture_reopened", "game_opened", "game_finished", "game_voided", "game_restored",
    "result_corrected", "correction_withdrawn", "season_closed", "promotions_decided", "dissolved",
]  # fmt: skip

_COLUMNS = "id, type, at, season, fixture, game, contest, players, summary"
_INSERT = f"""
WITH made AS (
    INSERT INTO league_events (league, {_COLUMNS}, log_position)
    SELECT %s, %s, %s::text, %s::bigint, %s::int, %s::uuid, %s::uuid, %s::uuid, %s::uuid[], %s::text, head FROM log
    ON CONFLICT (id) DO NOTHING RETURNING league
)
SELECT pg_notify('{CHANNEL}', league::text) FROM made
"""


class LeagueHappening(NamedTuple):
    """An event of a league. Its sentence has each player as `tag` writes one, in place of a name."""

    id: UUID
    type: LeagueEventType
    at: Micros
    season: int | None
    fixture: UUID | None
    game: UUID | None
    contest: UUID | None
    players: tuple[UUID, ...]
    summary: str
    log_position: int


def statement(
    league: UUID, kind: LeagueEventType, at: Micros, summary: str, *, of: UUID, version: int,
    season: int | None = None, fixture: UUID | None = None, game: UUID | None = None, contest: UUID | None = None,
    players: Iterable[UUID] = (),
) -> Companion:  # fmt: skip
    """The statement that stores an event of this league and wakes who waits for it.

    It was caused by this version of the stream `of`: its id follows from these, its kind and its game alone.
    """
    source = (
        of.bytes + version.to_bytes(4, "big") + league.bytes + kind.encode() + (b"" if game is None else game.bytes)
    )
    which = uuid8(sha256(source).digest())
    return Companion(_INSERT, (league, which, kind, at, season, fixture, game, contest, list(players), summary))


def tag(player: UUID) -> str:
    """What stands for a player's name in a sentence that is kept."""
    return f"<{player}>"


EVENTS = OwnedEvents(
    "league_events",
    "league",
    f"{_COLUMNS}, {POSITION}",
    lambda row: LeagueHappening._make([*row[:7], tuple(row[7]), *row[8:]]),
)
