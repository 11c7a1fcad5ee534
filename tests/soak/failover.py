"""`python -m tests.soak.failover [KILLS [SWITCHOVERS [OTHERS]]]`: the primary dies under load, again and again.

Prints a table of what that cost; exit status 1 if anything was lost, doubled, inexact or too slow. OTHERS: how often
the primary hangs, the standby dies, and etcd is away. With `FAILOVER_ASYNCHRONOUS=1` nobody waits for the standby: then
commands are lost, and that must be found.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from tests.debian import NotThere
from tests.faults.judge import judge, lost_and_doubled
from tests.faults.load import Load, Wrong, under_way
from tests.faults.world import Program, World, installed_on

from . import folder_for, say
from .patroni import Cluster, Node, clustered
from .rehearsal import Fault, Rehearsal

_HANG, _BLIND = 40.0, 30.0  # seconds
_SILENCE = "20"  # the default of KIBITZ_DATABASE_SILENCE, which other tests of faults shorten


def kill(cluster: Cluster) -> None:
    """The machine of the primary dies."""
    cluster.primary().kill()


def kill_ahead(cluster: Cluster) -> None:
    """It dies a second after the last byte that it has sent to its standby."""
    primary = cluster.primary()
    for process in primary.processes():
        if "walsender" in " ".join(process.cmdline()):
            process.suspend()
    time.sleep(1)
    primary.kill()


def hang(cluster: Cluster) -> None:
    """It stands still, its sockets open, and goes on when another has long been the primary."""
    threading.Thread(target=_hang, args=[cluster.primary()]).start()


def _hang(node: Node) -> None:
    with node.frozen():
        time.sleep(_HANG)


def lose_standby(cluster: Cluster) -> None:
    """The machine of the standby dies: nothing is acknowledged until Patroni has struck it off."""
    cluster.standby().kill()


def lose_etcd(cluster: Cluster) -> None:
    """Nobody can renew the leadership for longer than it is valid."""
    cluster.stop_etcd()
    time.sleep(_BLIND)
    cluster.start_etcd()


KILLS = (
    Fault("primary: kill -9", kill, 25, told=True),
    Fault("primary: kill -9, ahead of its standby", kill_ahead, 25, told=True),
)
SWITCHOVERS = (Fault("planned switchover", Cluster.switch_over, 3),)
OTHERS = (
    Fault(f"primary: hangs for {_HANG:g} s", hang, 30, told=True),
    Fault("standby: kill -9", lose_standby, 15, stays=True),
    Fault(f"etcd: away for {_BLIND:g} s", lose_etcd, 3, stays=True),
)


def main(kills: int, switchovers: int, others: int, synchronous: bool) -> int:
    """Run; 0 if all is as it must be."""
    faults = [*(KILLS * kills)[:kills], *SWITCHOVERS * switchovers, *OTHERS * others]
    Random(1).shuffle(faults)
    try:
        with (
            folder_for("failover") as folder, clustered(folder, synchronous) as cluster,
            _installed(cluster) as (world, workers),
        ):  # fmt: skip
            return _rehearse(world, cluster, workers, faults)
    except NotThere as error:
        say(str(error))
        return 2


@contextmanager
def _installed(cluster: Cluster) -> Iterator[tuple[World, tuple[Program, Program]]]:
    """Two processes of the API, a worker and one that stands by, at the address of both nodes."""
    second = Program(cluster.folder, "worker", "--database-url", cluster.dsn)
    with installed_on(cluster, ("--processes", "2"), KIBITZ_DATABASE_SILENCE=_SILENCE) as world:
        try:
            second.start()
            yield world, (world.worker, second)
        finally:
            second.end(signal.SIGTERM)


def _rehearse(world: World, cluster: Cluster, workers: tuple[Program, Program], faults: list[Fault]) -> int:
    running, loads = Load(world, 4), [os.getloadavg()[0]]
    rehearsal = Rehearsal(world, cluster, running, workers)
    try:
        with under_way(world, running), rehearsal.pulse.felt():
            for number, fault in enumerate(faults, 1):
                told = rehearsal.suffer(fault)
                loads.append(os.getloadavg()[0])
                say(f"{number}. {fault.name}: {told.gap:.1f} s, settled after {told.settled:.1f} s")
        say(f"the load has stopped: {running.acknowledged} commands acknowledged; judging\n")
        found = judge(world)
    except Wrong as error:  # a client came upon a game that had gone back
        lost, doubled, sentences = lost_and_doubled(world)
        say("\n".join([f"FAILED: {error}", f"lost: {lost}; doubled: {doubled}", *sentences[:10]]))
        return 1
    for line in rehearsal.table():
        say(line)
    say(f"\n{found}")
    streams = [one.connections for one in rehearsal.spectators]
    say(f"slowest answer: {running.slowest:.1f} s; streams opened: {streams}")
    say(f"{os.cpu_count()} cores, load average {min(loads):.1f} to {max(loads):.1f}")
    wrong = [*found.faults[:50], *rehearsal.faults()]
    for fault_found in wrong:
        say(f"    {fault_found}")
    say("FAILED" if wrong else "all is as it must be")
    return int(bool(wrong))


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:4]]
    kills, switchovers, others = [*given, *(20, 10, 2)[len(given) :]]
    sys.exit(main(kills, switchovers, others, synchronous=os.environ.get("FAILOVER_ASYNCHRONOUS") != "1"))
