"""Files that hold keys: written whole or not at all, readable by nobody but the service."""

import os
from contextlib import suppress
from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Write a temporary file, sync it, and move it to its place; makes the folder if missing. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}.new")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        _give_to_owner(path.parent, descriptor)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    _sync_folder(path.parent)


def _give_to_owner(folder: Path, descriptor: int) -> None:
    """Give the key to the folder's owner, who must read it even if root rotates it."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


def _sync_folder(folder: Path) -> None:
    """Make the file's name durable too, on systems that can sync a folder."""
    with suppress(OSError, AttributeError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
