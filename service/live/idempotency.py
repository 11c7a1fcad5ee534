"""Idempotency keys: stored in the transaction of their events, so that a repeat gets the first answer.

A key is looked up only when a keyed command is refused or its row exists: the table's unique constraint finds
every repeat, so a first use costs no look-up.
"""

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from uuid import UUID

from msgspec import DecodeError, Struct, json

from domain.play.deciding import Step
from domain.view import Seat
from service.event_store import keyed_writes, log_positions
from service.event_store.keyed_writes import FirstUse
from service.event_store.packing import KEPT_DAYS
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.keys.sealing import Seals
from service.problems import Refused

KEY = "Idempotency-Key"
HEADER_TEXT = (
    "Any text of yours, 1 to 200 printable ASCII characters: a repeat of what was recorded with the same key is "
    "answered as the first time, and nothing happens twice; names of people are told as they are now. With another "
    "body it is refused. What was refused recorded nothing: the refusal is not kept, and a repeat is judged anew. A "
    "key of a game is kept while the game goes on, and at least seven days after its last change; any other key for "
    f"{KEPT_DAYS} days. A repeat later still is judged as a new request."
)
NOWHERE = UUID(int=0)
_COLUMNS = "player, operation, target, key, body_hash, stream, first_version, last_version, seat, answer"
_KEEP = f"INSERT INTO idempotency_keys ({_COLUMNS}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)"
_KEEP_MANY = (
    f"INSERT INTO idempotency_keys ({_COLUMNS}) SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[],"
    " $5::bytea[], $6::uuid[], $7::int[], $8::int[], $9::smallint[], $10::bytea[])"
)
_WHICH = "WHERE player = %s AND operation = %s AND target = %s AND key = %s"
_FILL, _FORGET = f"UPDATE idempotency_keys SET answer = %s {_WHICH}", f"DELETE FROM idempotency_keys {_WHICH}"


class Key(Struct, frozen=True):
    """A key as a client gave it, with what it is bound to. `target` is the game, or NOWHERE for an opening.

    `also`: other hashes that the same body may have been stored with.
    """

    player: UUID
    operation: str
    target: UUID
    text: str
    body_hash: bytes
    also: tuple[bytes, ...] = ()


def bound_key(player: UUID, operation: str, target: UUID, text: str, content: bytes, seals: Seals) -> Key:
    """The key of this text, bound to the request's content: query, line break, body.

    JSON is bound by its value, without its blanks and the order of its members; earlier programs bound its bytes.
    """
    bytes_hash, also = _hash_all(seals, sha256(content).digest())
    query, _, body = content.partition(b"\n")
    with suppress(DecodeError, UnicodeDecodeError, RecursionError):
        if (value := json.encode(json.decode(body), order="sorted")) != body:
            value_hash, more = _hash_all(seals, sha256(query + b"\n" + value).digest())
            return Key(player, operation, target, text, value_hash, (*more, bytes_hash, *also))
    return Key(player, operation, target, text, bytes_hash, also)


def _hash_all(seals: Seals, plain: bytes) -> tuple[bytes, tuple[bytes, ...]]:
    """The body's hash, and others it may have. Keyed, for a short body could be guessed from a plain hash."""
    keyed = seals.hashes(plain)
    return (keyed[0], (*keyed[1:], plain)) if seals.sealing else (plain, keyed)


def key_companions(key: Key | None, step: Step, seat: Seat | None, refusal: bytes | None = None) -> list[Companion]:
    """The statement that stores the key with the step's events; none without a key or events."""
    if key is None or not step.records:
        return []
    first, last = step.records[0], step.records[-1]
    return [use_companion(key, first.stream, first.version, last.version, seat, refusal)]


def request_companions(step: Step) -> Sequence[Companion]:
    """The same for the key that `answer_once` has read of the current request."""
    if not step.records:
        return ()
    first, last = step.records[0], step.records[-1]
    return keyed_writes.companions(first.stream, first.version, last.version)


def stream_companions(key: Key | None, stream: UUID) -> list[Companion]:
    """The statement that stores the key with the first event of a contest."""
    return [] if key is None else [use_companion(key, stream, 1, 1, None, None)]


def use_companion(key: Key, stream: UUID, first: int, last: int, seat: Seat | None, refusal: bytes | None) -> Companion:
    """The statement that stores the key with its first use: versions of a stream, seat, sealed refusal."""
    values = (key.player, key.operation, key.target, key.text, key.body_hash, stream, first, last, seat, refusal)
    return Companion(_KEEP, values, _KEEP_MANY)


def answer_companion(key: Key, answer: bytes) -> Companion:
    """The statement that keeps this answer in the row."""
    return Companion(_FILL, (answer, key.player, key.operation, key.target, key.text))


def forget_companion(key: Key) -> Companion:
    """The statement that deletes the row."""
    return Companion(_FORGET, (key.player, key.operation, key.target, key.text))


async def find(store: EventStore, key: Key | None) -> FirstUse | None:
    """The key's first use, whose log position is noted; None: not used yet. Raises Refused for another body."""
    if key is None:
        return None
    rows = await store.query(
        "SELECT body_hash, stream, first_version, last_version, seat, answer, (SELECT position FROM events"
        " WHERE events.stream = keys.stream AND version = last_version) FROM idempotency_keys AS keys"
        f" {_WHICH}",
        (key.player, key.operation, key.target, key.text),
    )
    if rows and bytes(rows[0][0]) not in (key.body_hash, *key.also):
        raise Refused("key_reused", "This Idempotency-Key was used before with another body.")
    if not rows:
        return None
    *use, position = rows[0][1:]
    log_positions.note(position or await store.head())
    return FirstUse(*use)
