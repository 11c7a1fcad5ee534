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
    """A PostgreSQL (15 or newer) to use instead of the private one. It may be a pooler in transaction mode; then name
    KIBITZ_SESSION_URL, too."""
    session_url: str | None = None
    """The direct address of the same database, for the few connections that need a session of their own (writer,
    listener, worker, migrations). Needed where DATABASE_URL is a pooler."""
    replica_url: str | None = None
    """A streaming replica of the same database: operations that may lag read there, and from the primary while it is
    gone."""
    data_folder: Path = field(default_factory=_data_folder)
    """Where the private PostgreSQL keeps its data: /var/lib/kibitz for root, else kibitz in XDG_DATA_HOME
    (~/.local/share)."""
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: Port = 8000
    """The TCP port to listen on; 0 takes a free one."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least level that is told: debug, info, warning or error."""
    log_format: Literal["text", "json", "auto"] = "auto"
    """How logs go to stderr: json, text, or auto: text at a terminal, else json."""
    log_gathering: Annotated[float, Meta(ge=0, le=60)] = 0.1
    """Seconds that log lines wait to be written together by a thread; 0 writes each at once."""
    log_commands: bool = True
    """Whether each command has a line in the log, at level info."""
    slow_request_ms: Seconds = 1_000.0
    """Milliseconds from which on a request that took so long is told at level warning; 0: each."""
    worker_patience: Seconds = 30.0
    """Seconds without a worker after which the service is not ready; 0: it never depends on one."""
    metrics_port: Port | None = None
    """Every process tells its own metrics, at /metrics: the worker at this port, the processes of serve at those that
    follow, each at one, and nowhere else. Unset: they are told nowhere. 0: a free one, for a worker of its own, which
    says which."""
    metrics_host: str = "127.0.0.1"
    """The address of these ports: by default for this machine alone. It must not be open to the world, for metrics tell
    what goes on in games that are hidden."""
    traces_endpoint: str | None = None
    """Where traces go by OTLP over HTTP, such as http://localhost:4318; by default OTEL_EXPORTER_OTLP_ENDPOINT, and
    without either none are made. Needs kibitz[traces]."""
    cached_games: AtLeastOne = 10_000
    """How many folded games a process keeps in memory."""
    token_days: Annotated[int, Meta(ge=1, le=36500)] = 90
    """Days until a new token expires, where its maker names no time."""
    max_body_bytes: Bytes = 262_144
    """Bytes of the longest request body."""
    max_record_bytes: Bytes = 4_194_304
    """Bytes of the longest record that is imported."""
    max_imports: Count = 1_000
    """How many imported games one player may keep here; 0: none."""
    max_json_depth: Annotated[int, Meta(ge=4, le=100)] = 16
    """How deep the arrays and objects of a body may be nested."""
    rate_limit_per_minute: AtLeastOne = 6_000
    """Requests a minute of one player, or of one address without a token."""
    players_per_address: AtLeastOne = 5
    """How many times the limits of one player hold for all players of one address together: raise it where many share
    one."""
    commands_per_minute: Count | None = None
    """Of these, commands of games a minute; unset, half of rate_limit_per_minute; 0: none."""
    openings_per_minute: Count | None = None
    """New games, leagues and tokens a minute; unset, a tenth of rate_limit_per_minute; 0: none."""
    heavy_per_minute: Count | None = None
    """Imports, verifications, whole games, pages and the like a minute; unset, a tenth of rate_limit_per_minute; 0:
    none."""
    registrations_per_hour: Count | None = None
    """New players an hour from one address; unset, a hundredth of the general limit, at least 5; 0: none."""
    heavy_processes: Annotated[int, Meta(ge=1, le=16)] = 2
    """Processes beside each one that answers, for replays, records and verifications, started when needed; of several
    one is kept for short games."""
    bot_seconds: Annotated[float, Meta(ge=0.01, le=30)] = 0.3
    """Seconds of processor time that a strong bot of the house thinks about a command, in a process beside each one
    that answers; shared where several think at once."""
    analysis_seconds: Annotated[int, Meta(ge=1, le=86_400)] = 60
    """Seconds of processor time that the worker spends on the analysis of one game, in a process of low priority; what
    is not decided by then stays open."""
    analysis_megabytes: Annotated[int, Meta(ge=256, le=10**6)] = 2_048
    """Megabytes of memory of this process: a verdict that would take more stays open."""
    analysis_queue: Count = 200
    """How many games may wait for their analysis, a tenth of them one account's; beyond that, 503. 0: none."""
    hint_queue: AtLeastOne = 8
    """Hints that are asked for at once, in one process beside each one that answers; beyond that, 503."""
    certified_deals: Annotated[int, Meta(ge=0, le=1_000)] = 8
    """Deals that can be won, kept ready for those who wish for one: of each patience with a solver and each level. The
    worker looks for them in a process of the lowest priority, a quarter of the time; 0: there are none."""
    puzzles: Annotated[int, Meta(ge=0, le=100_000)] = 1_000
    """Puzzles of each game type that are kept. The worker looks for them in analysed public games, in a process of the
    lowest priority, a quarter of the time; 0: it does not."""
    search_niceness: Annotated[int, Meta(ge=0, le=19)] = 19
    """How far the processes that look for deals and puzzles give way to all others (`nice(2)`); those for which
    somebody waits give way by less: a hint's by 15 at most, an analysis' by 10, replays and records by 5. Beyond 0
    those of the worker have Linux's SCHED_IDLE, too."""
    max_streams: Count = 5_000
    """Event streams open at once, in one process; 0: none."""
    max_streams_per_sender: Count = 500
    """Of these, by one player, or one address without a token; 0: none."""
    max_connections: AtLeastOne = 8_000
    """Connections open at once, in one process; then 503."""
    max_connections_per_address: AtLeastOne = 500
    """Of these, from one address that is no proxy in FORWARDED_ALLOW_IPS; beyond it, 429."""
    client_silence: Pause = 60.0
    """Seconds after which a client that takes nothing of what is sent to it is cut off."""
    keep_alive_seconds: Annotated[int, Meta(ge=1, le=100000)] = 30
    """Seconds that a connection may idle between requests."""
    head_seconds: Pause = 10.0
    """Seconds that a request line and headers may take to come."""
    body_seconds: Pause = 60.0
    """Seconds that a whole request may take to come."""
    max_head_bytes: Bytes = 32_768
    """Bytes of the longest request line and headers together."""
    allowed_origins: str = ""
    """Origins whose scripts may read answers (CORS), separated by blanks, or *; with bearer tokens only, never with a
    session's cookie."""
    embedding_origins: str = ""
    """Origins whose pages may show replays of games in a frame, such as https://club.example, separated by blanks, or *
    for all; unset, none. A framed replay shows what anybody may see, and acts for nobody."""
    heartbeat: Pause = 15.0
    """Seconds after which a stream that has nothing to tell sends a comment."""
    clock_seconds: Pause = 1.0
    """Seconds between two looks at deadlines and at contests that are due."""
    database_silence: Pause = 20.0
    """Seconds after which a database that does not answer counts as gone; 503 is then answered."""
    run_worker: bool = True
    """Whether serve keeps the read models too, in a process beside those that answer."""
    processes: Annotated[int, Meta(ge=1, le=64)] = 1
    """How many processes of serve answer requests: one for each core but one."""
    address: Address | None = None
    """Host, or host and port, by which other processes on the same database reach this one; by default 127.0.0.1 and a
    free port, for processes of one machine. It must not be open to the world."""
    public_address: Origin | None = None
    """The address that people open, such as https://cards.example: passkeys hold there and nowhere else. Unset, they
    hold at whatever name the browser has in its address line."""
    same_deal_days: bool = True
    """Whether a deal of the day is announced for each game type."""
    seasoned_games: Annotated[int, Meta(ge=0, le=1000)] = 3
    """Games a player has played to their end before a day's deal ranks them."""
    bar_from_tables: bool = True
    """Whether who leaves too many games is barred from rated tables for a time."""
    signing_keys: Path | None = None
    """The folder of the keys that sign finished games; by default keys in the data folder. Back it up, apart from the
    database."""
    trusted_keys: Path | None = None
    """A folder of other services' public keys, each a JWK set as their /v1/keys tells it, in a file NAME.json: imported
    records that they have signed say that NAME vouches for them. Read at the start."""
    sealing_keys: Path | None = None
    """The folder of the keys that seal what live games hide; by default that of the signing keys. Back it up, apart
    from the database: without it live games are lost."""
    rollout_seconds: Seconds = 3_600.0
    """Seconds after a migration in which programs of the release before may still run: so long nothing is sealed that
    they could not read. 0: none of them runs."""
    pack_after_days: Days = 7.0
    """Days after its last change until a finished game is packed, by `kibitz pack` or by an idle worker; 0: at once."""
    pack_when_idle: bool = False
    """Whether the worker packs finished games while it is idle."""

    webhooks_by_http: bool = False
    """Whether webhooks may be sent by plain http, which everybody on the way can read."""
    webhooks_to_private: bool = False
    """Whether webhooks may be sent to private addresses: whoever has an account then reaches your own network."""
    webhook_pause: Pause = 5.0
    """Seconds after which a webhook that was not taken is sent again; each further pause is four times as long, six
    hours at most, for two days."""

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
        return _number(kind)
    if isinstance(kind, inspect.StrType) and "http" in (kind.pattern or ""):
        return _ORIGIN
    return "true or false" if isinstance(kind, inspect.BoolType) else _ADDRESS


def _number(kind: inspect.IntType | inspect.FloatType) -> str:
    least, most = (f"{bound:.15g}" for bound in (kind.ge or 0, kind.le or 0))
    return f"{'a whole number' if isinstance(kind, inspect.IntType) else 'a number'} from {least} to {most}"


def _given_value(variable: str, environment: Mapping[str, str]) -> str | None:
    if (value := environment.get(variable)) or not (file := environment.get(f"{variable}_FILE")):
        return value or None
    try:
        return Path(file).read_text("utf-8").strip() or None
    except OSError as error:
        raise ValueError(f"{variable}_FILE: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise ValueError(f"{variable}_FILE: The file is no text in UTF-8.") from None
