"""Settings: read once from the environment, each with a default that serves a single machine."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from msgspec import Meta, Struct, field

from service.setting_values import Address, AtLeastOne, Bytes, Count, Days, Pause, Port, Seconds, convert_value
from service.setting_values import decode_path as decode_path


def _data_folder() -> Path:
    """Where data lies by default; root's own home is no place for the database server's unprivileged user."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/kibitz")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "kibitz"


class Settings(Struct, frozen=True, kw_only=True):
    """What an operator may choose. Times in seconds unless the name says otherwise."""

    database_url: Annotated[
        str | None,
        Meta(
            description="A PostgreSQL (15 or newer) to use instead of the private one. It may be a pooler in "
            "transaction mode; then name KIBITZ_SESSION_URL, too."
        ),
    ] = None
    session_url: Annotated[
        str | None,
        Meta(
            description="The direct address of the same database, for the few connections that need a session of their "
            "own (writer, listener, worker, migrations). Needed where DATABASE_URL is a pooler."
        ),
    ] = None
    replica_url: Annotated[
        str | None,
        Meta(
            description="A streaming replica of the same database: operations that may lag read there, and from the "
            "primary while it is gone."
        ),
    ] = None
    data_folder: Annotated[
        Path,
        Meta(
            description="Where the private PostgreSQL keeps its data: /var/lib/kibitz for root, else kibitz in "
            "XDG_DATA_HOME (~/.local/share)."
        ),
    ] = field(default_factory=_data_folder)
    host: Annotated[str, Meta(description="The address to listen on.")] = "127.0.0.1"
    port: Annotated[Port, Meta(description="The TCP port to listen on; 0 takes a free one.")] = 8000
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Meta(description="The least level that is told: debug, info, warning or error."),
    ] = "info"
    log_format: Annotated[
        Literal["text", "json", "auto"],
        Meta(description="How logs go to stderr: json, text, or auto: text at a terminal, else json."),
    ] = "auto"
    log_gathering: Annotated[
        float,
        Meta(ge=0, le=60),
        Meta(description="Seconds that log lines wait to be written together by a thread; 0 writes each at once."),
    ] = 0.1
    log_commands: Annotated[bool, Meta(description="Whether each command has a line in the log, at level info.")] = True
    slow_request_ms: Annotated[
        Seconds,
        Meta(description="Milliseconds from which on a request that took so long is told at level warning; 0: each."),
    ] = 1_000.0
    worker_patience: Annotated[
        Seconds,
        Meta(description="Seconds without a worker after which the service is not ready; 0: it never depends on one."),
    ] = 30.0
    metrics_port: Annotated[
        Port | None,
        Meta(
            description="Every process tells its own metrics, at /metrics: the worker at this port, the processes of "
            "serve at those that follow, each at one, and nowhere else. Unset: they are told nowhere. "
            "0: a free one, for a worker of its own, which says which."
        ),
    ] = None
    metrics_host: Annotated[
        str,
        Meta(
            description="The address of these ports: by default for this machine alone. It must not be open to the "
            "world, for metrics tell what goes on in games that are hidden."
        ),
    ] = "127.0.0.1"
    traces_endpoint: Annotated[
        str | None,
        Meta(
            description="Where traces go by OTLP over HTTP, such as http://localhost:4318; by default "
            "OTEL_EXPORTER_OTLP_ENDPOINT, and without either none are made. Needs kibitz[traces]."
        ),
    ] = None
    cached_games: Annotated[AtLeastOne, Meta(description="How many folded games a process keeps in memory.")] = 10_000
    token_days: Annotated[
        int, Meta(ge=1, le=36_500, description="Days until a new token expires, where its maker names no time.")
    ] = 90
    max_body_bytes: Annotated[Bytes, Meta(description="Bytes of the longest request body.")] = 262_144
    max_record_bytes: Annotated[Bytes, Meta(description="Bytes of the longest record that is imported.")] = 4_194_304
    max_imports: Annotated[Count, Meta(description="How many imported games one player may keep here; 0: none.")] = (
        1_000
    )
    max_json_depth: Annotated[
        int, Meta(ge=4, le=100, description="How deep the arrays and objects of a body may be nested.")
    ] = 16
    rate_limit_per_minute: Annotated[
        AtLeastOne,
        Meta(description="Requests a minute of one player, or of one address without a token."),
    ] = 6_000
    players_per_address: Annotated[
        AtLeastOne,
        Meta(
            description="How many times the limits of one player hold for all players of one address together: raise "
            "it where many share one."
        ),
    ] = 5
    commands_per_minute: Annotated[
        Count | None,
        Meta(description="Of these, commands of games a minute; unset, half of rate_limit_per_minute; 0: none."),
    ] = None
    openings_per_minute: Annotated[
        Count | None,
        Meta(description="New games, leagues and tokens a minute; unset, a tenth of rate_limit_per_minute; 0: none."),
    ] = None
    heavy_per_minute: Annotated[
        Count | None,
        Meta(
            description="Imports, verifications, whole games, pages and the like a minute; unset, a tenth of "
            "rate_limit_per_minute; 0: none."
        ),
    ] = None
    registrations_per_hour: Annotated[
        Count | None,
        Meta(
            description="New players an hour from one address; unset, a hundredth of the general limit, at least 5; "
            "0: none."
        ),
    ] = None
    heavy_processes: Annotated[
        int,
        Meta(
            ge=1,
            le=16,
            description="Processes beside each one that answers, for replays, records and verifications, started when "
            "needed; of several one is kept for short games.",
        ),
    ] = 2
    max_streams: Annotated[Count, Meta(description="Event streams open at once, in one process; 0: none.")] = 5_000
    max_streams_per_sender: Annotated[
        Count, Meta(description="Of these, by one player, or one address without a token; 0: none.")
    ] = 500
    max_connections: Annotated[AtLeastOne, Meta(description="Connections open at once, in one process; then 503.")] = (
        8_000
    )
    max_connections_per_address: Annotated[
        AtLeastOne,
        Meta(description="Of these, from one address that is no proxy in FORWARDED_ALLOW_IPS; beyond it, 429."),
    ] = 500
    client_silence: Annotated[
        Pause, Meta(description="Seconds after which a client that takes nothing of what is sent to it is cut off.")
    ] = 60.0
    keep_alive_seconds: Annotated[
        int, Meta(ge=1, le=100_000, description="Seconds that a connection may idle between requests.")
    ] = 30
    head_seconds: Annotated[Pause, Meta(description="Seconds that a request line and headers may take to come.")] = 10.0
    body_seconds: Annotated[Pause, Meta(description="Seconds that a whole request may take to come.")] = 60.0
    max_head_bytes: Annotated[Bytes, Meta(description="Bytes of the longest request line and headers together.")] = (
        32_768
    )
    allowed_origins: Annotated[
        str,
        Meta(
            description="Origins whose scripts may read answers (CORS), separated by blanks, or *; with bearer tokens "
            "only, never with a session's cookie."
        ),
    ] = ""
    heartbeat: Annotated[
        Pause,
        Meta(description="Seconds after which a stream that has nothing to tell sends a comment."),
    ] = 15.0
    clock_seconds: Annotated[
        Pause,
        Meta(description="Seconds between two looks at deadlines and at contests that are due."),
    ] = 1.0
    database_silence: Annotated[
        Pause,
        Meta(description="Seconds after which a database that does not answer counts as gone; 503 is then answered."),
    ] = 20.0
    run_worker: Annotated[
        bool, Meta(description="Whether serve keeps the read models too, in a process beside those that answer.")
    ] = True
    processes: Annotated[
        int, Meta(ge=1, le=64, description="How many processes of serve answer requests: one for each core but one.")
    ] = 1
    address: Annotated[
        Address | None,
        Meta(
            description="Host, or host and port, by which other processes on the same database reach this one; by "
            "default 127.0.0.1 and a free port, for processes of one machine. It must not be open to the world."
        ),
    ] = None
    same_deal_days: Annotated[
        bool,
        Meta(description="Whether a deal of the day is announced for each game type."),
    ] = True
    seasoned_games: Annotated[
        int,
        Meta(ge=0, le=1000, description="Games a player has played to their end before a day's deal ranks them."),
    ] = 3
    bar_from_tables: Annotated[
        bool,
        Meta(description="Whether who leaves too many games is barred from rated tables for a time."),
    ] = True
    signing_keys: Annotated[
        Path | None,
        Meta(
            description="The folder of the keys that sign finished games; by default keys in the data folder. Back it "
            "up, apart from the database."
        ),
    ] = None

    trusted_keys: Annotated[
        Path | None,
        Meta(
            description="A folder of other services' public keys, each a JWK set as their /v1/keys tells it, in a file "
            "NAME.json: imported records that they have signed say that NAME vouches for them. Read at the start."
        ),
    ] = None
    sealing_keys: Annotated[
        Path | None,
        Meta(
            description="The folder of the keys that seal what live games hide; by default that of the signing keys. "
            "Back it up, apart from the database: without it live games are lost."
        ),
    ] = None
    rollout_seconds: Annotated[
        Seconds,
        Meta(
            description="Seconds after a migration in which programs of the release before may still run: so long "
            "nothing is sealed that they could not read. 0: none of them runs."
        ),
    ] = 3_600.0
    pack_after_days: Annotated[
        Days,
        Meta(
            description="Days after its last change until a finished game is packed, by `kibitz pack` or by an idle "
            "worker; 0: at once."
        ),
    ] = 7.0
    pack_when_idle: Annotated[
        bool,
        Meta(description="Whether the worker packs finished games, and keeps the log's partitions, while it is idle."),
    ] = False
    partition_by: Annotated[
        Literal["day", "week", "month"],
        Meta(description="How much time one partition of the log takes."),
    ] = "month"
    partitions_ahead: Annotated[
        int,
        Meta(description="How many partitions of the log are made ahead of time; 0: none.", ge=0, le=60),
    ] = 3

    @property
    def keys_folder(self) -> Path:
        """The folder of the signing keys, which are never in the database that they sign."""
        return self.signing_keys or self.data_folder / "keys"

    @property
    def sealing_folder(self) -> Path:
        """The folder of the sealing keys, which are never in the database that they protect."""
        return self.sealing_keys or self.keys_folder


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from `DATABASE_URL` and `KIBITZ_<NAME>` (`KIBITZ_PORT=9000`).

    With `_FILE` behind its name a variable names a file that holds the value, as secrets are mounted. Raises ValueError
    with one sentence that names the variable.
    """
    environment = os.environ if environment is None else environment
    given: dict[str, Any] = {}
    for name in Settings.__struct_fields__:
        if (text := _given_value(f"KIBITZ_{name.upper()}", environment)) is not None:
            given[name] = setting(name, text, f"KIBITZ_{name.upper()}")
    if url := _given_value("DATABASE_URL", environment):
        given["database_url"] = url
    return Settings(**given)


def setting(name: str, value: object, called: str) -> object:
    """The value of this setting as its type and bounds have it; raises ValueError with one sentence about `called`."""
    return convert_value(_KINDS[name], value, called)


_KINDS = get_type_hints(Settings, include_extras=True)


def _given_value(variable: str, environment: Mapping[str, str]) -> str | None:
    if variable in environment or (file := environment.get(f"{variable}_FILE")) is None:
        return environment.get(variable)
    try:
        return Path(file).read_text("utf-8").strip()
    except OSError as error:
        raise ValueError(f"{variable}_FILE: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise ValueError(f"{variable}_FILE: The file is no text in UTF-8.") from None
