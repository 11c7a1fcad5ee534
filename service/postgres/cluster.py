"""PostgreSQL's data directory: made on first use, and of the pinned version."""

import secrets
import shutil
from pathlib import Path

from service.postgres.binaries import MAJOR, run
from service.postgres.errors import PostgresUnavailable, WrongPostgresVersion
from service.postgres.folder import DataFolder

USER = "kibitz"
_SHAPE = (
    f"--username={USER}",
    "--encoding=UTF8",
    "--locale=C",
    "--auth-local=trust",  # the socket's folder lets nobody else in
    "--auth-host=scram-sha-256",  # a loopback port is open to every user of the machine
)


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
    data.write_private(data.password, secrets.token_urlsafe(32))
    sync = () if durable else ("--no-sync",)
    arguments = (*_SHAPE, f"--pwfile={data.password}", "--no-instructions", *sync, f"--pgdata={cluster}")
    made = run(binaries / "initdb", *arguments, data=data)
    if made.returncode:
        raise PostgresUnavailable(f"PostgreSQL could not make its data directory: {_last_line(made.stderr)}")


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.startswith("initdb: error")), text.strip())
