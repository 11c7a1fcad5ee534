"""boardgame.io under as many players at once, in memory and on PostgreSQL, against our commands by HTTP and by lines.

In memory it stores nothing; on PostgreSQL it answers before it stores. Its players are a patience of one move, on a
socket each (`boardgame_io/`), and every player waits for each answer, as ours do over HTTP.
"""

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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
from .measures import REPEATS, ratio, say, spread
from .running import database, kibitz

_SOURCES = Path(__file__).with_name("boardgame_io")
_PLAYERS, _SECONDS = 64, 1.5


class Peer:
    """boardgame.io under load."""

    def __init__(self, clients: "subprocess.Popen[str]") -> None:
        self._clients = clients

    def run(self, seconds: float) -> dict[str, float]:
        """Moves a second, and latencies in ms, over so many seconds."""
        assert self._clients.stdin is not None
        assert self._clients.stdout is not None
        self._clients.stdin.write(f"{seconds}\n")
        self._clients.stdin.flush()
        found: dict[str, float] = json.loads(self._clients.stdout.readline())
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
    with ExitStack() as stack:
        stack.enter_context(_program("server.mjs", str(port), *given))
        yield Peer(stack.enter_context(_program("clients.mjs", str(port), str(_PLAYERS))))


@contextmanager
def _program(name: str, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """A script in its packages' folder, once it says that it is ready."""
    folder, node = node_programs.installed(_SOURCES), debian.program("nodejs", ("node",))
    words = (node, str(_SOURCES / name), *words)
    with subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line == "ready\n":
                    break
            else:
                raise RuntimeError(f"{name} did not start")
            yield process
        finally:
            process.kill()


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
        turns = [{name: _rate(side.run(_SECONDS)) for name, side in sides.items()} for _ in range(REPEATS)]
    rates = {name: [turn[name] for turn in turns] for name in sides}
    return {
        "clients": _PLAYERS, "window_of_a_line": WINDOW, "load_average_before": before,
        **{f"{name}_per_second": spread(found) for name, found in rates.items()},
        **{f"{ours}_to_{theirs}": ratio(rates[ours], rates[theirs])
           for ours in ("http", "lines") for theirs in ("in_memory", "on_postgresql")},
    }  # fmt: skip


def _rate(found: Any) -> float:
    return float(found["accepted"] if isinstance(found, dict) else found.accepted)
