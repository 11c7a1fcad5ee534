"""`kibitz serve`: the service, from an empty folder to a server that answers, and back in good order."""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from time import monotonic, sleep

import structlog
from msgspec.structs import replace

from domain.games import GAME_TYPES
from service.cli.children import Child, environment, running_children
from service.cli.ending import Refusal, Usage
from service.cli.options import NO_FLAGS, DatabaseFlags
from service.cli.server import bound_socket, client_address, serve_on, stop_admitting
from service.cli.store import await_database, checked_address, data_place, started_server
from service.event_store import schema
from service.http.connections.answers import raw_answer
from service.http.connections.files import allowed_connections
from service.postgres import guard_server
from service.problems import problem
from service.settings import Settings
from service.telemetry import logs

_CHECK_SECONDS = 0.1  # between two checks whether a process answers
PATIENCE = 3.0
"""Seconds within which a dead process is usually back: until then callers wait."""
_LAST = 60.0  # seconds after which a service that can neither restart nor answer ends
_MOMENT = 0.2  # seconds in which a request follows its connection
_MOST = 100  # callers that are answered at one check
_ANSWER = raw_answer(problem("unavailable", "The service is starting again."), 1)
_log = structlog.get_logger("serve")
_child_log = structlog.get_logger("children")
_BEARER = '-H "Authorization: Bearer $TOKEN"'
_JSON = "-H 'Content-Type: application/json'"


def serve(
    *,
    host: str | None = None,
    port: str | None = None,
    processes: str | None = None,
    metrics_port: str | None = None,
    metrics_host: str | None = None,
    no_worker: bool = False,
    flags: DatabaseFlags = NO_FLAGS,
) -> None:
    """Start the service, with its own PostgreSQL unless DATABASE_URL names another one.

    At SIGTERM or Ctrl-C it answers the requests under way and stops PostgreSQL, if it is ours.

    Args:
        host: the address to listen on (KIBITZ_HOST)
        port: the port; 0 takes a free one (KIBITZ_PORT)
        processes: how many processes answer (KIBITZ_PROCESSES)
        metrics_port: tell the worker's metrics at this port, those of each process at the next (KIBITZ_METRICS_PORT)
        metrics_host: the address of these ports (KIBITZ_METRICS_HOST)
        no_worker: leave the read models to `kibitz worker`
    """
    settings = flags.settings(
        host=host, port=port, processes=processes, metrics_port=metrics_port, metrics_host=metrics_host,
        run_worker=False if no_worker else None,
    )  # fmt: skip
    first, last = settings.metrics_port, 65_535 - settings.processes
    if first is not None and not 1 <= first <= last:
        raise Usage(
            f"The metrics of {settings.processes} processes and the worker take a port each, from KIBITZ_METRICS_PORT "
            f"or --metrics-port on: it must be a number from 1 to {last}."
        )
    logs.configure(settings.log_level, settings.log_format, settings.log_gathering)
    most = settings.max_connections
    if (allowed := allowed_connections(most)) < most:
        _log.warning("the limit of open files leaves fewer connections", connections=allowed, of=most)
    try:
        with closing(bound_socket(settings.host, settings.port)) as listener, _database(settings) as conninfo:
            _serve(settings, conninfo, listener)
    except KeyboardInterrupt:
        return


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
    """Serve until a signal comes; several API processes all accept from the one socket.

    While none of them is up, callers get 503. Raises Refusal if one does not start.
    """

    def leave() -> None:
        """Leave the listener to the API processes: an open copy would let callers wait."""
        if not alone:
            stop_admitting(listener)
        listener.close()

    lines, alone, descriptor = welcome(client_address(listener), settings), settings.processes == 1, listener.fileno()
    apis = [
        Child(
            ("service.cli.api_process", str(descriptor)),
            environment(_api_settings(settings, number), conninfo),
            [descriptor],
        )
        for number in range(0 if alone else settings.processes)
    ]
    worker = Child(("service.cli", "worker"), environment(settings, conninfo))
    with running_children([*apis, worker] if settings.run_worker else apis, leave):
        if alone:
            serve_on(_api_settings(settings, 0), conninfo, listener, lambda: print(lines, flush=True))
            return
        readied = [child.await_ready() for child in apis]
        if not all(readied):
            raise Refusal("The service could not be started; the log above says why.")
        print(lines, flush=True)
        stand_in = StandIn(listener)
        while True:
            sleep(_CHECK_SECONDS)
            stand_in.answer(any(child.up for child in apis))


def _api_settings(settings: Settings, number: int) -> Settings:
    """The settings of this process: the first port of metrics is the worker's, then each has one."""
    port = None if settings.metrics_port is None else settings.metrics_port + 1 + number
    return replace(settings, run_worker=False, metrics_port=port)


def welcome(address: str, settings: Settings) -> str:
    """The service's address, the place of its data, and how to begin: for a shell with curl and sed.

    The first line keeps the token and the game for the second: a command in its game, to draw or to resign.
    """
    place, game_type, command = data_place(settings), next(iter(GAME_TYPES)), "game/resign"
    if "klondike" in GAME_TYPES:
        game_type, command = "klondike", "klondike/draw"
    secret = r"""sed 's/.*"secret":"\([^"]*\)".*/\1/'"""
    register = f"""curl -s {address}/v1/players {_JSON} -d '{{"name":"Ada"}}' | {secret}"""
    opening = f"""-d '{{"game_type":"{game_type}"}}'"""
    opened = f"""curl -s {address}/v1/games {_JSON} {_BEARER} {opening} | sed 's/{{"id":"\\([^"]*\\)".*/\\1/'"""
    legal = f"curl -s {address}/v1/games/$GAME/legal-commands {_BEARER}; echo"
    return "\n".join([
        f"Kibitz is at {address}",
        f"{place[0].upper()}{place[1:]}",
        "To register a player, open a game and list what may be played:",
        f"TOKEN=$({register}); GAME=$({opened}); {legal}",
        "To play on, with any of these commands (and to see it at /games/$GAME in a browser):",
        f"""curl -s {address}/v1/games/$GAME/commands {_JSON} {_BEARER} -d '{{"type":"{command}"}}'; echo""",
    ])  # fmt: skip


class StandIn:
    """Answers 503 while no API process is up: the system would accept connections that get no answer.

    The API processes share this listener and have set it to listen.
    """

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._alone_since = self._well_at = monotonic()
        listener.setblocking(False)

    def answer(self, others: bool) -> None:
        """Answer all waiting callers, if no API process (`others`) has been up for 3 seconds.

        Raises Refusal if even that fails for a minute: the listener then closes, and clients are refused.
        """
        if others:
            self._alone_since = self._well_at = monotonic()
        if monotonic() - self._alone_since <= PATIENCE:
            return
        try:
            for _ in range(_MOST):
                _answer(self._listener.accept()[0])
        except BlockingIOError:
            self._well_at = monotonic()
        except OSError as error:
            _child_log.error("nobody can be answered", error=str(error))
            if monotonic() - self._well_at > _LAST:
                raise Refusal("No process can be started, and nobody can be answered: the service ends.") from error


def _answer(caller: socket.socket) -> None:
    """Read the request before answering: closing a connection with unread data loses the answer."""
    with caller, suppress(OSError):
        caller.settimeout(_MOMENT)
        with suppress(TimeoutError):
            caller.recv(65_536)
        caller.sendall(_ANSWER)
        caller.shutdown(socket.SHUT_WR)
