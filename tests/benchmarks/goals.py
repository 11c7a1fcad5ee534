"""What the service is meant to reach, beside its baselines: a slow disk, half its load, the library as it comes."""

from contextlib import ExitStack
from itertools import islice
from typing import Any

from service.postgres import Server

from .asking import Table, registered
from .commands import MIX, record_size, samples
from .commits import plain_commits
from .load import Tally, load
from .machine import fdatasync
from .measures import REPEATS, ratio, say, spread
from .processes import Side, requests_at, shared_keys, start_servers
from .running import Serving, constants, database, kibitz, slow_postgres, stock
from .scripts import script, scripts

SECONDS = 1.5
SLOW = 1_000
"""Microseconds that a flush takes longer."""


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document."""
    with slow_postgres(SLOW) as slow:
        slowly = _slow_flush(slow)
    with database(postgres) as conninfo, kibitz(conninfo) as served:
        half = _half_load(postgres, conninfo, served)
    return {"slow_flush": slowly, "half_load": half, "library": _library(postgres)}


def requests(table: Table, clients: int, each: int) -> list[list[bytes]]:
    """Every client's commands: games of the mix in turns."""
    return [_client(table, number, each) for number in range(clients)]


def _client(table: Table, number: int, each: int) -> list[bytes]:
    kinds = [_chain(table, key, number, each // len(MIX)) for key in MIX]
    return [one for together in zip(*kinds, strict=False) for one in together]


def _chain(table: Table, key: str, number: int, wanted: int) -> list[bytes]:
    chained: list[bytes] = []
    for found in islice(scripts(key), number % 4, None):
        if len(chained) >= wanted:
            break
        chained += table.commands(table.opened(found), found)
    return chained


def _slow_flush(postgres: Server) -> dict[str, Any]:
    """64 clients, of one process and of two, against plain commits at 16 connections; every flush is slower."""
    say(f"commands, 64 clients, every flush {SLOW} us slower")
    with database(postgres) as conninfo, kibitz(conninfo) as served, ExitStack() as stack:
        asked = requests(registered(served.port), 64, _each(64, 8000))
        ours = stack.enter_context(load(served.port, asked))
        plain = stack.enter_context(plain_commits(conninfo, 16, record_size()))
        stack.enter_context(shared_keys())
        servers = start_servers(stack, stack.enter_context(database(postgres)), 2)
        two = Side(stack, servers, requests_at(servers, lambda place, number: place))
        ours.run(0.5), two.run(0.5), plain.rate(0.3)
        turns = [(ours.run(SECONDS), two.run(SECONDS), plain.rate(1.0)) for _ in range(REPEATS)]
    rates, commits = [tally.accepted for tally, _, _ in turns], [rate for _, _, rate in turns]
    of_two = [turn.rate for _, turn, _ in turns]
    return {
        "commands_per_second": spread(rates), "plain_commits_of_16_per_second": spread(commits),
        "ratio_to_plain_commits": ratio(rates, commits), **_latencies([tally for tally, _, _ in turns]),
        "two_processes_per_second": spread(of_two), "two_processes_to_plain_commits": ratio(of_two, commits),
        "two_processes_processor_us_per_command": spread([turn.cost for _, turn, _ in turns]),
        "fdatasync_us": fdatasync(postgres.folder),
    }  # fmt: skip


def _half_load(postgres: Server, conninfo: str, served: Serving) -> dict[str, Any]:
    """The p99 of commands at half the rate that 64 clients reach, against that of constants at the same rate."""
    say("commands at half load, 64 clients")
    with ExitStack() as stack:
        table = registered(served.port)
        asked = requests(table, 64, _each(64, 8000))
        ours = stack.enter_context(load(served.port, asked))
        baseline = stack.enter_context(constants(*samples(served, table)))
        constant = stack.enter_context(load(baseline.port, asked, cycle=True))
        plain = stack.enter_context(plain_commits(conninfo, 1, record_size()))
        full = ours.run(SECONDS).accepted
        turns = [(ours.run(SECONDS, full / 2), constant.run(SECONDS, full / 2), plain.run(1.0)) for _ in range(REPEATS)]
        flush = fdatasync(postgres.folder)
    tallies, posts, commits = (
        [one for one, _, _ in turns],
        [one.p99 for _, one, _ in turns],
        [one.p99 for *_, one in turns],
    )
    p99s = [tally.p99 for tally in tallies]
    return {
        "full_load_per_second": round(full), "commands_per_second": spread([tally.accepted for tally in tallies]),
        **_latencies(tallies), "constant_p99_ms": spread(posts), "fdatasync_us": flush,
        "p99_to_constant_p99_and_a_flush": ratio(p99s, [one + flush["p50"] / 1000 for one in posts]),
        "plain_commit_p99_ms": spread(commits), "p99_to_plain_commit_p99": ratio(p99s, commits),
    }  # fmt: skip


def _library(postgres: Server) -> dict[str, Any]:
    """The same commands by 64 clients through the library's own application, mapper and recorder."""
    say("commands, 64 clients, the eventsourcing library as it comes")
    with database(postgres) as conninfo, database(postgres) as other, ExitStack() as stack:
        served, plainly = stack.enter_context(kibitz(conninfo)), stack.enter_context(stock(other))
        ours = stack.enter_context(load(served.port, requests(registered(served.port), 64, _each(64, 8000))))
        theirs = stack.enter_context(load(plainly.port, requests(Table(plainly.port, "nobody"), 64, 200)))
        turns = [(ours.run(SECONDS), theirs.run(SECONDS)) for _ in range(REPEATS)]
    rates, baseline = [ours.accepted for ours, _ in turns], [theirs.accepted for _, theirs in turns]
    return {
        "commands_per_second": spread(rates), "library_per_second": spread(baseline),
        "ratio_to_library": ratio(rates, baseline), "library_p99_ms": spread([theirs.p99 for _, theirs in turns]),
        "library_steps_of_a_game": len(script(MIX[0], 0).said),
    }  # fmt: skip


def _each(clients: int, hoped: int) -> int:
    """Commands made beforehand for each client."""
    return int(hoped * SECONDS * (REPEATS + 1) / clients) + 50


def _latencies(tallies: list[Tally]) -> dict[str, Any]:
    refused = sum(count for tally in tallies for status, count in tally.statuses.items() if status != "200")
    return {
        "p50_ms": spread([tally.p50 for tally in tallies]), "p99_ms": spread([tally.p99 for tally in tallies]),
        "not_accepted": refused, "rounds_cut_short": sum(tally.exhausted for tally in tallies),
    }  # fmt: skip
