"""Flags that several commands share, and the settings that environment and flags make together."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from service.cli.ending import Refusal, Usage
from service.settings import Settings, from_environment, setting
from service.telemetry.logs import FORMATS, LEVELS

_OVERRIDES = (
    "host", "port", "data_folder", "signing_keys", "sealing_keys", "database_url", "log_level", "log_format",
    "run_worker", "metrics_port", "metrics_host", "processes",
)  # fmt: skip


def database_options(parser: argparse.ArgumentParser) -> None:
    """Which database, and how to log."""
    parser.add_argument("--data-folder", type=Path, help="folder of the private PostgreSQL (KIBITZ_DATA_FOLDER)")
    parser.add_argument("--database-url", metavar="URL", help="another PostgreSQL instead (DATABASE_URL)")
    parser.add_argument("--log-level", choices=LEVELS, help="the least level that is told (KIBITZ_LOG_LEVEL)")
    parser.add_argument("--log-format", choices=FORMATS, help="auto: text at a terminal, else json (KIBITZ_LOG_FORMAT)")


def output_option(parser: argparse.ArgumentParser) -> None:
    """Where the text goes."""
    parser.add_argument("--output", type=Path, metavar="FILE", help="write it there instead of to stdout")


def write_output(content: bytes, output: Path | None) -> None:
    """Write to this file, or to standard output; raises Refusal."""
    if output is None:
        sys.stdout.buffer.write(content)
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        raise Refusal(f"{output} cannot be written: {error.strerror}.") from error


def settings_of(chosen: argparse.Namespace) -> Settings:
    """The environment's settings under the flags; raises Usage for one that is refused.

    A data folder that is named on the command line is meant: DATABASE_URL in the environment then does not count.
    """
    try:
        settings = from_environment()
        flags = {name: setting(name, value, f"--{name.replace('_', '-')}") for name, value in _flags(chosen).items()}
    except ValueError as error:
        raise Usage(str(error)) from error
    if "data_folder" in flags:
        flags.setdefault("database_url", None)
    if flags.get("database_url", settings.database_url) != settings.database_url:
        flags |= {"session_url": None, "replica_url": None}  # those in the environment are another database's
    if not os.environ.get("KIBITZ_LOG_FORMAT"):
        flags.setdefault("log_format", "auto")
    return _check_consistent(replace(settings, **flags))


def _flags(chosen: argparse.Namespace) -> dict[str, Any]:
    """The flags given that are settings. `--processes` is one for `serve` only: elsewhere it means something else."""
    names = (name for name in _OVERRIDES if name != "processes" or chosen.name == "serve")
    given = {name: getattr(chosen, name, None) for name in names}
    return {name: value for name, value in given.items() if value is not None}


def _check_consistent(settings: Settings) -> Settings:
    """Raises Usage if a session or replica address is set without DATABASE_URL."""
    if settings.database_url is None and (settings.session_url or settings.replica_url):
        raise Usage("KIBITZ_SESSION_URL and KIBITZ_REPLICA_URL are addresses of the database that DATABASE_URL names.")
    return settings
