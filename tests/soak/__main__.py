"""`python -m tests.soak [MINUTES]`: load and faults for so long, then the judgement and a report; exit status 1 if
anything was lost, doubled or inexact."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.faults.judge import Judgement, judge
from tests.faults.load import Load, under_way
from tests.faults.world import Program, World, installed

from .plan import STRIKES
from .watchdog import Watchdog, keep_log

_SIZE = "3g"  # of the file system that is filled up


def main(minutes: float, processes: int, seed: int) -> int:
    """Run; 0 if all is as it must be."""
    Program.popen = subprocess.Popen
    _say(f"soak: {minutes:g} minutes, {processes} API processes, seed {seed}")
    with _folder() as folder, installed(folder, {"max_connections": "60"}, ("--processes", str(processes))) as world:
        running = Load(world, 6, seed)
        watchdog = Watchdog(world, running)
        try:
            with under_way(world, running), watchdog.watching():
                try:
                    _strike(world, running, Random(seed), minutes * 60)
                    running.grow(100)
                except Exception as error:  # the verdict is told, whatever has happened
                    watchdog.find(f"it stood still: {type(error).__name__}: {error}"[:500])
                    raise
            _say(f"the load has stopped: {running.acknowledged} commands acknowledged; judging")
            found = judge(world)
        except Exception as error:  # noqa: BLE001
            _say(f"FAILED: {type(error).__name__}: {error}"[:2000])
            _tell(watchdog)
            _say(f"logs: {keep_log(world.api)} {keep_log(world.worker)}")
            return 1
        _report(world, running, found, watchdog)
        if failed := bool(found.faults or watchdog.findings):
            _say(f"logs: {keep_log(world.api)} {keep_log(world.worker)}")
        _say("FAILED" if failed else "all is as it must be")
    return 1 if failed else 0


def _strike(world: World, running: Load, lots: Random, seconds: float) -> None:
    """Faults at random instants, each kind as often as the others; between two of them commands go through."""
    end, bag, strikes = time.monotonic() + seconds, [], 0
    while time.monotonic() < end:
        bag = bag or lots.sample(STRIKES, len(STRIKES))
        running.grow(lots.randrange(5, 120))
        time.sleep(lots.random() * 0.3)
        bag.pop()(world, lots)
        world.calm()
        strikes += 1
        if strikes % 10 == 0:
            _say(f"{strikes} faults, {running.acknowledged} commands acknowledged")


def _tell(watchdog: Watchdog) -> None:
    silent, fault = watchdog.longest
    _say(f"longest silence without a fault in force: {silent:.1f} s, after: {fault}")
    _say(f"findings: {len(watchdog.findings)}")
    for finding in watchdog.findings:
        _say(f"    {finding}")


def _report(world: World, running: Load, found: Judgement, watchdog: Watchdog) -> None:
    repeated = sum(client.repeated for client in running.clients)
    _say(f"faults injected: {sum(world.faults.values())}")
    for fault, count in sorted(world.faults.items()):
        _say(f"    {count:4} {fault}")
    _say(f"commands acknowledged: {found.acknowledged} in {found.games} games; requests said again: {repeated}")
    _say(f"slowest answer: {running.slowest:.1f} s")
    _say(f"lost: {found.lost}")
    _say(f"doubled: {found.doubled}")
    _say(f"read models exact: {found.projections}")
    for fault in found.faults[:50]:
        _say(f"    {fault}")
    _tell(watchdog)


@contextmanager
def _folder() -> Iterator[Path]:
    """A data folder: a small file system of its own where one may be mounted, so that its disk can be really full."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-soak-"))
    own = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(folder)], capture_output=True)
    if own.returncode:
        _say("no file system can be mounted here: `disk full` means that no file of PostgreSQL's grows beyond 24 MB")
    try:
        yield folder
    finally:
        if own.returncode == 0:
            subprocess.run(["umount", "-l", str(folder)], check=True)
        shutil.rmtree(folder, ignore_errors=True)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(
        main(
            float(given[0] if given else os.environ.get("SOAK_MINUTES", "10")),
            int(os.environ.get("SOAK_PROCESSES", "3")),
            int(os.environ.get("SOAK_SEED", str(time.time_ns() % 10**6))),
        )
    )
