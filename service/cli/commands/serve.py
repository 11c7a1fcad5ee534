"""`kibitz serve`: the service, from an empty folder to a server that answers, and back in good order."""

import socket
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager

from service import logs
from service.app import create_app
from service.cli.database import checked, started
from service.cli.errors import Refusal
from service.cli.listening import address, bound
from service.cli.options import database_options
from service.cli.server import Server, configuration
from service.cli.welcome import welcome
from service.event_store import schema
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--host", help="the address to listen on (KIBITZ_HOST)")
    parser.add_argument("--port", type=int, help="the port; 0 takes a free one (KIBITZ_PORT)")
    parser.add_argument(
        "--no-worker", dest="run_worker", action="store_false", default=None,
        help="leave the read models to `kibitz worker`",
    )  # fmt: skip
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """Serve until SIGTERM or Ctrl-C; then answer what is under way and stop PostgreSQL, if it is ours."""
    logs.configure(settings.log_level, settings.log_format)
    try:
        with closing(bound(settings.host, settings.port)) as listener, _database(settings) as conninfo:
            _serve(settings, conninfo, listener)
    except KeyboardInterrupt:
        return 0
    return 0


@contextmanager
def _database(settings: Settings) -> Iterator[str]:
    """A database whose schema fits. Our own is migrated; another's is looked at only, for others may be using it."""
    if settings.database_url is not None:
        schema.check(checked(settings.database_url))
        yield settings.database_url
        return
    with started(settings) as server:
        schema.migrate(server.dsn)
        yield server.dsn


def _serve(settings: Settings, conninfo: str, listener: socket.socket) -> None:
    """Raises Refusal if the application does not start."""
    lines = welcome(address(listener), settings)
    app = create_app(settings, conninfo)
    server = Server(configuration(app), lambda: print(lines, flush=True))
    try:
        server.run(sockets=[listener])
    except SystemExit:
        raise Refusal("The service could not be started; the log above says why.") from None
