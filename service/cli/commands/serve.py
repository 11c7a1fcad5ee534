"""`kibitz serve`: the service, from an empty folder to a server that answers, and back in good order."""

import socket
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from time import sleep

import structlog
from msgspec.structs import replace

from domain.games import GAME_TYPES
from service.cli.children import Child, environment, running_children
from service.cli.database import await_database, checked_address, place, started_server
from service.cli.ending import Refusal, Usage
from service.cli.listening import address, bound_socket, stop_admitting
from service.cli.options import database_options
from service.cli.server import serve_on
from service.cli.stand_in import StandIn
from service.event_store import schema
from service.http.connections.files import allowed_connections
from service.postgres import guard_server
from service.settings import Settings
from service.telemetry import logs

_LOOK = 0.1  # seconds between two looks at whether anybody answers
_log = structlog.get_logger("serve")
_BEARER = '-H "Authorization: Bearer $TOKEN"'
_JSON = "-H 'Content-Type: application/json'"
API, WORKER = ("service.cli.api_process",), ("service.cli", "worker")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--host", help="the address to listen on (KIBITZ_HOST)")
    parser.add_argument("--port", type=int, help="the port; 0 takes a free one (KIBITZ_PORT)")
    parser.add_argument("--processes", type=int, help="how many processes answer (KIBITZ_PROCESSES)")
    parser.add_argument(
        "--metrics-port", type=int,
        help="tell the worker's metrics at this port, those of each process at the next (KIBITZ_METRICS_PORT)",
    )  # fmt: skip
    parser.add_argument("--metrics-host", help="the address of these ports (KIBITZ_METRICS_HOST)")
    parser.add_argument(
        "--no-worker", dest="run_worker", action="store_false", default=None,
        help="leave the read models to `kibitz worker`",
    )  # fmt: skip
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """Serve until SIGTERM or Ctrl-C; then answer what is under way and stop PostgreSQL, if it is ours."""
    first, last = settings.metrics_port, 65_535 - settings.processes
    if first is not None and not 1 <= first <= last:
        raise Usage(
            f"The metrics of {settings.processes} processes and the worker take a port each, from KIBITZ_METRICS_PORT "
            f"or --metrics-port on: it must be a number from 1 to {last}."
        )
    logs.configure(settings.log_level, settings.log_format, settings.log_gathering)
    if (allowed := allowed_connections(settings.max_connections)) < settings.max_connections:
        _log.warning(
            "the limit of open files leaves fewer connections", connections=allowed, of=settings.max_connections
        )
    try:
        with closing(bound_socket(settings.host, settings.port)) as listener, _database(settings) as conninfo:
            _serve(settings, conninfo, listener)
    except KeyboardInterrupt:
        return 0
    return 0


@contextmanager
def _database(settings: Settings) -> Iterator[str]:
    """A database whose schema fits. The private one is migrated; another one is awaited and only checked, for it may
    be shared.
    """
    if settings.database_url is not None:
        checked_address(settings.database_url)
        checked_address(settings.replica_url or "", "KIBITZ_REPLICA_URL")
        await_database(settings)
        yield settings.database_url
        return
    with started_server(settings) as server, guard_server(server):
        schema.migrate(server.dsn)
        yield server.dsn


def _serve(settings: Settings, conninfo: str, listener: socket.socket) -> None:
    """Raises Refusal if the application does not start."""
    lines, alone = welcome(address(listener), settings), settings.processes == 1
    apis = [] if alone else _api_processes(settings, conninfo, listener)
    workers = [Child(WORKER, environment(settings, conninfo))] if settings.run_worker else []
    with running_children([*apis, *workers], listener.close if alone else lambda: _leave(listener)):
        if alone:
            serve_on(_api_settings(settings, 0), conninfo, listener, lambda: print(lines, flush=True))
        else:
            _wait(apis, lines, listener)


def _leave(listener: socket.socket) -> None:
    """Leave the listener to the API processes: they accept who has come; an open copy would let callers wait."""
    stop_admitting(listener)
    listener.close()


def _api_processes(settings: Settings, conninfo: str, listener: socket.socket) -> list[Child]:
    """The API processes; they all accept from the one socket."""
    return [
        Child(
            (*API, str(listener.fileno())), environment(_api_settings(settings, number), conninfo), [listener.fileno()]
        )
        for number in range(settings.processes)
    ]


def _api_settings(settings: Settings, number: int) -> Settings:
    """The settings of this process: the first port of metrics is the worker's, then each has one."""
    port = None if settings.metrics_port is None else settings.metrics_port + 1 + number
    return replace(settings, run_worker=False, metrics_port=port)


def _wait(apis: list[Child], lines: str, listener: socket.socket) -> None:
    """Wait for a signal; answer callers with 503 while no API process is up. Raises Refusal if one does not start."""
    readied = [child.ready() for child in apis]
    if not all(readied):
        raise Refusal("The service could not be started; the log above says why.")
    print(lines, flush=True)
    stand_in = StandIn(listener)
    while True:
        sleep(_LOOK)
        stand_in.look(any(child.up for child in apis))


def welcome(address: str, settings: Settings) -> str:
    """Where the service is, where its data are, and how to begin."""
    where = place(settings)
    return "\n".join([
        f"Kibitz is at {address}",
        f"{where[0].upper()}{where[1:]}",
        "To register a player, open a game and list what may be played:",
        first_game(address),
        "To play on, with any of these commands (and to see it at /games/$GAME in a browser):",
        first_command(address),
    ])  # fmt: skip


def first_game(address: str) -> str:
    """One line for a shell with curl and sed, which keeps the token and the game for the lines after it."""
    secret = r"""sed 's/.*"secret":"\([^"]*\)".*/\1/'"""
    register = f"""curl -s {address}/v1/players {_JSON} -d '{{"name":"Ada"}}' | {secret}"""
    opening = f"""-d '{{"game_type":"{_game_type()}"}}'"""
    opened = f"""curl -s {address}/v1/games {_JSON} {_BEARER} {opening} | sed 's/{{"id":"\\([^"]*\\)".*/\\1/'"""
    legal = f"curl -s {address}/v1/games/$GAME/legal-commands {_BEARER}; echo"
    return f"TOKEN=$({register}); GAME=$({opened}); {legal}"


def first_command(address: str) -> str:
    """One line after the first one: a command in its game; to draw, where there is Klondike, else to resign."""
    command = "klondike/draw" if _game_type() == "klondike" else "game/resign"
    return f"""curl -s {address}/v1/games/$GAME/commands {_JSON} {_BEARER} -d '{{"type":"{command}"}}'; echo"""


def _game_type() -> str:
    return "klondike" if "klondike" in GAME_TYPES else next(iter(GAME_TYPES))
