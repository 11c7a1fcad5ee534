"""References to games for work in another process, which reads the game itself."""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from domain.play.aggregate import Game

WEIGHT = 1_000
"""Each so many events of a game count as one more heavy request; work on more events is long."""
_BYTES_OF_AN_EVENT = 250


class GameRef(NamedTuple):
    """A game up to this version. `imported`: the digest of an imported game, whose id another record may get."""

    game: UUID
    version: int
    imported: bytes | None = None


def game_ref(game: Game) -> GameRef:
    """The reference to the game at its current version."""
    return GameRef(game.id, game.version, None if game.importers is None else game.digest)


def size_of(given: Iterable[object]) -> int:
    """How many events work with these arguments reads; records as text are estimated by their length."""
    games = [one.version for one in given if isinstance(one, GameRef)]
    return sum(games) + sum(len(one) for one in given if isinstance(one, bytes)) // _BYTES_OF_AN_EVENT
