"""Settings: read once from the environment, each with a default that serves a single machine."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, convert, field


def _data_folder() -> Path:
    """Where data lies by default; root's own home is no place for the database server's unprivileged user."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/kibitz")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "kibitz"


class Settings(Struct, frozen=True, kw_only=True):
    """What an operator may choose. Times in seconds unless the name says otherwise."""

    database_url: str | None = None
    data_folder: Path = field(default_factory=_data_folder)
    host: str = "127.0.0.1"
    port: int = 8000
    log_level: str = "info"
    log_format: str = "auto"
    cached_games: int = 10_000
    token_days: int = 90
    max_body_bytes: int = 262_144
    max_record_bytes: int = 4_194_304
    max_imports: int = 1_000
    max_json_depth: int = 16
    rate_limit_per_minute: int = 6_000
    heartbeat: float = 15.0
    clock_seconds: float = 1.0
    run_worker: bool = True
    same_deal_days: bool = True
    bar_from_tables: bool = True
    signing_keys: Path | None = None

    @property
    def keys_folder(self) -> Path:
        """Where the signing keys lie: never in the database that they vouch for."""
        return self.signing_keys or self.data_folder / "keys"


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from `DATABASE_URL` and `KIBITZ_<NAME>` (`KIBITZ_PORT=9000`); raises ValueError with the name."""
    environment = os.environ if environment is None else environment
    given: dict[str, object] = {}
    for name in Settings.__struct_fields__:
        if (text := environment.get(f"KIBITZ_{name.upper()}")) is not None:
            given[name] = text
    if url := environment.get("DATABASE_URL"):
        given["database_url"] = url
    return convert(given, Settings, strict=False, dec_hook=path)


def path(kind: type, value: object) -> object:
    """What reads a setting that is a path, for msgspec."""
    return Path(str(value)) if kind is Path else NotImplemented
