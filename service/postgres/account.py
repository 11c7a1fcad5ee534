"""The account that PostgreSQL runs as: this process's own user, or an ordinary account if that is root."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from service.postgres.errors import PostgresUnavailable

# The first of these that exists; none is ever created, and no permission outside the data folder is changed.
CANDIDATES = ("kibitz", "postgres", "nobody")


@dataclass(frozen=True)
class Account:
    """A user of the operating system that is not root."""

    name: str
    uid: int
    gid: int


def account_for(folder: Path) -> Account | None:
    """The account that PostgreSQL needs for this folder: None where it is the process's own user.

    As root it is the owner of the folder or of the cluster in it, and where that is root one of `CANDIDATES`."""
    if os.geteuid() != 0:
        return None
    owner = _owner(folder / "cluster") or _owner(folder)
    return _account(owner) if owner else _candidate()


def identity(account: Account | None) -> dict[str, Any]:
    """The arguments that make `subprocess` run a program as this account; none for the process's own user."""
    return {} if account is None else {"user": account.uid, "group": account.gid, "extra_groups": [], "umask": 0o077}


def give(path: Path, account: Account | None) -> None:
    """Make the account the owner of the path."""
    if account is not None:
        shutil.chown(path, account.uid, account.gid)


def require_way_to(folder: Path, account: Account | None) -> None:
    """Raises PostgresUnavailable if the account may not enter the folder, naming the first folder in its way.

    The folder itself is ours: the right to pass through it is granted to all, what lies in it stays closed."""
    if account is None or _may_enter(folder, account):
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


def _owner(path: Path) -> int:
    return path.stat().st_uid if path.exists() else 0


def _account(uid: int) -> Account:
    import pwd

    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise PostgresUnavailable(
            f"The data folder belongs to user id {uid}, which this system does not know."
        ) from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _candidate() -> Account:
    import pwd

    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    for name in CANDIDATES:
        if name in known:
            return Account(name, known[name].pw_uid, known[name].pw_gid)
    raise PostgresUnavailable(f"PostgreSQL does not run as root, and none of the users {', '.join(CANDIDATES)} exists.")
