"""A standby beside the primary: commands while nobody waits for it and while each commit does, and how late it is."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from time import sleep
from typing import Any, NamedTuple

import psycopg

from service.postgres import Server, private_server
from tests.deploy.standby import replicated

from .asking import registered
from .goals import requests
from .load import Load, Tally, load
from .measures import REPEATS, ratio, say, spread
from .running import MOST_CONNECTIONS, database, kibitz

CLIENTS, SECONDS, HOPED = 64, 2.0, 5_000
_WAITED_FOR = {"asynchronous": "", "synchronous": "*"}
_LATE = """
SELECT 1000 * extract(epoch FROM flush_lag)::float, 1000 * extract(epoch FROM replay_lag)::float
FROM pg_stat_replication WHERE flush_lag IS NOT NULL AND replay_lag IS NOT NULL
"""
_WAL = "SELECT (pg_current_wal_lsn() - '0/0')::float"


class Turn(NamedTuple):
    """What came of some seconds of load; ms until the standby had flushed and shown it, bytes of WAL a command."""

    tally: Tally
    flushed: float
    shown: float
    wal: float


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document."""
    say(f"commands, {CLIENTS} clients, with a standby")
    with ExitStack() as stack:
        served = stack.enter_context(kibitz(stack.enter_context(database(postgres))))
        folder = stack.enter_context(replicated(postgres))
        stack.enter_context(private_server(folder, MOST_CONNECTIONS))
        each = int(HOPED * SECONDS * (2 * REPEATS + 1) / CLIENTS)
        ours = stack.enter_context(load(served.port, requests(registered(served.port), CLIENTS, each)))
        primary = stack.enter_context(psycopg.connect(postgres.dsn, autocommit=True))
        ours.run(1.0)
        turns = [{how: _turn(primary, ours, names) for how, names in _WAITED_FOR.items()} for _ in range(REPEATS)]
        _wait_for(primary, "")
    rates = {how: [turn[how].tally.accepted for turn in turns] for how in _WAITED_FOR}
    found = {how: _told([turn[how] for turn in turns]) for how in _WAITED_FOR}
    return {**found, "synchronous_to_asynchronous": ratio(rates["synchronous"], rates["asynchronous"])}


def _turn(primary: "psycopg.Connection[Any]", ours: Load, names: str) -> Turn:
    _wait_for(primary, names)
    before = _number(primary, _WAL)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(ours.run, SECONDS)
        seen = []
        while not running.done():
            seen += primary.execute(_LATE).fetchall()
            sleep(0.05)
        tally = running.result()
    flushed, shown = (sorted(column)[len(seen) // 2] for column in zip(*seen, strict=True))
    return Turn(tally, flushed, shown, (_number(primary, _WAL) - before) / sum(tally.statuses.values()))


def _wait_for(primary: "psycopg.Connection[Any]", names: str) -> None:
    """From now on a commit waits for these standbys."""
    primary.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'".encode())
    primary.execute("SELECT pg_reload_conf()")
    sleep(0.3)


def _number(primary: "psycopg.Connection[Any]", query: str) -> float:
    row = primary.execute(query.encode()).fetchone()
    assert row is not None
    return float(row[0])


def _told(turns: list[Turn]) -> dict[str, Any]:
    tallies = [turn.tally for turn in turns]
    return {
        "commands_per_second": spread([one.accepted for one in tallies]),
        "p50_ms": spread([one.p50 for one in tallies]), "p99_ms": spread([one.p99 for one in tallies]),
        "flushed_there_ms": spread([turn.flushed for turn in turns]),
        "shown_there_ms": spread([turn.shown for turn in turns]),
        "wal_bytes_per_command": spread([turn.wal for turn in turns]),
        "not_accepted": sum(sum(one.statuses.values()) - one.statuses.get("200", 0) for one in tallies),
    }  # fmt: skip
