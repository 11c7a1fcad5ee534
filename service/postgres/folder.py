"""The data folder: its files, the account that owns them, and the lock of the one process that serves it.

Every message of an error is one sentence for the person at the terminal.
"""

import fcntl
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

# The first that exists runs PostgreSQL for root; none is created, and permissions outside the data folder stay.
ACCOUNTS = ("kibitz", "postgres", "nobody")
_LARGEST_LOG = 10_000_000  # bytes; a longer one is set aside once, at the next start


class PostgresError(Exception):
    """Any refusal of this package."""


class PostgresUnavailable(PostgresError):
    """No server runs, or it could not be started, reached or stopped."""


class StillStarting(PostgresUnavailable):
    """The server was not ready in time, and goes on with its recovery."""


class FolderInUse(PostgresError):
    """Another process serves from this data folder."""


class WrongPostgresVersion(PostgresError):
    """The data folder or the programs are of a major version other than the pinned one."""


class NotOwner(PostgresError):
    """A server that was only joined is not ours to stop."""


@dataclass(frozen=True)
class Account:
    """A user of the operating system that is not root."""

    name: str
    uid: int
    gid: int


def account_for(folder: Path) -> Account | None:
    """The account that PostgreSQL needs for this folder: None where it is the process's own user.

    As root it is the owner of the folder or of the cluster in it, and where that is root one of `ACCOUNTS`."""
    if os.geteuid() != 0:
        return None
    owners = (path.stat().st_uid for path in (folder / "cluster", folder) if path.exists())
    if uid := next(filter(None, owners), 0):
        try:
            entry = pwd.getpwuid(uid)
        except KeyError:
            message = f"The data folder belongs to user id {uid}, which this system does not know."
            raise PostgresUnavailable(message) from None
        return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
    users = {entry.pw_name: entry for entry in pwd.getpwall()}
    for name in ACCOUNTS:
        if name in users:
            return Account(name, users[name].pw_uid, users[name].pw_gid)
    raise PostgresUnavailable(f"PostgreSQL does not run as root, and none of the users {', '.join(ACCOUNTS)} exists.")


def identity(account: Account | None) -> dict[str, Any]:
    """The arguments that make `subprocess` run a program as this account; none for the process's own user."""
    return {} if account is None else {"user": account.uid, "group": account.gid, "extra_groups": [], "umask": 0o077}


def give(path: Path, account: Account | None) -> None:
    """Make the account the owner of the path."""
    if account is not None:
        shutil.chown(path, account.uid, account.gid)


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
        """The file with the address of the server that was started last."""
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
        """Make a folder that only PostgreSQL's account may enter, or make an existing one so."""
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)
        give(folder, self.account)
        return folder

    def write_private(self, file: Path, text: str) -> None:
        """Write a file that only PostgreSQL's account may read."""
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as private:
            private.write(text)
        give(file, self.account)

    def open_log(self) -> BinaryIO:
        """The log, open for appending."""
        if self.log.exists() and self.log.stat().st_size > _LARGEST_LOG:
            self.log.replace(self.log.with_suffix(".log.1"))
        return open(os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def make_data_folder(path: Path) -> DataFolder:
    """The data folder, made if it is missing; raises PostgresUnavailable where it cannot be used."""
    path = path.expanduser().resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = DataFolder(path, account_for(path))
        if data.account is not None:
            _require_way_to(path, data.account)
    except OSError as error:
        raise PostgresUnavailable(f"The data folder {path} cannot be used: {error.strerror}.") from error
    return data


def existing_data_folder(path: Path) -> DataFolder:
    """The data folder as it is, even empty."""
    path = path.expanduser().resolve()
    return DataFolder(path, account_for(path))


def _require_way_to(folder: Path, account: Account) -> None:
    """Raises PostgresUnavailable if the account may not enter the folder, naming the first folder in its way.

    The data folder itself is ours: everyone gets the right to pass through it, and its content stays closed."""
    if _may_enter(folder, account):
        return
    folder.chmod(folder.stat().st_mode | 0o111)
    closed = next((step for step in [*reversed(folder.parents), folder] if not _may_enter(step, account)), None)
    if closed is not None:
        raise PostgresUnavailable(
            f"PostgreSQL does not run as root but as {account.name}, who may not enter {closed}: choose a data folder "
            f"elsewhere, run as an ordinary user, or allow it with `chmod o+x {closed}`."
        )


def _may_enter(folder: Path, account: Account) -> bool:
    command = ["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)]
    return subprocess.run(command, cwd="/", capture_output=True, check=False, **identity(account)).returncode == 0


def lock_folder(data: DataFolder) -> int:
    """Lock the folder for this process alone, until the returned descriptor is closed; raises FolderInUse.

    The file stays after that: if it were removed, two processes could lock two files of one name."""
    try:
        descriptor = os.open(data.lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise PostgresUnavailable(f"The data folder {data.path} cannot be used: {error.strerror}.") from error
    try:
        # flock and not lockf: it also refuses a second holder in the same process, and reading the file keeps it.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        pid = os.read(descriptor, 20).decode(errors="replace").strip()
        os.close(descriptor)
        holder = f"process {pid}" if pid.isdigit() else "another process"
        raise FolderInUse(f"The data folder {data.path} is already served by {holder}.") from None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, str(os.getpid()).encode())
    return descriptor
