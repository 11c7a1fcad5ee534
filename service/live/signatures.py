"""Signatures of games that are over and revealed, written in the transaction of the step that revealed them."""

from typing import Any
from uuid import UUID

from psycopg import Connection

from domain.play.aggregate import Game
from domain.play.deciding import Step
from domain.play.open_record import Signature, message
from service.event_store.connections import unavailability
from service.event_store.writing.rows import Companion
from service.keys.signing import Ring

_KEEP = "INSERT INTO signatures (game, version, key, value) VALUES (%s, %s, %s, %s)"
_NEWEST = "SELECT key, value FROM signatures WHERE game = %s ORDER BY version DESC LIMIT 1"


class Signatures:
    """Signs what the card room records."""

    def __init__(self, ring: Ring) -> None:
        self._ring = ring

    @property
    def signer(self) -> str | None:
        """The name of the key that signs now."""
        return self._ring.signer

    def companions(self, step: Step) -> list[Companion]:
        """The statement to run with a step after which the game is over and revealed."""
        game = step.game
        if not step.records or not game.revealed or game.status not in ("finished", "voided"):
            return []
        signature = self._ring.sign(message(game.id, game.version, game.digest))
        return [signature_companion(game, signature)]


def signature_companion(game: Game, signature: Signature) -> Companion:
    """The statement that stores the signature of the game's current version."""
    return Companion(_KEEP, (game.id, game.version, signature.key, signature.value))


def signature_in(connection: Connection[Any], game: UUID) -> Signature | None:
    """The newest signature of a game, by a blocking connection; raises StoreUnavailable."""
    with unavailability():
        row = connection.execute(_NEWEST, [game]).fetchone()
    return None if row is None else Signature(row[0], bytes(row[1]))
