"""Rulings: games that count for nothing after all, withdrawals of that, corrected results.

They stand in a stream of their own: a league's organisers rule for its tables (in the league's stream), moderators for
every table (in the stream SITE). The games themselves stay as they were played.
"""

from uuid import UUID

from msgspec import Struct

from domain.game_type import Ending, Seat
from domain.record import Micros, Record

STREAM_TYPE = "rulings"
SITE = UUID("6b696269-747a-7000-8000-72756c696e67")
"""The stream of the rulings that hold everywhere."""


class GamesVoided(Struct, frozen=True, tag="ruling/games_voided"):
    """These games contribute nothing, whenever they finish; the list is what was decided, not a rule judged later."""

    games: tuple[UUID, ...]
    reason: str


class VoidsWithdrawn(Struct, frozen=True, tag="ruling/voids_withdrawn"):
    """These games count again, as if they had never been voided."""

    games: tuple[UUID, ...]
    reason: str


class ResultCorrected(Struct, frozen=True, kw_only=True, tag="ruling/result_corrected", omit_defaults=True):
    """The result that counts in place of the recorded one; it does not revive a voided game.

    `places` by seat, 0 the first, equal ones share (left out: by winners and scores).
    """

    game: UUID
    ending: Ending
    winners: tuple[Seat, ...]
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] | None = None
    reason: str


class CorrectionWithdrawn(Struct, frozen=True, tag="ruling/correction_withdrawn"):
    """The recorded result counts again."""

    game: UUID
    reason: str


RULINGS: tuple[type[Struct], ...] = (GamesVoided, VoidsWithdrawn, ResultCorrected, CorrectionWithdrawn)


def recorded(version: int, event: Struct, actor: UUID, time: Micros) -> "Record[Struct, Struct]":
    """The record of a ruling that holds everywhere."""
    return Record(SITE, version, time, STREAM_TYPE, 1, version, actor, None, None, event)
