"""Settings: read once from the environment, each with a default that serves a single machine."""

import os
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from msgspec import Meta, Struct, ValidationError, convert, field, inspect

Port = Annotated[int, Meta(ge=0, le=65_535)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
AtLeastOne = Annotated[int, Meta(ge=1, le=10**9)]
Bytes = Annotated[int, Meta(ge=1_000, le=2**30)]
Days = Annotated[float, Meta(ge=0, le=36_500)]
Seconds = Annotated[float, Meta(ge=0, le=10**7)]
Pause = Annotated[float, Meta(ge=0.01, le=10**5)]
"""Seconds between two events, or a timeout: never 0, which would be a busy loop."""

Origin = Annotated[str, Meta(pattern=r"^https?://[^\s/?#@]+$")]
_ORIGIN = "an address without a path, such as https://cards.example"
Address = Annotated[str, Meta(pattern=r"^([^\s:\[\]]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?$")]
_ADDRESS = "a host, or a host and a port, such as 10.0.0.5:8001 or [fd00::5]:8001"


def _data_folder() -> Path:
    """Where data lies by default; root's own home is no place for the database server's unprivileged user."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/kibitz")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "kibitz"


class Settings(Struct, frozen=True, kw_only=True):
    """What an operator may choose. Times in seconds unless the name says otherwise."""

    database_url: str | None = None
    """A PostgreSQL (15 or newer) instead of the private one. With a pooler in transaction mode set KIBITZ_SESSION_URL
    too."""
    session_url: str | None = None
    """The direct address of the same database, for connections that need a session. Needed with a pooler."""
    replica_url: str | None = None
    """A streaming replica, for reads that may lag."""
    data_folder: Path = field(default_factory=_data_folder)
    """The folder of the private PostgreSQL: /var/lib/kibitz for root, else kibitz in XDG_DATA_HOME (~/.local/share)."""
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: Port = 8000
    """The TCP port to listen on; 0 takes a free one."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The lowest level that is logged: debug, info, warning or error."""
    log_format: Literal["text", "json", "auto"] = "auto"
    """The form of log lines on stderr: json, text, or auto (text at a terminal, else json)."""
    log_gathering: Annotated[float, Meta(ge=0, le=60)] = 0.1
    """Seconds that log lines wait to be written together."""
    log_commands: bool = True
    """Whether each command has a log line, at level info."""
    slow_request_ms: Seconds = 1_000.0
    """Milliseconds from which a request is logged as slow, at level warning."""
    worker_patience: Seconds = 30.0
    """Seconds without a worker until the service is not ready; 0: it stays ready."""
    metrics_port: Port | None = None
    """The port of the worker's /metrics; the processes of serve take the next ones. Unset: no metrics. 0: a free port
    for `kibitz worker`, which prints it."""
    metrics_host: str = "127.0.0.1"
    """The address of these ports. Keep it private: metrics show what happens in hidden games."""
    traces_endpoint: str | None = None
    """Where traces go by OTLP over HTTP, such as http://localhost:4318; by default OTEL_EXPORTER_OTLP_ENDPOINT. Needs
    kibitz[traces]."""
    cached_games: AtLeastOne = 10_000
    """Games that a process keeps folded in memory."""
    token_days: Annotated[int, Meta(ge=1, le=36500)] = 90
    """Days until a token without another end expires."""
    max_body_bytes: Bytes = 262_144
    """Bytes of the longest request body."""
    max_record_bytes: Bytes = 4_194_304
    """Bytes of the longest imported record."""
    max_imports: Count = 1_000
    """Imported games that a player may keep; 0: none."""
    max_json_depth: Annotated[int, Meta(ge=4, le=100)] = 16
    """Levels of nesting in a body's JSON."""
    rate_limit_per_minute: AtLeastOne = 6_000
    """Requests a minute of one player, or of one address without a token."""
    players_per_address: AtLeastOne = 5
    """The limits of all players of one address together, as a multiple of one player's."""
    commands_per_minute: Count | None = None
    """Commands among these requests; unset, half of rate_limit_per_minute; 0: none."""
    openings_per_minute: Count | None = None
    """New games, leagues and tokens a minute; unset, a tenth of rate_limit_per_minute; 0: none."""
    heavy_per_minute: Count | None = None
    """Imports, verifications, whole games and the like a minute; unset, a tenth of rate_limit_per_minute; 0: none."""
    registrations_per_hour: Count | None = None
    """New players an hour from one address; unset, a hundredth of rate_limit_per_minute, at least 5; 0: none."""
    heavy_processes: Annotated[int, Meta(ge=1, le=16)] = 2
    """Child processes of each API process for replays, records and verifications; of several one is kept for short
    games."""
    bot_seconds: Annotated[float, Meta(ge=0.01, le=30)] = 0.3
    """Seconds of processor time for a command of a strong house bot, shared by bots that think at once."""
    analysis_seconds: Annotated[int, Meta(ge=1, le=86_400)] = 60
    """Seconds of processor time for the analysis of a game; positions undecided by then stay open."""
    analysis_megabytes: Annotated[int, Meta(ge=256, le=10**6)] = 2_048
    """Megabytes of memory for an analysis; a verdict that needs more stays open."""
    analysis_queue: Count = 200
    """Games that may wait for analysis, a tenth of them of one account; beyond, 503. 0: none."""
    hint_queue: AtLeastOne = 8
    """Hints under way at once in an API process; beyond, 503."""
    certified_deals: Annotated[int, Meta(ge=0, le=1_000)] = 8
    """Deals that can be won, kept ready for each patience with a solver and each level; 0: none."""
    puzzles: Annotated[int, Meta(ge=0, le=100_000)] = 1_000
    """Puzzles kept of each game type; 0: none."""
    search_niceness: Annotated[int, Meta(ge=0, le=19)] = 19
    """Niceness (`nice(2)`) of searches for deals and puzzles. Work that a player waits for is less nice: hints 15 at
    most, analyses 10, replays and records 5. 0: searches only pause."""
    max_streams: Count = 5_000
    """Event streams open at once in a process; 0: none."""
    max_streams_per_sender: Count = 500
    """Streams among these of one player, or of one address without a token; 0: none."""
    max_connections: AtLeastOne = 8_000
    """Connections open at once in a process; beyond, 503."""
    max_connections_per_address: AtLeastOne = 500
    """Connections among these from one address (not of a proxy in FORWARDED_ALLOW_IPS); beyond, 429."""
    client_silence: Pause = 60.0
    """Seconds after which a client that reads nothing is cut off."""
    keep_alive_seconds: Annotated[int, Meta(ge=1, le=100000)] = 30
    """Seconds that a connection may idle between requests."""
    head_seconds: Pause = 10.0
    """Seconds for a request line and headers to arrive."""
    body_seconds: Pause = 60.0
    """Seconds for a whole request to arrive."""
    max_head_bytes: Bytes = 32_768
    """Bytes of the longest request line and headers together."""
    allowed_origins: str = ""
    """Origins, separated by blanks, or *, whose scripts may read answers (CORS), by bearer token alone."""
    embedding_origins: str = ""
    """Origins, separated by blanks, or *, whose pages may frame replays, such as https://club.example; unset, none."""
    heartbeat: Pause = 15.0
    """Seconds after which a quiet stream sends a comment."""
    clock_seconds: Pause = 1.0
    """Seconds between two checks for deadlines and contests that are due."""
    database_silence: Pause = 20.0
    """Seconds after which a silent database counts as gone; then 503."""
    run_worker: bool = True
    """Whether serve runs a worker beside its API processes."""
    processes: Annotated[int, Meta(ge=1, le=64)] = 1
    """API processes of serve: one for each core but one."""
    address: Address | None = None
    """Host, or host and port, at which other processes on the same database reach this one; by default 127.0.0.1 and a
    free port. Keep it private."""
    public_address: Origin | None = None
    """The address that people open, such as https://cards.example: passkeys work there alone. Unset, they work at the
    browser's address."""
    same_deal_days: bool = True
    """Whether each game type has a deal of the day."""
    seasoned_games: Annotated[int, Meta(ge=0, le=1000)] = 3
    """Games that a player must have finished before a deal of the day ranks them."""
    bar_from_tables: bool = True
    """Whether players who leave too many games are barred from rated tables for a time."""
    signing_keys: Path | None = None
    """The folder of the keys that sign finished games; by default keys in the data folder. Back it up apart from the
    database."""
    trusted_keys: Path | None = None
    """A folder of other services' public keys, each a JWK set from their /v1/keys in a file NAME.json: NAME vouches for
    imported records that they signed."""
    sealing_keys: Path | None = None
    """The folder of the keys that seal the secrets of live games; by default that of the signing keys. Without it live
    games are lost: back it up apart from the database."""
    rollout_seconds: Seconds = 3_600.0
    """Seconds after a migration in which the previous release may still run: nothing is sealed that it cannot read. 0:
    it does not run."""
    pack_after_days: Days = 7.0
    """Days after its last change until a finished game is packed, by `kibitz pack` or an idle worker; 0: at once."""
    pack_when_idle: bool = False
    """Whether an idle worker packs finished games."""

    webhooks_by_http: bool = False
    """Whether webhooks may use plain http, which anyone on the way can read."""
    webhooks_to_private: bool = False
    """Whether webhooks may go to private addresses, and so every account reach your network."""
    webhook_pause: Pause = 5.0
    """Seconds until a failed webhook is sent again; each further pause is four times as long."""

    @property
    def keys_folder(self) -> Path:
        """The folder of the signing keys, which are never in the database that they sign."""
        return self.signing_keys or self.data_folder / "keys"

    @property
    def sealing_folder(self) -> Path:
        """The folder of the sealing keys, which are never in the database that they protect."""
        return self.sealing_keys or self.keys_folder


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from `DATABASE_URL` and `KIBITZ_<NAME>` (`KIBITZ_PORT=9000`); an empty variable counts as unset.

    With `_FILE` behind its name a variable names a file that holds the value, as secrets are mounted. Raises ValueError
    with one sentence that names the variable.
    """
    environment = os.environ if environment is None else environment
    given: dict[str, Any] = {}
    for name in Settings.__struct_fields__:
        if (text := _given_value(f"KIBITZ_{name.upper()}", environment)) is not None:
            given[name] = setting(name, text, f"KIBITZ_{name.upper()}")
    if (url := _given_value("DATABASE_URL", environment)) is not None:
        given["database_url"] = url
    return Settings(**given)


_KINDS = get_type_hints(Settings, include_extras=True)


def setting(name: str, given: object, called: str) -> object:
    """The value of this setting as its type and bounds have it; raises ValueError with one sentence about `called`.

    The sentence does not repeat the value, for a wrong variable may hold a secret.
    """
    kind = _KINDS[name]
    try:
        value: object = convert(given, kind, strict=False, dec_hook=decode_path)
    except ValidationError:
        value = float("nan")
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{called} must be {wanted(inspect.type_info(kind))}.") from None
    return value


def decode_path(kind: type, value: object) -> object:
    """The decoding hook of msgspec for settings that are paths."""
    return Path(str(value)) if kind is Path else NotImplemented


def wanted(kind: inspect.Type) -> str:
    """What a value of this type must be, in words."""
    if isinstance(kind, inspect.Metadata):
        return wanted(kind.type)
    if isinstance(kind, inspect.UnionType):
        return wanted(next(one for one in kind.types if not isinstance(one, inspect.NoneType)))
    if isinstance(kind, inspect.LiteralType):
        *others, last = kind.values
        return f"{', '.join(map(str, others))} or {last}"
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        least, most = (f"{bound:.15g}" for bound in (kind.ge or 0, kind.le or 0))
        return f"{'a whole number' if isinstance(kind, inspect.IntType) else 'a number'} from {least} to {most}"
    if isinstance(kind, inspect.StrType) and "http" in (kind.pattern or ""):
        return _ORIGIN
    return "true or false" if isinstance(kind, inspect.BoolType) else _ADDRESS


def _given_value(variable: str, environment: Mapping[str, str]) -> str | None:
    if (value := environment.get(variable)) or not (file := environment.get(f"{variable}_FILE")):
        return value or None
    try:
        return Path(file).read_text("utf-8").strip() or None
    except OSError as error:
        raise ValueError(f"{variable}_FILE: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise ValueError(f"{variable}_FILE: The file is no text in UTF-8.") from None
