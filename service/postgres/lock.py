"""One `serve` for each data folder: a lock of the operating system, which vanishes with the process that holds it."""

import os
import sys
from dataclasses import dataclass

from service.postgres.errors import FolderInUse, PostgresUnavailable
from service.postgres.folder import DataFolder

if sys.platform == "win32":
    import msvcrt

    def _seize(descriptor: int) -> None:
        # A byte far behind the text: what Windows locks, others cannot read, and they want to read the pid.
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def _seize(descriptor: int) -> None:
        # flock and not lockf: it also refuses a second holder in the same process, and reading the file keeps it.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


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
        _seize(descriptor)
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
