"""Programs that tests need: on a machine without one that pip does not bring Debian's is installed."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_PATIENTLY = ("-q", "-o", "Acquire::Retries=5", "-o", "DPkg::Lock::Timeout=200")
"""A mirror may stumble, and the machine's own upgrades may be under way."""
_LOCK = Path(tempfile.gettempdir()) / "kibitz-tests-apt.lock"


class NotThere(Exception):
    """There is no such program, and it cannot be installed here: how to get it, in one line."""


def program(package: str, names: Sequence[str]) -> str:
    """The path of the program by the first of these names, installed first where there is none; raises NotThere."""
    return found(names) or _installed(package, names)


def from_pip(name: str, group: str) -> str:
    """The path of a program of this group of dependencies, beside this Python or anywhere; raises NotThere."""
    beside = Path(sys.executable).with_name(name)
    path = str(beside) if beside.exists() else shutil.which(name)
    if path is None:
        raise NotThere(f"These tests need {name}: `.venv/bin/pip install -c constraints.txt --group {group}`.")
    return path


@contextmanager
def exit_where_missing() -> Iterator[None]:
    """End the process with the one line, for a command that needs such a program."""
    try:
        yield
    except NotThere as missing:
        sys.exit(str(missing))


def found(names: Sequence[str]) -> str | None:
    """The path of the program if it is there already."""
    return next((path for name in names if (path := shutil.which(name))), None)


def _installed(package: str, names: Sequence[str]) -> str:
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise NotThere(f"These tests need {package}: install it, as with `sudo apt-get install {package}`.")
    with _alone():
        if found(names) is None:
            _apt("update")
            _apt("install", "-y", "--no-install-recommends", *package.split())
    if (path := found(names)) is None:
        raise NotThere(f"apt-get has installed {package}, but none of {', '.join(names)} is there.")
    return path


@contextmanager
def _alone() -> Iterator[None]:
    """apt-get refuses a second one at the same time, and tests run in several processes."""
    with _LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _apt(*words: str) -> None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(["apt-get", *_PATIENTLY, *words], env=quiet, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise NotThere(f"`apt-get {' '.join(words)}` failed: {said}")
