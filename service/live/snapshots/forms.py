"""Snapshots as bytes: msgpack in the form of one revision of one game type, sealed like the records of a live game."""

from functools import cache
from hashlib import blake2b
from typing import Any
from uuid import UUID

import msgspec

from domain.games import REVISIONS
from domain.play.snapshot import Snapshot
from service.event_store.codec import Codec

_ENCODER = msgspec.msgpack.Encoder(uuid_format="bytes")


@cache
def form_of(key: str, revision: int) -> str:
    """The name of the form: `klondike/1/` and a hash of the fields. Who knows another form reads the records."""
    fields = msgspec.json.encode(msgspec.json.schema(_type(key, revision)), order="sorted")
    return f"{key}/{revision}/{blake2b(fields, digest_size=8).hexdigest()}"


@cache
def known(form: str) -> bool:
    """Whether this program reads and writes snapshots in this form."""
    key, revision = _parts(form)
    return (key, revision) in REVISIONS and form_of(key, revision) == form


@cache
def _decoder(form: str) -> "msgspec.msgpack.Decoder[Snapshot[Any]]":
    return msgspec.msgpack.Decoder(_type(*_parts(form)))


def _parts(form: str) -> tuple[str, int]:
    key, revision, _ = form.split("/")
    return key, int(revision)


def _type(key: str, revision: int) -> Any:
    return Snapshot[REVISIONS[key, revision].state]  # type: ignore[misc]


def written(stream: UUID, form: str, snapshot: "Snapshot[Any]", codec: Codec) -> bytes:
    """The snapshot as it is stored."""
    return codec.seals.closed(_place(stream, snapshot.version, form), _ENCODER.encode(snapshot))


def read(stream: UUID, version: int, form: str, body: bytes, codec: Codec) -> "Snapshot[Any]":
    """The snapshot again; its form is known. Raises DecodeError, SealingKeyMissing or BrokenSeal."""
    return _decoder(form).decode(codec.seals.opened(_place(stream, version, form), body))


def _place(stream: UUID, version: int, form: str) -> bytes:
    return stream.bytes + version.to_bytes(4, "big") + b"snapshot " + form.encode()
