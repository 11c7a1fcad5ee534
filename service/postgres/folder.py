"""The data folder: what lies where, who may see it, and the lock of the one process that serves it.

The lock is the operating system's, and vanishes with the process that holds it.
"""

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from service.postgres.account import Account, account_for, give, require_way_to
from service.postgres.errors import FolderInUse, PostgresUnavailable

_LARGEST_LOG = 10_000_000  # bytes; a longer one is set aside once, at the next start


@dataclass(frozen=True)
class DataFolder:
    """An existing data folder, and the account that its cluster needs (None: the process's own user)."""

    path: Path
    account: Account | None

    @property
    def cluster(self) -> Path:
        """PostgreSQL's own data directory, mode 0700."""
        return self.path / "cluster"

    @property
    def address(self) -> Path:
        """Where the server that was started last listens."""
        return self.path / "address"

    @property
    def lock(self) -> Path:
        """The file that the one `serve` holds locked."""
        return self.path / "serve.lock"

    @property
    def log(self) -> Path:
        """PostgreSQL's log, mode 0600."""
        return self.path / "postgresql.log"

    def make_private(self, folder: Path) -> Path:
        """Make sure of a folder that PostgreSQL's account owns and nobody else may enter."""
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)
        give(folder, self.account)
        return folder

    def write_private(self, file: Path, text: str) -> None:
        """Write a file that PostgreSQL's account owns and nobody else may read."""
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as written:
            written.write(text)
        give(file, self.account)

    def open_log(self) -> BinaryIO:
        """The log, ready to be added to."""
        if self.log.exists() and self.log.stat().st_size > _LARGEST_LOG:
            self.log.replace(self.log.with_suffix(".log.1"))
        return open(os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def make_data_folder(path: Path) -> DataFolder:
    """The data folder, made if it is missing; raises PostgresUnavailable where it cannot be used."""
    path = path.expanduser().resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = DataFolder(path, account_for(path))
        require_way_to(path, data.account)
    except OSError as error:
        raise PostgresUnavailable(f"The data folder {path} cannot be used: {error.strerror}.") from error
    return data


def existing_data_folder(path: Path) -> DataFolder:
    """The data folder as it is; whether anything is in it shows later."""
    path = path.expanduser().resolve()
    return DataFolder(path, account_for(path))


@dataclass
class FolderLock:
    """The lock as long as it is held."""

    descriptor: int

    def release(self) -> None:
        """Let go; the file stays, since removing it would let two processes lock two files of one name."""
        os.close(self.descriptor)


def lock_folder(data: DataFolder) -> FolderLock:
    """Take the folder for this process alone; raises FolderInUse if another one has it."""
    descriptor = _open_lock_file(data)
    try:
        # flock and not lockf: it also refuses a second holder in the same process, and reading the file keeps it.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = _holder(descriptor)
        os.close(descriptor)
        raise FolderInUse(f"The data folder {data.path} is already served by {holder}.") from None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, str(os.getpid()).encode())
    return FolderLock(descriptor)


def _open_lock_file(data: DataFolder) -> int:
    try:
        return os.open(data.lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise PostgresUnavailable(f"The data folder {data.path} cannot be used: {error.strerror}.") from error


def _holder(descriptor: int) -> str:
    pid = os.read(descriptor, 20).decode(errors="replace").strip()
    return f"process {pid}" if pid.isdigit() else "another process"
