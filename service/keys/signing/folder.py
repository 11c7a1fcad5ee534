"""The folder of signing keys: one file for each, readable by nobody but the service."""

import os
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from service.keys import key_files
from service.keys.signing.jwk import KeptKey, kept_key, name_of

_SUFFIX = ".jwk"


class KeysUnusable(Exception):
    """The folder of keys cannot be read or written, or holds what is no key; the message is one sentence."""


def names(folder: Path) -> frozenset[str]:
    """The names of the key files; a file's public part never changes. Raises OSError."""
    return frozenset(name for name in os.listdir(folder) if name.endswith(_SUFFIX))


def keys(folder: Path) -> tuple[KeptKey, ...]:
    """The keys, the oldest first; raises KeysUnusable."""
    try:
        found = [_read(folder / name) for name in names(folder)]
    except OSError as error:
        raise KeysUnusable(f"The folder of signing keys {folder} cannot be read: {error.strerror}.") from error
    return tuple(sorted(found, key=lambda key: (key.from_, key.x)))


def _read(path: Path) -> KeptKey:
    try:
        key = msgspec.json.decode(path.read_bytes(), type=KeptKey)
    except msgspec.DecodeError as error:
        raise KeysUnusable(f"{path} is no signing key: {error}.") from error
    if path.stem != name_of(key.x):
        raise KeysUnusable(f"{path} holds the key {name_of(key.x)}.")
    return key


def make(folder: Path) -> KeptKey:
    """Make a new key, which signs from now on, and the folder if missing; raises KeysUnusable."""
    key = kept_key(Ed25519PrivateKey.generate(), datetime.now(UTC))
    try:
        _write(folder, key)
    except OSError as error:
        raise KeysUnusable(f"No signing key can be made in {folder}: {error.strerror}.") from error
    return key


def rotate(folder: Path) -> KeptKey:
    """Make a new key, and delete the private parts of the older keys; raises KeysUnusable."""
    before = keys(folder) if folder.exists() else ()
    key = make(folder)
    try:
        for old in before:
            _write(folder, replace(old, d=None))
    except OSError as error:
        raise KeysUnusable(f"A replaced key could not be rewritten in {folder}: {error.strerror}.") from error
    return key


def _write(folder: Path, key: KeptKey) -> None:
    key_files.write(folder / f"{name_of(key.x)}{_SUFFIX}", msgspec.json.encode(key) + b"\n")
