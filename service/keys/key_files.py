"""Folders of files that hold one key each: written whole or not at all, readable by the service alone."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import msgspec

K = TypeVar("K")


class KeysUnusable(Exception):
    """A folder of keys cannot be read or written, or holds a file that is no key; the message is one sentence."""


@contextmanager
def unusability(sentence: str) -> Iterator[None]:
    """Raises KeysUnusable with this sentence and the system's reason where the block raises OSError."""
    try:
        yield
    except OSError as error:
        raise KeysUnusable(f"{sentence}: {error.strerror}.") from error


def file_names(folder: Path, suffix: str) -> frozenset[str]:
    """The names of the key files. Raises OSError."""
    return frozenset(name for name in os.listdir(folder) if name.endswith(suffix))


def read_keys(folder: Path, suffix: str, kind: type[K], name_of: Callable[[K], str], use: str) -> list[K]:
    """The keys of these files, each of which has its key's name; `use`: "sealing" or "signing". Raises KeysUnusable."""
    with unusability(f"The folder of {use} keys {folder} cannot be read"):
        return [_read_key(folder / name, kind, name_of, use) for name in file_names(folder, suffix)]


def _read_key(path: Path, kind: type[K], name_of: Callable[[K], str], use: str) -> K:
    try:
        key = msgspec.json.decode(path.read_bytes(), type=kind)
    except msgspec.DecodeError as error:
        raise KeysUnusable(f"{path} is no {use} key: {error}.") from error
    if path.stem != name_of(key):
        raise KeysUnusable(f"{path} holds the key {name_of(key)}.")
    return key


def write_key(path: Path, key: msgspec.Struct) -> None:
    """Write a temporary file, sync it, and move it to its place; makes the folder if missing. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}.new")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        owner = path.parent.stat()
        if os.geteuid() == 0 != owner.st_uid:  # the folder's owner must read the key even if root rotates it
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
        file.write(msgspec.json.encode(key) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the file's name durable, too, on systems that can sync a folder."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
