"""`python -m tests.soak [--failover] [MINUTES]`: load and faults for so long, then the judgement and a report; exit
status 1 if anything was lost, doubled or inexact. With `--failover` PostgreSQL is two nodes under Patroni with an etcd,
and the primary dies or changes places with its standby besides."""

import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

from tests.debian import NotThere
from tests.faults.judge import Judgement, judge
from tests.faults.load import Load, under_way
from tests.faults.world import Program, World, installed, installed_on

from . import folder_for, say
from .patroni import NODES, clustered
from .plan import STRIKES, Strike, strikes_on
from .watchdog import Watchdog, keep_logs

_SIZE = "3g"  # of each file system that is filled up
_OUTAGE = 30.0
"""Seconds for which a fault on a cluster may keep everybody from being answered; the watchdog's 10 come on top. A
primary that dies is missed up to 20 seconds later (Patroni's `ttl`), and is replaced within 23 on two busy cores
(deploy/UPGRADE.md). No other fault takes longer: Patroni lives then, and looks every 5 seconds."""


def main(minutes: float, processes: int, seed: int, failover: bool) -> int:
    """Run; 0 if all is as it must be, 2 if there is no Patroni or no etcd."""
    Program.popen = subprocess.Popen
    say(f"soak: {minutes:g} minutes, {processes} API processes, seed {seed}{', failover' * failover}")
    installation = _on_a_cluster if failover else _on_one_server
    try:
        with folder_for("soak") as folder, installation(folder, ("--processes", str(processes))) as (world, strikes):
            return _soak(world, strikes, minutes, seed)
    except NotThere as error:
        say(str(error))
        return 2


@contextmanager
def _on_one_server(folder: Path, flags: tuple[str, ...]) -> Iterator[tuple[World, Sequence[Strike]]]:
    with _file_systems(folder), installed(folder, {"max_connections": "60"}, flags) as world:
        yield world, STRIKES


@contextmanager
def _on_a_cluster(folder: Path, flags: tuple[str, ...]) -> Iterator[tuple[World, Sequence[Strike]]]:
    with (
        _file_systems(*(folder / node for node in NODES)), clustered(folder, synchronous=True) as cluster,
        installed_on(cluster, flags) as world,
    ):  # fmt: skip
        world.outage = _OUTAGE
        yield world, strikes_on(cluster)


def _soak(world: World, strikes: Sequence[Strike], minutes: float, seed: int) -> int:
    running = Load(world, 6, seed)
    watchdog = Watchdog(world, running)
    try:
        with under_way(world, running), watchdog.watching():
            try:
                _strike(world, running, strikes, Random(seed), minutes * 60)
                running.grow(100)
            except Exception as error:  # the verdict is told, whatever has happened
                watchdog.find(f"it stood still: {type(error).__name__}: {error}"[:500])
                raise
        say(f"the load has stopped: {running.acknowledged} commands acknowledged; judging")
        found = judge(world)
    except Exception as error:  # noqa: BLE001
        say(f"FAILED: {type(error).__name__}: {error}"[:2000])
        _tell(watchdog)
        say(f"logs: {keep_logs(world)}")
        return 1
    _report(world, running, found, watchdog)
    if failed := bool(found.faults or watchdog.findings):
        say(f"logs: {keep_logs(world)}")
    say("FAILED" if failed else "all is as it must be")
    return 1 if failed else 0


def _strike(world: World, running: Load, strikes: Sequence[Strike], lots: Random, seconds: float) -> None:
    """Faults at random instants, each kind as often as the others; between two of them commands go through."""
    end, bag, count = time.monotonic() + seconds, list[Strike](), 0
    while time.monotonic() < end:
        bag = bag or lots.sample(strikes, len(strikes))
        running.grow(lots.randrange(5, 120))
        time.sleep(lots.random() * 0.3)
        bag.pop()(world, lots)
        world.calm()
        count += 1
        if count % 10 == 0:
            say(f"{count} faults, {running.acknowledged} commands acknowledged")


def _tell(watchdog: Watchdog) -> None:
    silent, fault = watchdog.longest
    say(f"longest silence without a fault in force: {silent:.1f} s, after: {fault}")
    say(f"findings: {len(watchdog.findings)}")
    for finding in watchdog.findings:
        say(f"    {finding}")


def _report(world: World, running: Load, found: Judgement, watchdog: Watchdog) -> None:
    repeated = sum(client.repeated for client in running.clients)
    say(f"faults injected: {sum(world.faults.values())}")
    for fault, count in sorted(world.faults.items()):
        say(f"    {count:4} {fault}")
    say(f"{found}\nrequests said again: {repeated}\nslowest answer: {running.slowest:.1f} s")
    for fault in found.faults[:50]:
        say(f"    {fault}")
    _tell(watchdog)


@contextmanager
def _file_systems(*folders: Path) -> Iterator[None]:
    """Small file systems of their own there, where one may be mounted, so that a disk can be really full."""
    with ExitStack() as mounted:
        for folder in folders:
            folder.mkdir(exist_ok=True)
            mount = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(folder)]
            if subprocess.run(mount, capture_output=True).returncode:
                say("no file system can be mounted here: `disk full` means that PostgreSQL's files stop at 24 MB")
                break
            mounted.callback(subprocess.run, ["umount", "-l", str(folder)], check=True)
        yield


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("minutes", type=float, nargs="?", default=os.environ.get("SOAK_MINUTES", "10"))
    parser.add_argument("--failover", action="store_true")
    given = parser.parse_args()
    processes = int(os.environ.get("SOAK_PROCESSES", "3"))
    seed = int(os.environ.get("SOAK_SEED", str(time.time_ns() % 10**6)))
    sys.exit(main(given.minutes, processes, seed, given.failover))
