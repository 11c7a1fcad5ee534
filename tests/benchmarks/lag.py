"""Read models behind the writer: a worker of its own follows while commands are said as fast as they are accepted.

A game of the load lasts for some twenty commands and is given up then, and for each that ends one is opened.
"""

import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from threading import Event, Thread
from time import perf_counter
from typing import Any, NamedTuple

import msgspec
import psycopg

from domain.play import events as ev
from service.postgres import Server

from .asking import Table, registered, request
from .load import Load, Tally, load
from .machine import processor_seconds
from .measures import REPEATS, percentile, say, short, spread
from .programs import running
from .running import database, kibitz, shared_keys
from .scripts import MIX, Script, scripts

CLIENTS, SECONDS, HOPED = 64, 3.0, 6000
"""`HOPED`: the requests a second for which requests are made beforehand."""
_WORKER = ("-m", "service.cli", "worker", "--log-level", "warning")
_GAME = 20
_LOOK = 0.02  # seconds
_STANDING = """
SELECT head, (SELECT min(position) FROM positions), (SELECT count(*) FROM positions) FROM log
"""
_BACKEND = "SELECT pid FROM pg_stat_activity WHERE application_name = 'kibitz worker' AND datname = current_database()"


class Seen(NamedTuple):
    """When the log's head and the read model furthest behind stood where."""

    at: float
    head: int
    lowest: int


class Turn(NamedTuple):
    """One stretch of load; processor seconds are those of the worker and of PostgreSQL for it."""

    tally: Tally
    seen: list[Seen]
    worker: float
    backend: float


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document."""
    say(f"read models behind the writer, {CLIENTS} clients")
    with (
        shared_keys(), database(postgres) as conninfo, kibitz(conninfo, "--no-worker") as served,
        running(_WORKER, {**os.environ, "DATABASE_URL": conninfo}) as worker,
    ):  # fmt: skip
        table = registered(served.port)
        asked = [_requests(table, number) for number in range(CLIENTS)]
        _caught_up(conninfo)
        with load(served.port, asked) as loading:
            loading.run(0.5)
            turns = [_turn(conninfo, loading, worker.process.pid) for _ in range(REPEATS)]
    return _told(turns)


def _requests(table: Table, number: int) -> list[bytes]:
    """One client's requests: games of the mix one after another, each given up, and an opening for each."""
    found, wanted = list[bytes](), int(HOPED * (SECONDS * REPEATS + 1) / CLIENTS)
    games = [islice(scripts(key, _GAME), number % 4, None) for key in MIX]
    while len(found) < wanted:
        for kind in games:
            script = next(kind)
            opening = request("POST", "/v1/games", table.token, msgspec.json.encode(script.body))
            found += [*_played(table, table.opened(script), script), opening]
    return found


def _played(table: Table, game: str, script: Script) -> Iterator[bytes]:
    yield from table.commands(game, script)
    if script.game.status == "playing":
        body = msgspec.json.encode(ev.Resign())
        yield request("POST", f"/v1/games/{game}/commands?seat=0", table.token, body)


def _caught_up(conninfo: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        while True:
            head, lowest, builds = connection.execute(_STANDING).fetchall()[0]
            if builds and lowest == head:
                return
            Event().wait(_LOOK)


def _turn(conninfo: str, loading: Load, worker: int) -> Turn:
    over, seen = Event(), list[Seen]()
    with psycopg.connect(conninfo, autocommit=True) as connection:
        backend = connection.execute(_BACKEND).fetchall()[0][0]
        looking = Thread(target=_look, args=(connection, over, seen))
        before = [processor_seconds(process) or 0.0 for process in (worker, backend)]
        looking.start()
        tally = loading.run(SECONDS)
        over.set()
        looking.join()
        after = [processor_seconds(process) or 0.0 for process in (worker, backend)]
    return Turn(tally, seen, *(then - now for now, then in zip(before, after, strict=True)))


def _look(connection: "psycopg.Connection[Any]", over: Event, seen: list[Seen]) -> None:
    while not over.wait(_LOOK):
        head, lowest, _ = connection.execute(_STANDING).fetchall()[0]
        seen.append(Seen(perf_counter(), head, lowest))


def lags(seen: list[Seen]) -> list[float]:
    """At each look, the seconds since the log first went beyond the read model furthest behind."""
    heads = [one.head for one in seen]
    beyond = (min(bisect_right(heads, one.lowest), number) for number, one in enumerate(seen))
    return [one.at - seen[first].at for one, first in zip(seen, beyond, strict=True)]


def _told(turns: list[Turn]) -> dict[str, Any]:
    behind = [[one.head - one.lowest for one in turn.seen] for turn in turns]
    events = sum(turn.seen[-1].head - turn.seen[0].head for turn in turns)
    statuses = sum((Counter(turn.tally.statuses) for turn in turns), Counter[str]())
    answers = [sum(turn.tally.statuses.values()) for turn in turns]
    rates = [number / turn.tally.seconds for number, turn in zip(answers, turns, strict=True)]
    return {
        "clients": CLIENTS, "commands_per_second": spread(rates),
        "statuses": dict(sorted(statuses.items())),
        "events_per_second": short(events / sum(turn.seen[-1].at - turn.seen[0].at for turn in turns)),
        "exhausted": any(turn.tally.exhausted for turn in turns),
        "lag_seconds_p50": spread([percentile(lags(turn.seen), 0.5) for turn in turns]),
        "lag_seconds_greatest": spread([max(lags(turn.seen)) for turn in turns]),
        "lag_events_greatest": spread([max(one) for one in behind]),
        "worker_us_per_command": spread([1e6 * t.worker / n for n, t in zip(answers, turns, strict=True)]),
        "worker_backend_us_per_command": spread([1e6 * t.backend / n for n, t in zip(answers, turns, strict=True)]),
    }  # fmt: skip
