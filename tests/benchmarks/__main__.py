"""`python -m tests.benchmarks [SECTION ...]`: one JSON document on stdout, progress on stderr."""

import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from service import logs
from service.cli.signals import end_by_unwinding
from service.postgres import Server

from . import catching_up, commands, feeding, folding, memory, ruling, seeking, tables, verifying
from .machine import load, machine
from .measures import say, short
from .running import durable_postgres

SECTIONS: dict[str, Callable[[Server], dict[str, Any]]] = {
    "commands": commands.measured,
    "replay": seeking.measured,
    "feed": feeding.measured,
    "fold": lambda postgres: folding.measured(),
    "projections": catching_up.measured,
    "verify": lambda postgres: verifying.measured(),
    "rules": lambda postgres: ruling.measured(),
    "tables": tables.measured,
    "memory": memory.measured,
}


def main(chosen: list[str]) -> None:
    """Run the sections that are named, all if none is, and print the document."""
    began = perf_counter()
    logs.configure("warning")
    end_by_unwinding()
    with durable_postgres() as postgres:
        document: dict[str, Any] = {"machine": machine(postgres.dsn, postgres.folder)}
        for name in chosen or SECTIONS:
            document[name] = SECTIONS[name](postgres)
    document["load_average_at_the_end"] = load()
    document["seconds"] = short(perf_counter() - began)
    say(f"done in {document['seconds']} seconds")
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    unknown = set(sys.argv[1:]) - SECTIONS.keys()
    if unknown:
        sys.exit(f"No such section: {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}.")
    main(sys.argv[1:])
