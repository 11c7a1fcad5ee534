"""Flags that several commands share, the settings that environment and flags make together, and where text goes."""

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated
from uuid import UUID

from cyclopts import Parameter, Token
from msgspec.structs import replace

from service.cli.ending import Refusal, Usage
from service.settings import Settings, from_environment, setting


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class DatabaseFlags:
    """Which database, and how to log."""

    data_folder: str | None = None
    """folder of the private PostgreSQL (KIBITZ_DATA_FOLDER)"""
    database_url: str | None = None
    """another PostgreSQL instead (DATABASE_URL)"""
    log_level: str | None = None
    """the log's least level: debug, info, warning or error (KIBITZ_LOG_LEVEL)"""
    log_format: str | None = None
    """text, json, or auto: text at a terminal, else json (KIBITZ_LOG_FORMAT)"""

    def settings(self, **others: object) -> Settings:
        """The environment's settings under these flags and others; raises Usage."""
        return read_settings(**asdict(self), **others)


NO_FLAGS = DatabaseFlags()


def read_settings(**flags: object) -> Settings:
    """The environment's settings under the flags; raises Usage for one that is refused.

    A data folder that is named on the command line is meant: DATABASE_URL in the environment then does not count.
    """
    try:
        settings = from_environment()
        values: dict[str, object] = {
            name: setting(name, value, f"--{name.replace('_', '-')}")
            for name, value in flags.items()
            if value is not None
        }
    except ValueError as error:
        raise Usage(str(error)) from error
    if "data_folder" in values:
        values.setdefault("database_url", None)
    if values.get("database_url", settings.database_url) != settings.database_url:
        values |= {"session_url": None, "replica_url": None}  # those in the environment are another database's
    if not os.environ.get("KIBITZ_LOG_FORMAT"):
        values.setdefault("log_format", "auto")
    settings = replace(settings, **values)
    if settings.database_url is None and (settings.session_url or settings.replica_url):
        raise Usage("KIBITZ_SESSION_URL and KIBITZ_REPLICA_URL are addresses of the database that DATABASE_URL names.")
    return settings


def _read_count(kind: type, tokens: Sequence[Token]) -> int:
    if (number := int(tokens[0].value)) < 1:
        raise ValueError(f"{number} is no number from 1 on")
    return number


def _read_id(kind: type, tokens: Sequence[Token]) -> UUID:
    try:
        return UUID(tokens[0].value)
    except ValueError:
        raise ValueError(f"{tokens[0].value!r} is no game id") from None


def _read_game(kind: type, tokens: Sequence[Token]) -> UUID | Path:
    text = tokens[0].value
    try:
        return Path(text) if os.path.exists(text) else UUID(text)
    except ValueError:
        raise ValueError(f"{text!r} is neither a game id nor a file") from None


Whole = Annotated[int, Parameter(converter=lambda _, tokens: int(tokens[0].value))]  # cyclopts would round others
Count = Annotated[int, Parameter(converter=_read_count)]
GameId = Annotated[UUID, Parameter(converter=_read_id, n_tokens=1)]
GameOrFile = Annotated[UUID | Path, Parameter(converter=_read_game, n_tokens=1)]
"""A game's id, or a file that exists."""


def write_output(content: bytes, output: Path | None) -> None:
    """Write to this file, or to standard output; raises Refusal."""
    if output is None:
        sys.stdout.buffer.write(content)
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        raise Refusal(f"{output} cannot be written: {error.strerror}.") from error
