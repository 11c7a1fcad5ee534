"""Idempotency keys: kept in the transaction of the events they stand for, so that a repeat gets the first answer.

A key is looked up when a keyed command is refused or its row is there already: the store's own uniqueness finds
every repeat, and a first use costs no look-up.
"""

from hashlib import sha256
from typing import Any
from uuid import UUID

from litestar import Request
from msgspec import Struct

from domain.game.play import Step
from domain.game_type import Seat
from service.event_store.rows import Companion
from service.event_store.store import EventStore
from service.problems import Refused

NOWHERE = UUID(int=0)
_COLUMNS = "player, operation, target, key, body_hash, stream, first_version, last_version, seat, answer"


class Key(Struct, frozen=True):
    """A key as a client gave it, with what it is bound to. `target` is the game, or NOWHERE for an opening."""

    player: UUID
    operation: str
    target: UUID
    text: str
    body_hash: bytes


class Kept(Struct, frozen=True):
    """What a key stands for: the versions it recorded and the seat that was answered."""

    stream: UUID
    first_version: int
    last_version: int
    seat: Seat | None
    refusal: bytes | None


async def read_key(request: Request[Any, Any, Any], player: UUID, operation: str, target: UUID) -> Key | None:
    """The request's Idempotency-Key, if it has one; raises Refused for one that cannot be read."""
    text = request.headers.get("idempotency-key")
    if text is None:
        return None
    if not 1 <= len(text) <= 200 or not text.isprintable():
        raise Refused("malformed", "Idempotency-Key: 1 to 200 printable characters.")
    said = request.scope["query_string"] + b"\n" + await request.body()
    return Key(player, operation, target, text, sha256(said).digest())


def keep(key: Key | None, step: Step, seat: Seat | None, refusal: bytes | None = None) -> list[Companion]:
    """The row that goes with the step's events."""
    if key is None or not step.records:
        return []
    first, last = step.records[0], step.records[-1]
    return [_row(key, first.stream, first.version, last.version, seat, refusal)]


def keep_stream(key: Key | None, stream: UUID) -> list[Companion]:
    """The row that goes with the first event of a league."""
    return [] if key is None else [_row(key, stream, 1, 1, None, None)]


def _row(key: Key, stream: UUID, first: int, last: int, seat: Seat | None, refusal: bytes | None) -> Companion:
    values = (
        key.player, key.operation, key.target, key.text, key.body_hash, stream, first, last, seat, refusal,
    )  # fmt: skip
    return Companion(f"INSERT INTO idempotency_keys ({_COLUMNS}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)", values)


async def find(store: EventStore, key: Key | None) -> Kept | None:
    """What the key stands for already; raises Refused when that was another body."""
    if key is None:
        return None
    rows = await store.query(
        "SELECT body_hash, stream, first_version, last_version, seat, answer FROM idempotency_keys"
        " WHERE player = %s AND operation = %s AND target = %s AND key = %s",
        (key.player, key.operation, key.target, key.text),
    )
    if rows and bytes(rows[0][0]) != key.body_hash:
        raise Refused("key_reused", "This Idempotency-Key was used before with another body.")
    return Kept(*rows[0][1:]) if rows else None
