"""What is signed of a finished game: the digest of its last record, which covers all of them."""

from collections.abc import Sequence
from uuid import UUID

from domain.play.aggregate import AnyRecord
from domain.play.events import Opened, Revealed

TAG = b"kibitz/record/1\0"
"""Begins what is signed; no other message bears it."""


def message(game: UUID, version: int, digest: bytes) -> bytes:
    """The bytes that are signed: tag, game id (16 bytes), version (8 bytes, big-endian), digest (32 bytes)."""
    return TAG + game.bytes + version.to_bytes(8, "big") + digest


def last_message(records: Sequence[AnyRecord]) -> bytes:
    """What is signed of these records: the digest of the last one covers them all."""
    last = records[-1]
    return message(last.stream, last.version, last.digest)


def signer_of(records: Sequence[AnyRecord]) -> str | None:
    """The key that the opening names, if the game has come so far that a signature is due: it is over and revealed."""
    opened = records[0].event
    due = any(isinstance(record.event, Revealed) for record in records)
    return opened.signer if due and isinstance(opened, Opened) else None
