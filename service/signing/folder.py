"""The folder of signing keys: one file for each, readable by nobody but the service."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from service.signing.jwk import KeptKey, made, name_of

_SUFFIX = ".jwk"


class KeysUnusable(Exception):
    """The folder of keys cannot be read or written, or holds what is no key; the message is one sentence."""


def names(folder: Path) -> frozenset[str]:
    """The names of the files; a key's file comes and never changes its public part. Raises OSError."""
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
    """A new key, from now on the one that signs; the folder is made if there is none; raises KeysUnusable."""
    key = made(Ed25519PrivateKey.generate(), datetime.now(UTC))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(folder, key)
    except OSError as error:
        raise KeysUnusable(f"No signing key can be made in {folder}: {error.strerror}.") from error
    return key


def rotate(folder: Path) -> KeptKey:
    """A new key; the private parts of those before are forgotten, their public ones stay; raises KeysUnusable."""
    before = keys(folder) if folder.exists() else ()
    key = make(folder)
    try:
        for old in before:
            _write(folder, replace(old, d=None))
    except OSError as error:
        raise KeysUnusable(f"A replaced key could not be rewritten in {folder}: {error.strerror}.") from error
    return key


def _write(folder: Path, key: KeptKey) -> None:
    """Whole or not at all: written beside, made durable, moved to its place."""
    path = folder / f"{name_of(key.x)}{_SUFFIX}"
    beside = path.with_suffix(f".{os.getpid()}.new")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        _give_to_owner(folder, descriptor)
        file.write(msgspec.json.encode(key) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    _settle(folder)


def _give_to_owner(folder: Path, descriptor: int) -> None:
    """Whoever the folder belongs to reads the key, also where root rotates it."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


def _settle(folder: Path) -> None:
    """The name too is made durable, where a folder can be."""
    with suppress(OSError, AttributeError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
