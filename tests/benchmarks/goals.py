"""What the service is meant to reach, beside its baselines: a slow disk, half its load, the library as it comes."""

from contextlib import ExitStack
from typing import Any

from service.postgres import Server

from .asking import Table, made_beforehand, registered, requests
from .commands import record_size, samples
from .commits import plain_commits
from .load import Tally, accepted, latencies, load, refused
from .machine import fdatasync
from .measures import in_turns, ratio, say, spread
from .processes import Side, requests_at, start_servers
from .running import Serving, constants, database, kibitz, shared_keys, slow_postgres, stock
from .scripts import MIX, script

SECONDS = 1.5
EACH = made_beforehand(64, 8000, SECONDS)
SLOW = 1_000
"""Microseconds that a flush takes longer."""


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document."""
    with slow_postgres(SLOW) as slow:
        slowly = _slow_flush(slow)
    with database(postgres) as conninfo, kibitz(conninfo) as served:
        half = _half_load(postgres, conninfo, served)
    return {"slow_flush": slowly, "half_load": half, "library": _library(postgres)}


def _slow_flush(postgres: Server) -> dict[str, Any]:
    """64 clients, of one process and of two, against plain commits at 16 connections; every flush is slower."""
    say(f"commands, 64 clients, every flush {SLOW} us slower")
    with database(postgres) as conninfo, kibitz(conninfo) as served, ExitStack() as stack:
        ours = stack.enter_context(load(served.port, requests(registered(served.port), 64, EACH)))
        plain = stack.enter_context(plain_commits(conninfo, 16, record_size()))
        stack.enter_context(shared_keys())
        servers = start_servers(stack, stack.enter_context(database(postgres)), 2)
        two = Side(stack, servers, requests_at(servers, lambda place, number: place))
        ours.run(0.5), two.run(0.5), plain.rate(0.3)
        turns: dict[str, list[Any]] = in_turns({
            "ours": lambda: ours.run(SECONDS), "two": lambda: two.run(SECONDS), "plain": lambda: plain.rate(1.0)
        })  # fmt: skip
    rates, of_two, commits = accepted(turns["ours"]), [turn.rate for turn in turns["two"]], turns["plain"]
    return {
        "commands_per_second": spread(rates), "plain_commits_of_16_per_second": spread(commits),
        "ratio_to_plain_commits": ratio(rates, commits), **_answered(turns["ours"]),
        "two_processes_per_second": spread(of_two), "two_processes_to_plain_commits": ratio(of_two, commits),
        "two_processes_processor_us_per_command": spread([turn.cost for turn in turns["two"]]),
        "fdatasync_us": fdatasync(postgres.folder),
    }  # fmt: skip


def _answered(tallies: list[Tally]) -> dict[str, Any]:
    other = refused(tallies)
    cut = other.pop("rounds_cut_short", 0)
    return {**latencies(tallies), "not_accepted": sum(other.values()), "rounds_cut_short": cut}


def _half_load(postgres: Server, conninfo: str, served: Serving) -> dict[str, Any]:
    """The p99 of commands at half the rate that 64 clients reach, against that of constants at the same rate."""
    say("commands at half load, 64 clients")
    table = registered(served.port)
    asked = requests(table, 64, EACH)
    with (
        load(served.port, asked) as ours, constants(*samples(served, table)) as baseline,
        load(baseline.port, asked, cycle=True) as constant, plain_commits(conninfo, 1, record_size()) as plain,
    ):  # fmt: skip
        full = ours.run(SECONDS).accepted
        turns: dict[str, list[Any]] = in_turns({
            "ours": lambda: ours.run(SECONDS, full / 2), "constant": lambda: constant.run(SECONDS, full / 2),
            "plain": lambda: plain.run(1.0),
        })  # fmt: skip
        flush = fdatasync(postgres.folder)
    p99s, posts, commits = ([turn.p99 for turn in turns[name]] for name in ("ours", "constant", "plain"))
    return {
        "full_load_per_second": round(full), "commands_per_second": spread(accepted(turns["ours"])),
        **_answered(turns["ours"]), "constant_p99_ms": spread(posts), "fdatasync_us": flush,
        "p99_to_constant_p99_and_a_flush": ratio(p99s, [one + flush["p50"] / 1000 for one in posts]),
        "plain_commit_p99_ms": spread(commits), "p99_to_plain_commit_p99": ratio(p99s, commits),
    }  # fmt: skip


def _library(postgres: Server) -> dict[str, Any]:
    """The same commands by 64 clients through the library's own application, mapper and recorder."""
    say("commands, 64 clients, the eventsourcing library as it comes")
    with (
        database(postgres) as conninfo, kibitz(conninfo) as served,
        database(postgres) as other, stock(other) as plainly,
        load(served.port, requests(registered(served.port), 64, EACH)) as ours,
        load(plainly.port, requests(Table(plainly.port, "nobody"), 64, 200)) as theirs,
    ):  # fmt: skip
        turns = in_turns({"ours": lambda: ours.run(SECONDS), "theirs": lambda: theirs.run(SECONDS)})
    rates, baseline = accepted(turns["ours"]), accepted(turns["theirs"])
    return {
        "commands_per_second": spread(rates), "library_per_second": spread(baseline),
        "ratio_to_library": ratio(rates, baseline), "library_p99_ms": latencies(turns["theirs"])["p99_ms"],
        "library_steps_of_a_game": len(script(MIX[0], 0).said),
    }  # fmt: skip
