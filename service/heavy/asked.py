"""Which game the work is on, for a process that reads it itself."""

from typing import NamedTuple
from uuid import UUID

from domain.game.aggregate import Game


class Asked(NamedTuple):
    """A game up to this version. `imported` is the digest of one that was brought here: another may take its place."""

    game: UUID
    version: int
    imported: bytes | None = None


def asked_for(game: Game) -> Asked:
    """The game as it stands."""
    return Asked(game.id, game.version, None if game.importers is None else game.digest)
