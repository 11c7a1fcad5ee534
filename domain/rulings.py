"""Rulings: games that count for nothing after all, withdrawals of that, corrected results.

They stand in a stream of their own: a league's organisers rule for its tables (in the league's stream), moderators for
every table (in the stream SITE). The games themselves stay as they were played.
"""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from msgspec import Struct

from domain.game_type import Ending, Illegal
from domain.record import Record, stream_record
from domain.view import Seat

STREAM_TYPE = "rulings"
SITE = UUID("6b696269-747a-7000-8000-72756c696e67")
"""The stream of the rulings that hold everywhere."""


class GamesVoided(Struct, frozen=True, tag="ruling/games_voided"):
    """These games contribute nothing, whenever they finish; they are listed by id; no rule finds them later."""

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


def check_correction(said: ResultCorrected, seats: int) -> None:
    """Raises Illegal for a result that a game with so many seats cannot have had.

    Places are those of competition ranking: each is the number of seats ahead. The winners are the seats placed first;
    a draw without winners leaves everybody first. An abandoned game does not count: it has no winners and no places.
    """
    lengths = {len(given) for given in (said.scores, said.places) if given}
    if lengths - {seats} or said.places == ():
        raise Illegal("impossible_result", f"The game has {seats} seats: name a score and a place for each of them.")
    if len(set(said.winners)) < len(said.winners) or any(not 0 <= seat < seats for seat in said.winners):
        raise Illegal("impossible_result", "Winners are seats of the game, each of them named once.")
    if said.ending in ("lost", "abandoned") and said.winners:
        raise Illegal("impossible_result", "A game that is lost or abandoned has no winners.")
    if said.ending == "won" and seats > 1 and not said.winners:
        raise Illegal("impossible_result", "A game of several that is won has winners.")
    if said.places is None:
        return
    places = said.places
    if any(place != sum(other < place for other in places) for place in places):
        raise Illegal("impossible_result", "A place is the number of seats ahead; equal ones share it.")
    first = {seat for seat, place in enumerate(places) if place == 0}
    if said.ending == "abandoned" or (said.winners and set(said.winners) != first):
        raise Illegal("impossible_result", "Winners are the seats placed first; an abandoned game has no places.")
    if said.ending == "drawn" and not said.winners and len(first) < len(places):
        raise Illegal("impossible_result", "In a draw without winners everybody is first.")


RULINGS: tuple[type[Struct], ...] = (GamesVoided, VoidsWithdrawn, ResultCorrected, CorrectionWithdrawn)


def ruled_games(event: Struct) -> tuple[UUID, ...]:
    """The games that a ruling is about; none for other events."""
    if isinstance(event, GamesVoided | VoidsWithdrawn):
        return event.games
    return (event.game,) if isinstance(event, ResultCorrected | CorrectionWithdrawn) else ()


class SiteRulings(Struct, frozen=True):
    """The rulings that hold everywhere: how many there are, and the newest."""

    version: int = 0
    newest: "Record[Struct, Struct] | None" = None


def fold(records: "Iterable[Record[Struct, Struct]]", known: SiteRulings | None = None) -> SiteRulings:
    """The rulings after these records."""
    for record in records:
        known = SiteRulings(record.version, record)
    return known or SiteRulings()


ruling_record = partial(stream_record, STREAM_TYPE, SITE)
"""The record of a ruling that holds everywhere."""
