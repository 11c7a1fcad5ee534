"""Which game the work is on, for a process that reads it itself."""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from domain.play.aggregate import Game

WEIGHT = 1_000
"""Events of a game that count as one heavy request more; with more than that it is a long one."""
_BYTES_OF_AN_EVENT = 250


class Asked(NamedTuple):
    """A game up to this version. `imported` is the digest of one that was brought here: another may take its place."""

    game: UUID
    version: int
    imported: bytes | None = None


def asked_for(game: Game) -> Asked:
    """The game as it stands."""
    return Asked(game.id, game.version, None if game.importers is None else game.digest)


def size_of(given: Iterable[object]) -> int:
    """How many events the work with these arguments is on, of records as text by their length."""
    games = [one.version for one in given if isinstance(one, Asked)]
    return sum(games) + sum(len(one) for one in given if isinstance(one, bytes)) // _BYTES_OF_AN_EVENT
