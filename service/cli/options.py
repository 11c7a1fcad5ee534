"""Flags that several commands share, and the settings that environment and flags make together."""

import argparse
import os
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from service.cli.errors import Usage
from service.logs import FORMATS, LEVELS
from service.settings import Settings, from_environment

_OVERRIDES = ("host", "port", "data_folder", "signing_keys", "database_url", "log_level", "log_format", "run_worker")


def database_options(parser: argparse.ArgumentParser) -> None:
    """Which database, and how to log."""
    parser.add_argument("--data-folder", type=Path, help="folder of the private PostgreSQL (KIBITZ_DATA_FOLDER)")
    parser.add_argument("--database-url", metavar="URL", help="another PostgreSQL instead (DATABASE_URL)")
    parser.add_argument("--log-level", choices=LEVELS, help="the least level that is told (KIBITZ_LOG_LEVEL)")
    parser.add_argument("--log-format", choices=FORMATS, help="auto: text at a terminal, else json (KIBITZ_LOG_FORMAT)")


def settings_of(chosen: argparse.Namespace) -> Settings:
    """The environment's settings under the flags; raises Usage for an unreadable value.

    A data folder that is named on the command line is meant: DATABASE_URL in the environment then does not count.
    """
    try:
        settings = from_environment()
    except ValueError as error:
        raise Usage(f"A setting in the environment cannot be read: {error}.") from error
    given: dict[str, Any] = {name: getattr(chosen, name, None) for name in _OVERRIDES}
    flags = {name: value for name, value in given.items() if value is not None}
    if "data_folder" in flags:
        flags.setdefault("database_url", None)
    if "KIBITZ_LOG_FORMAT" not in os.environ:
        flags.setdefault("log_format", "auto")
    return replace(settings, **flags)
