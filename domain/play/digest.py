"""The digest that chains a game's records: keyed BLAKE2b over the one before, the envelope and the state.

Input, in this order: the previous digest (32 bytes, zeros at first); the envelope as canonical JSON (keys sorted,
no blanks, defaults omitted); a line feed; the game type's state after the event as canonical JSON (`null` before
the deal). The key is secret until the game is revealed: a plain digest would tell small hidden states.
"""

from hashlib import blake2b

import msgspec
from msgspec import Struct

from domain.play.aggregate import AnyRecord

_ENCODER = msgspec.json.Encoder(order="sorted")
START = bytes(32)


def digest(key: bytes, before: bytes, record: AnyRecord, state: Struct | None) -> bytes:
    """The 32-byte digest of one record; its own `digest` field is left out of what is hashed."""
    chain = blake2b(before or START, key=key, digest_size=32)
    chain.update(_ENCODER.encode(_envelope(record)))
    chain.update(b"\n" + _ENCODER.encode(state))
    return chain.digest()


def _envelope(record: AnyRecord) -> list[object]:
    return [
        record.stream, record.version, record.time, record.type, record.revision, record.step,
        record.actor, record.seat, record.command, record.event,
    ]  # fmt: skip
