"""The folder of signing keys: one file for each, readable by nobody but the service."""

from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from service.keys.key_files import file_names, read_keys, unusability, write_key
from service.keys.signing.jwk import KeptKey, kept_key, name_of

_SUFFIX = ".jwk"


def names(folder: Path) -> frozenset[str]:
    """The names of the key files; a file's public part never changes. Raises OSError."""
    return file_names(folder, _SUFFIX)


def keys(folder: Path) -> tuple[KeptKey, ...]:
    """The keys, the oldest first; raises KeysUnusable."""
    found = read_keys(folder, _SUFFIX, KeptKey, lambda key: name_of(key.x), "signing")
    return tuple(sorted(found, key=lambda key: (key.from_, key.x)))


def make(folder: Path) -> KeptKey:
    """Make a new key, which signs from now on, and the folder if missing; raises KeysUnusable."""
    key = kept_key(Ed25519PrivateKey.generate(), datetime.now(UTC))
    with unusability(f"No signing key can be made in {folder}"):
        write_key(_path(folder, key), key)
    return key


def rotate(folder: Path) -> KeptKey:
    """Make a new key, and delete the private parts of the older keys; raises KeysUnusable."""
    before = keys(folder) if folder.exists() else ()
    key = make(folder)
    with unusability(f"A replaced key could not be rewritten in {folder}"):
        for old in before:
            write_key(_path(folder, old), replace(old, d=None))
    return key


def _path(folder: Path, key: KeptKey) -> Path:
    return folder / f"{name_of(key.x)}{_SUFFIX}"
