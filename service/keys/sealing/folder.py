"""The folder of sealing keys: one file for each, a JSON Web Key of kind `oct` (RFC 7518, 6.4) with when it was made."""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.keys.key_files import file_names, read_keys, unusability, write_key

_SUFFIX = ".seal"
_PART = r"^[A-Za-z0-9_-]{43}$"


class SealingKey(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """One service key of 256 bits, `k` in base64url without padding."""

    kty: Literal["oct"] = "oct"
    k: Annotated[str, Meta(pattern=_PART)]
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


def names(folder: Path) -> frozenset[str]:
    """The names of the key files; a key's file never changes. Raises OSError."""
    return file_names(folder, _SUFFIX)


def keys(folder: Path) -> tuple[SealingKey, ...]:
    """The keys, the oldest first, none where there is no folder; raises KeysUnusable."""
    found = read_keys(folder, _SUFFIX, SealingKey, lambda key: key.id.hex(), "sealing") if folder.exists() else []
    return tuple(sorted(found, key=lambda key: (key.from_, key.id)))


def make(folder: Path) -> SealingKey:
    """Make a new key, which seals from now on; the older keys stay. Raises KeysUnusable."""
    text = urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")
    key = SealingKey(k=text, from_=datetime.now(UTC))
    with unusability(f"No sealing key can be made in {folder}"):
        write_key(_path(folder, key.id), key)
    return key


def retire(folder: Path, key_id: bytes) -> None:
    """Delete this key for good; raises KeysUnusable."""
    with unusability(f"The key {key_id.hex()} cannot be removed from {folder}"):
        _path(folder, key_id).unlink()


def _path(folder: Path, key_id: bytes) -> Path:
    return folder / f"{key_id.hex()}{_SUFFIX}"
