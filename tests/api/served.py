"""One server process for the tests: settings as JSON, then the database; tells its ports on stdout, logs on stderr.

SERVED_PORT is where it listens again that has served before, SERVED_WEBHOOK_SECONDS what a receiver has to answer;
SERVED_CONSTANTS are seconds of its modules, by their full names, as JSON.
"""

import json
import os
import socket
import sys
from importlib import import_module

from msgspec import convert
from msgspec.structs import replace

from service.app import create_app
from service.cli import server
from service.live import seats
from service.outbox.sending import Sender
from service.settings import Settings, decode_path
from service.telemetry import logs


def main(settings: str, conninfo: str) -> None:
    """Serve until a signal comes."""
    seats.PERIOD = 0.001  # tests ask for what is not there thousands of times
    server._HANDSHAKE = server._MOMENT = 0.0  # nobody connects to a server that a test stops
    for name, value in json.loads(os.environ.get("SERVED_CONSTANTS", "{}")).items():
        module, _, constant = name.rpartition(".")
        setattr(import_module(module), constant, value)
    if "SERVED_WEBHOOK_SECONDS" in os.environ:
        Sender.__init__.__kwdefaults__["seconds"] = float(os.environ["SERVED_WEBHOOK_SECONDS"])
    chosen = convert(json.loads(settings), Settings, dec_hook=decode_path)
    logs.configure(chosen.log_level, "json")
    ports = (int(os.environ.get("SERVED_PORT", "0")), 0)
    listeners = [socket.create_server(("127.0.0.1", port), backlog=512) for port in ports]
    port, metrics = (listener.getsockname()[1] for listener in listeners)
    chosen = replace(chosen, metrics_port=metrics)
    config = server.configuration(create_app(chosen, conninfo, f"127.0.0.1:{port}"), chosen)
    server.Server(config, ready=lambda: print(port, metrics, flush=True)).run(sockets=listeners)  # noqa: T201


main(*sys.argv[1:])
