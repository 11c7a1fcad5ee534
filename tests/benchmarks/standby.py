"""A standby beside the primary: commands while nobody waits for it and while each commit does, and how late it is."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from time import sleep
from typing import Any, NamedTuple

import psycopg

from service.postgres import Server, private_server
from tests.deploy.standby import replicated

from .asking import registered, requests
from .load import Load, Tally, accepted, latencies, load, refused
from .measures import REPEATS, in_turns, ratio, say, spread
from .running import MOST_CONNECTIONS, database, kibitz, one_value

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
        turns = in_turns({how: partial(_turn, primary, ours, names) for how, names in _WAITED_FOR.items()})
        _wait_for(primary, "")
    rates = {how: accepted(turn.tally for turn in found) for how, found in turns.items()}
    return {
        **{how: _told(found) for how, found in turns.items()},
        "synchronous_to_asynchronous": ratio(rates["synchronous"], rates["asynchronous"]),
    }


def _turn(primary: "psycopg.Connection[Any]", ours: Load, names: str) -> Turn:
    _wait_for(primary, names)
    before = one_value(primary, _WAL)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(ours.run, SECONDS)
        seen = []
        while not running.done():
            seen += primary.execute(_LATE).fetchall()
            sleep(0.05)
        tally = running.result()
    flushed, shown = (sorted(column)[len(seen) // 2] for column in zip(*seen, strict=True))
    return Turn(tally, flushed, shown, (one_value(primary, _WAL) - before) / sum(tally.statuses.values()))


def _wait_for(primary: "psycopg.Connection[Any]", names: str) -> None:
    """From now on a commit waits for these standbys."""
    primary.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'".encode())
    primary.execute("SELECT pg_reload_conf()")
    sleep(0.3)


def _told(turns: list[Turn]) -> dict[str, Any]:
    tallies = [turn.tally for turn in turns]
    return {
        "commands_per_second": spread(accepted(tallies)), **latencies(tallies),
        "flushed_there_ms": spread([turn.flushed for turn in turns]),
        "shown_there_ms": spread([turn.shown for turn in turns]),
        "wal_bytes_per_command": spread([turn.wal for turn in turns]),
        "not_accepted": sum(refused(tallies).values()),
    }  # fmt: skip
