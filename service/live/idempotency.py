"""Idempotency keys: stored in the transaction of their events, so that a repeat gets the first answer.

A key is looked up only when a keyed command is refused or its row exists: the table's unique constraint finds
every repeat, so a first use costs no look-up.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import UUID

from litestar import Response
from msgspec import DecodeError, Struct, json

from domain.game_type import Illegal
from domain.play.deciding import Step
from domain.view import Seat
from service.event_store import keyed_writes, log_positions
from service.event_store.errors import DuplicateCompanion
from service.event_store.keyed_writes import FirstUse
from service.event_store.packing import KEPT_DAYS
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.keys.sealing import Seals
from service.problems import IDEMPOTENCY_KEY, Refused, refused_header
from service.telemetry.background import start_task

if TYPE_CHECKING:
    from service.http.operation import Call

KEY = "Idempotency-Key"
HEADER_TEXT = (
    "Any text of yours, 1 to 200 printable ASCII characters: a repeat of what was recorded with the same key is "
    "answered as the first time, and nothing happens twice; names of people are told as they are now. With another "
    "body it is refused. What was refused recorded nothing: the refusal is not kept, and a repeat is judged anew. A "
    "key of a game is kept while the game goes on, and at least seven days after its last change; any other key for "
    f"{KEPT_DAYS} days. A repeat later still is judged as a new request."
)
NOWHERE = UUID(int=0)
_READABLE = re.compile(IDEMPOTENCY_KEY)
_COLUMNS = "player, operation, target, key, body_hash, stream, first_version, last_version, seat, answer"
_KEEP = f"INSERT INTO idempotency_keys ({_COLUMNS}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)"
_KEEP_MANY = (
    f"INSERT INTO idempotency_keys ({_COLUMNS}) SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[],"
    " $5::bytea[], $6::uuid[], $7::int[], $8::int[], $9::smallint[], $10::bytea[])"
)


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


async def read_key(call: "Call[Any, Any]", operation: str, target: UUID) -> Key | None:
    """The request's Idempotency-Key, if it has one; raises Refused for one that cannot be read."""
    header = call.header(b"idempotency-key")
    if header is None:
        return None
    text = header.strip(" \t")
    if len(text) > 200 or not _READABLE.fullmatch(text):
        raise refused_header("Idempotency-Key", "Expected 1 to 200 printable ASCII characters, no blank at an end.")
    content = call.request.scope["query_string"] + b"\n" + call.raw_body
    return bound_key(call.player, operation, target, text, content, call.services.seals)


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


async def answer_once(
    call: "Call[Any, Any]", operation: str, handler: "Callable[[Call[Any, Any]], Awaitable[Response[Any]]]"
) -> "Response[Any]":
    """The handler's answer; of a repeat it only makes the first answer again, see `keyed_writes`.

    Of two at once with one key, one records something; the other is answered as a repeat.
    """
    if (key := await read_key(call, f"{operation} {call.request.scope['path']}", NOWHERE)) is None:
        return await handler(call)

    def row(stream: UUID, first: int, last: int, answer: bytes | None) -> Companion:
        return use_companion(key, stream, first, last, None, answer)

    store = call.services.store
    if (first_use := await find(store, key)) is None:
        try:
            with keyed_writes.keyed_write(row, None) as keyed:
                answer = await handler(call)
            if not keyed.stored:
                await store.append([], [row(key.player, 0, 0, None)])
            return answer
        except (Illegal, Refused, DuplicateCompanion):
            if (first_use := await find(store, key)) is None:
                raise
    with keyed_writes.keyed_write(row, first_use):
        return await handler(call)


async def answer_kept(
    call: "Call[Any, Any]", operation: str, handler: "Callable[[Call[Any, Any]], Awaitable[Response[Any]]]"
) -> "Response[Any]":
    """The handler's answer; a repeat gets the first one, stored sealed: it has a secret, or cannot be made again.

    The key is stored first, and the work goes on though its client leaves. Raises Refused:
    key_in_use for a repeat while the first is under way, after one that broke off, and of an answer that is not kept: a
    secret that cannot be sealed. An answer with a secret is for the token that asked first.
    """
    if (key := await read_key(call, f"{operation} {call.request.scope['path']}", NOWHERE)) is None:
        return await handler(call)
    store, seals, which = call.services.store, call.services.seals, (key.player, key.operation, key.target, key.text)
    place = key.player.bytes + sha256(f"{key.operation} {key.text}".encode()).digest()
    try:
        await store.append([], [use_companion(key, key.player, 0, 0, None, None)])
    except DuplicateCompanion:
        first_use = await find(store, key)
        if first_use is None or first_use.answer is None:
            reason = "A request with this key is under way, or its answer is not kept: see what it did."
            raise Refused("key_in_use", reason) from None
        first_answer = json.decode(seals.unseal_if_sealed(place, bytes(first_use.answer)), type=_KeptAnswer)
        if first_answer.headers.get("Cache-Control") == _SECRET and first_answer.token != call.known_caller.token:
            reason = "Another token of yours used this key first, and its answer has a secret."
            raise Refused("key_in_use", reason) from None
        status, headers = first_answer.status, first_answer.headers
        return Response(first_answer.body, status_code=status, headers=headers, media_type="application/json")
    answered: asyncio.Future[Response[Any]] = asyncio.get_running_loop().create_future()
    answered.add_done_callback(lambda done: done.exception())

    async def answer_first() -> None:
        try:
            try:
                answer = await handler(call)
            except (Illegal, Refused):
                await store.append([], [Companion(_FORGET, which)])
                raise
            if seals.sealing or answer.headers.get("Cache-Control") != _SECRET:
                token, content = call.known_caller.token, answer.content or b""
                first = json.encode(_KeptAnswer(answer.status_code or 200, dict(answer.headers), content, token))
                await store.append([], [Companion(_FILL, (seals.seal_if_sealing(place, first), *which))])
        except Exception as error:  # noqa: BLE001  the waiting request gets it
            answered.set_exception(error)
        else:
            answered.set_result(answer)

    start_task(answer_first, "answer kept")
    return await asyncio.shield(answered)


class _KeptAnswer(Struct, frozen=True, array_like=True):
    """An answer as it was given first, to this token."""

    status: int
    headers: dict[str, str]
    body: bytes
    token: UUID


_SECRET = "no-store"
"""`Cache-Control` of an answer with a secret."""
_WHICH = "WHERE player = %s AND operation = %s AND target = %s AND key = %s"
_FILL, _FORGET = f"UPDATE idempotency_keys SET answer = %s {_WHICH}", f"DELETE FROM idempotency_keys {_WHICH}"


def _hash_all(seals: Seals, plain: bytes) -> tuple[bytes, tuple[bytes, ...]]:
    """The body's hash, and others it may have. Keyed, for a short body could be guessed from a plain hash."""
    keyed = seals.hashes(plain)
    return (keyed[0], (*keyed[1:], plain)) if seals.sealing else (plain, keyed)


def key_companions(key: Key | None, step: Step, seat: Seat | None, refusal: bytes | None = None) -> list[Companion]:
    """The row to store with the step's events."""
    if key is None or not step.records:
        return []
    first, last = step.records[0], step.records[-1]
    return [use_companion(key, first.stream, first.version, last.version, seat, refusal)]


def request_companions(step: Step) -> Sequence[Companion]:
    """The row of the request's own key, to store with the step's events."""
    if not step.records:
        return ()
    first, last = step.records[0], step.records[-1]
    return keyed_writes.companions(first.stream, first.version, last.version)


def stream_companions(key: Key | None, stream: UUID) -> list[Companion]:
    """The row to store with the first event of a contest."""
    return [] if key is None else [use_companion(key, stream, 1, 1, None, None)]


def use_companion(key: Key, stream: UUID, first: int, last: int, seat: Seat | None, refusal: bytes | None) -> Companion:
    """The row itself."""
    values = (
        key.player, key.operation, key.target, key.text, key.body_hash, stream, first, last, seat, refusal,
    )  # fmt: skip
    return Companion(_KEEP, values, _KEEP_MANY)


async def find(store: EventStore, key: Key | None) -> FirstUse | None:
    """The key's first use, whose log position is noted; None: not used yet. Raises Refused for another body."""
    if key is None:
        return None
    rows = await store.query(
        "SELECT body_hash, stream, first_version, last_version, seat, answer, (SELECT position FROM events"
        " WHERE events.stream = keys.stream AND version = last_version) FROM idempotency_keys AS keys"
        " WHERE player = %s AND operation = %s AND target = %s AND key = %s",
        (key.player, key.operation, key.target, key.text),
    )
    if rows and bytes(rows[0][0]) not in (key.body_hash, *key.also):
        raise Refused("key_reused", "This Idempotency-Key was used before with another body.")
    if not rows:
        return None
    *use, position = rows[0][1:]
    log_positions.note(position or await store.head())
    return FirstUse(*use)
