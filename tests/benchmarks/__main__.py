"""`python -m tests.benchmarks [SECTION ...]`: one JSON document on stdout, progress on stderr."""

import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from service.cli.ending import end_by_unwinding
from service.postgres import Server
from service.telemetry import logs

from . import (
    abuse,
    analysing,
    catching_up,
    commands,
    goals,
    hints,
    in_memory,
    lag,
    lines,
    memory,
    peers,
    processes,
    seeking,
    standby,
    store,
    watching,
    webhooks,
)
from .machine import load, machine
from .measures import say, short
from .running import durable_postgres

SECTIONS: dict[str, Callable[[Server], dict[str, Any]]] = {
    "commands": commands.measured, "goals": goals.measured, "hints": hints.measured, "replay": seeking.measured,
    "fold": in_memory.folding, "projections": catching_up.measured, "rules": in_memory.rules, "lag": lag.measured,
    "lines": lines.measured, "memory": memory.measured, "processes": processes.measured, "watching": watching.measured,
    "webhooks": webhooks.measured,
}  # fmt: skip

LONG = {
    "store": store.measured, "abuse": abuse.measured, "analysing": analysing.measured, "peers": peers.measured,
    "standby": standby.measured,
}  # fmt: skip
"""Sections that take minutes or need Node or a second PostgreSQL, and run only when they are named."""


def main(chosen: list[str]) -> None:
    """Run the sections that are named, all if none is, and print the document."""
    began = perf_counter()
    logs.configure("warning")
    end_by_unwinding()
    with durable_postgres() as postgres:
        document: dict[str, Any] = {"machine": machine(postgres.dsn, postgres.folder)}
        for name in chosen or SECTIONS:
            document[name] = (SECTIONS | LONG)[name](postgres)
    document["load_average_at_the_end"] = load()
    document["seconds"] = short(perf_counter() - began)
    say(f"done in {document['seconds']} seconds")
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    unknown = set(sys.argv[1:]) - {*SECTIONS, *LONG}
    if unknown:
        sys.exit(f"No such section: {', '.join(sorted(unknown))}; there are {', '.join([*SECTIONS, *LONG])}.")
    main(sys.argv[1:])
