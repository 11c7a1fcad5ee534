"""boardgame.io under as many players at once, in memory and on PostgreSQL, against our commands by HTTP and by lines.

In memory it stores nothing; on PostgreSQL it answers before it stores. Its players are a patience of one move, on a
socket each (`boardgame_io/`), and every player waits for each answer, as ours do over HTTP.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from psycopg.conninfo import conninfo_to_dict

from service.postgres import Server
from tests import debian
from tests.openapi import node_programs
from tests.ports import free_ports

from .asking import registered
from .lines import WINDOW, both_sides
from .machine import load as load_average
from .measures import in_turns, per_second, ratio, say
from .programs import Program, running
from .running import database, kibitz

_SOURCES = Path(__file__).with_name("boardgame_io")
_PLAYERS, _SECONDS = 64, 1.5


class Peer:
    """boardgame.io under load."""

    def __init__(self, clients: Program) -> None:
        self._clients = clients

    def run(self, seconds: float) -> dict[str, float]:
        """Moves a second, and latencies in ms, over so many seconds."""
        self._clients.write(f"{seconds}\n".encode())
        found: dict[str, float] = json.loads(self._clients.line())
        if found["wrong"]:
            raise AssertionError(f"{found['wrong']:.0f} states came out of order")
        return found


@contextmanager
def boardgame_io(conninfo: str | None = None) -> Iterator[Peer]:
    """A server in memory, or on this database, and its players."""
    port, given = free_ports(), []
    if conninfo is not None:
        told = conninfo_to_dict(conninfo)
        named = {"database": "dbname", "username": "user", "password": "password", "host": "host", "port": "port"}
        given = [json.dumps({name: str(told[key]) for name, key in named.items() if told.get(key)})]
    folder, node = node_programs.installed(_SOURCES), debian.program("nodejs", ("node",))
    with ExitStack() as stack:
        for name, *words in (("server.mjs", str(port), *given), ("clients.mjs", str(port), str(_PLAYERS))):
            program = stack.enter_context(running([node, str(_SOURCES / name), *words], python=False, cwd=folder))
            while (line := program.line()) != "ready":
                if not line and program.process.poll() is not None:
                    raise RuntimeError(f"{name} did not start")
        yield Peer(program)


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document."""
    say(f"boardgame.io in memory and on PostgreSQL, {_PLAYERS} players")
    with database(postgres) as conninfo, database(postgres) as others, kibitz(conninfo) as served, ExitStack() as stack:
        http, lines = both_sides(stack, served, registered(served.port), _PLAYERS)
        sides: dict[str, Any] = {
            "http": http, "lines": lines,
            "in_memory": stack.enter_context(boardgame_io()),
            "on_postgresql": stack.enter_context(boardgame_io(others)),
        }  # fmt: skip
        for side in sides.values():
            side.run(0.5)
        before = load_average()
        turns = in_turns({name: partial(side.run, _SECONDS) for name, side in sides.items()})
    rates = {name: list(map(_rate, found)) for name, found in turns.items()}
    return {
        "clients": _PLAYERS, "window_of_a_line": WINDOW, "load_average_before": before,
        **per_second(rates),
        **{f"{ours}_to_{theirs}": ratio(rates[ours], rates[theirs])
           for ours in ("http", "lines") for theirs in ("in_memory", "on_postgresql")},
    }  # fmt: skip


def _rate(found: Any) -> float:
    return float(found["accepted"] if isinstance(found, dict) else found.accepted)
