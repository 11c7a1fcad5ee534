"""Sealing: secrets in the database are encrypted under keys that are not in the database.

AES-256-GCM under a key of each stream's own, derived from the newest key of a folder.

A sealed text is, in this order: a byte that begins no msgpack value (0xC1), the format (1), the 4 bytes of the service
key's name, a nonce of 12 bytes, the ciphertext with its tag of 16. Its associated data are its place: stream,
version, topic. A text that was changed or moved to another place is not unsealed.

The stream's key is BLAKE2b keyed by the service key (RFC 7693, a pseudo-random function) over the stream's id. The
version is no nonce: after a conflict another record is sealed for it. Nonces count up from 96 random bits that every
process draws: that two of them meet under one stream's key, which seals some thousands of texts, is less likely than
with nonces drawn one by one, of which NIST SP 800-38D (8.3) allows 2^32.
"""

import os
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import blake2b, sha256
from itertools import count
from os import urandom
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Literal
from uuid import UUID

import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Meta, Struct

from service.keys.key_files import KeysUnusable, file_names, read_keys, unusability, write_key

_SUFFIX = ".seal"
_FORMAT = b"\xc1\x01"
_ID, _NONCE = slice(2, 6), slice(6, 18)
_BODY = 18
_ALL = 2**96 - 1
_STREAM_KEY, _HASH_KEY = b"kibitz game key", b"kibitz hash key"
_REMEMBERED = 4096
"""Size of the cache of ciphers by stream: making one takes twice as long as sealing a record."""
_LEARNT = 65_536
"""Size of the cache of keys of revealed streams, for which the service key may be gone."""
_CHECK = 1.0
"""Seconds between two checks of the folder for new keys."""
_FORKS = [1]  # one element more in every forked process, which must then draw new nonces
os.register_at_fork(after_in_child=lambda: _FORKS.append(1))
_log = structlog.get_logger("sealing")


class SealingKey(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """One service key of 256 bits: a JSON Web Key of kind `oct` (RFC 7518, 6.4), and the time when it was made."""

    kty: Literal["oct"] = "oct"
    k: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")]
    from_: Annotated[datetime, Meta(tz=True)]

    @property
    def secret(self) -> bytes:
        """The 32 bytes."""
        return urlsafe_b64decode(self.k + "=")

    @property
    def id(self) -> bytes:
        """The key's name, as sealed records carry it: the first 4 bytes of SHA-256 of the 32."""
        return sha256(self.secret).digest()[:4]

    def __repr__(self) -> str:
        return f"<SealingKey {self.id.hex()}>"


def sealing_key_files(folder: Path) -> frozenset[str]:
    """The names of the key files; a key's file never changes. Raises OSError."""
    return file_names(folder, _SUFFIX)


def sealing_keys(folder: Path) -> tuple[SealingKey, ...]:
    """The keys, the oldest first, none where there is no folder; raises KeysUnusable."""
    keys = read_keys(folder, _SUFFIX, SealingKey, lambda key: key.id.hex(), "sealing") if folder.exists() else []
    return tuple(sorted(keys, key=lambda key: (key.from_, key.id)))


def make_sealing_key(folder: Path) -> SealingKey:
    """Make a new key, which seals from now on; the older keys stay. Raises KeysUnusable."""
    text = urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")
    key = SealingKey(k=text, from_=datetime.now(UTC))
    with unusability(f"No sealing key can be made in {folder}"):
        write_key(_path(folder, key.id), key)
    return key


def retire_sealing_key(folder: Path, key_id: bytes) -> None:
    """Delete this key for good; raises KeysUnusable."""
    with unusability(f"The key {key_id.hex()} cannot be removed from {folder}"):
        _path(folder, key_id).unlink()


def _path(folder: Path, key_id: bytes) -> Path:
    return folder / f"{key_id.hex()}{_SUFFIX}"


class SealError(Exception):
    """A sealed record that cannot be opened."""


class SealingKeyMissing(SealError):
    """A record is sealed under a key that this process does not have."""

    def __init__(self, stream: UUID, key: bytes) -> None:
        super().__init__(f"Stream {stream} is sealed under the key {key.hex()}, which is not in the folder of keys.")
        self.stream, self.key = stream, key


class BrokenSeal(SealError):
    """A sealed record was changed, or is not in the place that it was sealed for."""

    def __init__(self, place: bytes) -> None:
        version = int.from_bytes(place[16:20], "big")
        stream = UUID(bytes=place[:16])
        super().__init__(f"Version {version} of stream {stream} was changed or moved: its seal is broken.")


def is_sealed(text: bytes) -> bool:
    """Whether this is a sealed text, and not a record in the clear."""
    return text[:1] == b"\xc1"


class Seals:
    """The keys of one folder, reread when a new one appears; without a folder only learnt keys of streams."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = None if path is None else path.expanduser()
        self._names: frozenset[str] = frozenset()
        self._keys: dict[bytes, bytes] = {}
        self._newest = b""
        self._checked, self._begins = -_CHECK, 0.0
        self._learnt: OrderedDict[tuple[bytes, bytes], AESGCM] = OrderedDict()
        self.missed: set[bytes] = set()
        self.given_up: set[bytes] = set()
        self._cipher = lru_cache(_REMEMBERED)(lambda key, stream: AESGCM(_derive_key(self._keys[key], stream)))
        self._head = _FORMAT
        self._forks, self._nonces = 0, count()

    def open(self) -> "Seals":
        """Read the keys, and make the first one where there is none; raises KeysUnusable."""
        if self._path is not None and not sealing_keys(self._path):
            make_sealing_key(self._path)
        self._read()
        return self

    def read(self) -> "Seals":
        """Read the keys, if there are any; raises KeysUnusable."""
        if self._path is not None and self._path.exists():
            self._read()
        return self

    def postpone(self, seconds: float) -> None:
        """Seal nothing for so many seconds: processes that cannot unseal may still run beside this one."""
        self._begins = monotonic() + seconds

    @property
    def sealing(self) -> bool:
        """Whether there is a key to seal with, and the time has come."""
        if self._begins and monotonic() >= self._begins:
            self._begins = 0.0
        return not self._begins and self._newest != b""

    @property
    def newest(self) -> bytes:
        """The name of the key that seals; empty if there is none."""
        return self._newest

    @property
    def ids(self) -> frozenset[bytes]:
        """The names of all keys, including one that was added meanwhile."""
        self._reread_if_changed()
        return frozenset(self._keys)

    def seal(self, place: bytes, text: bytes) -> bytes:
        """The sealed text, good in this place alone."""
        self._reread_if_changed()
        if self._forks != len(_FORKS):  # a forked process starts from new random bits
            self._forks, self._nonces = len(_FORKS), count(int.from_bytes(urandom(12), "big"))
        nonce = (next(self._nonces) & _ALL).to_bytes(12, "big")
        return self._head + nonce + self._cipher(self._newest, place[:16]).encrypt(nonce, text, place)

    def unseal(self, place: bytes, text: bytes) -> bytes:
        """The text that was sealed for this place; raises SealingKeyMissing or BrokenSeal."""
        if text[:2] != _FORMAT or len(text) < _BODY:
            raise BrokenSeal(place)
        try:
            return self._find_cipher(text[_ID], place).decrypt(text[_NONCE], text[_BODY:], place)
        except InvalidTag:
            raise BrokenSeal(place) from None

    def seal_if_sealing(self, place: bytes, text: bytes) -> bytes:
        """The text, sealed if `sealing`. It must not begin with 0xC1, which no UTF-8 text does."""
        return self.seal(place, text) if self.sealing else text

    def unseal_if_sealed(self, place: bytes, text: bytes) -> bytes:
        """The text, unsealed if it is sealed; raises SealingKeyMissing or BrokenSeal."""
        return self.unseal(place, text) if is_sealed(text) else text

    def _find_cipher(self, key: bytes, place: bytes) -> AESGCM:
        try:
            return self._cipher(key, place[:16])
        except KeyError:
            self._reread_if_changed()
        if (learnt := self._learnt.get((key, place[:16]))) is not None:
            return learnt
        if key not in self._keys:
            if key not in self.missed:
                self.missed.add(key)
                _log.warning("sealing key missing", key=key.hex())
            raise SealingKeyMissing(UUID(bytes=place[:16]), key)
        return self._cipher(key, place[:16])

    def stream_keys(self, stream: UUID) -> list[tuple[bytes, bytes]]:
        """Each service key's name, and the key derived from it for this stream, which opens the stream alone."""
        return [(key, _derive_key(secret, stream.bytes)) for key, secret in self._keys.items()]

    def learn(self, rows: Iterable[Sequence[Any]]) -> bool:
        """Add keys of revealed streams, as rows of stream, service key's name, stream's key; whether any is new.

        A row without a stream means that the service key is given up.
        """
        while len(self._learnt) > _LEARNT:
            self._learnt.popitem(last=False)
        sizes = len(self._learnt), len(self.given_up)
        for stream, key, value in rows:
            if stream is None:
                self.given_up.add(bytes(key))
            else:
                self._learnt[bytes(key), stream.bytes] = AESGCM(bytes(value))
        return sizes != (len(self._learnt), len(self.given_up))

    def hashes(self, text: bytes) -> tuple[bytes, ...]:
        """Keyed hashes (32 bytes) of a text that is easy to guess, one per key, the newest key's first."""
        keys = sorted(self._keys.items(), key=lambda item: item[0] != self._newest)
        return tuple(blake2b(text, key=secret, person=_HASH_KEY, digest_size=32).digest() for _, secret in keys)

    def _reread_if_changed(self) -> None:
        """Read the folder again if it has a new file. If it cannot be read, the keys in memory stay in use."""
        if self._path is None or monotonic() < self._checked + _CHECK:
            return
        self._checked = monotonic()
        try:
            if not sealing_key_files(self._path) <= self._names:
                self._read()
        except (OSError, KeysUnusable):
            return

    def _read(self) -> None:
        """A key whose file is gone stays in memory until the process ends."""
        if self._path is None:
            return
        keys = sealing_keys(self._path)
        self._names = frozenset(f"{key.id.hex()}{_SUFFIX}" for key in keys)
        self._keys |= {key.id: key.secret for key in keys}
        self._newest = keys[-1].id if keys else self._newest
        self._head = _FORMAT + self._newest


def _derive_key(secret: bytes, stream: bytes) -> bytes:
    return blake2b(stream, key=secret, person=_STREAM_KEY, digest_size=32).digest()
