"""Which faults strike, and how: each takes the installation and the lots, and leaves it ready again."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from time import sleep

import psutil

from tests.faults import faults, shortages
from tests.faults.leaving import Account, leave
from tests.faults.test_streams import deaf
from tests.faults.world import World

from .failover import KILLS, SWITCHOVERS
from .patroni import Cluster
from .rehearsal import Fault

Strike = Callable[[World, Random], None]


def _plain(fault: Callable[[World], None]) -> Strike:
    return lambda world, lots: fault(world)


def freeze(world: World, lots: Random) -> None:
    """Silence for a while: shorter and longer than the service bears it."""
    with faults.frozen(world):
        sleep(lots.uniform(0.2, 5.0))
    world.await_ready()


def crowd_out(world: World, lots: Random) -> None:
    """No connection is to be had for a while."""
    with faults.no_connections_left(world):
        sleep(lots.uniform(0.5, 3.0))
    world.await_ready()


def fill_disk(world: World, lots: Random) -> None:
    """No byte has room on PostgreSQL's file system for a while; without one of its own, files stop growing."""
    disk = Path(psutil.Process(world.server.pid).cwd()).parent  # its main process stands in its data directory
    if not disk.is_mount():
        with faults.full(world, 24_000_000):
            sleep(lots.uniform(0.5, 3.0))
        return world.await_ready()
    world.did("disk full (ENOSPC)")
    ballast = disk / "ballast"
    _fill(ballast)
    sleep(lots.uniform(1.0, 6.0))
    ballast.unlink()
    return world.await_ready()


def _fill(ballast: Path) -> None:
    """Half of what is left, then half of that, down to the last page."""
    with ballast.open("wb") as file:
        step, size = 1 << 32, 0
        while step >= 4096:
            with suppress(OSError):
                os.posix_fallocate(file.fileno(), size, step)
                size += step
                continue
            step //= 2


def shift_clock(world: World, lots: Random) -> None:
    """The service starts again with a clock that is wrong by up to an hour, before or after."""
    world.did("clock shifted")
    world.api.end()
    world.shifted(lots.uniform(-3600, 3600))
    world.api.start()
    world.await_ready()


def deaf_clients(world: World, lots: Random) -> None:
    """Clients open streams and never read."""
    world.did("clients that never read")
    opened = [game for running in world.loads for client in running.clients for game in client.opened[-2:]]
    with deaf(world, lots.choice(opened), 10):
        sleep(lots.uniform(1, 5))


def clients_that_leave(world: World, lots: Random) -> None:
    """Hundreds of clients reset their connections, at every moment of every kind of request."""
    world.did("clients that leave")
    account = Account(world.url)
    world.leavers.add(account.player)
    leave([account], 480, lots)
    unanswered = account.unanswered()
    assert not unanswered, f"behind clients that left: {unanswered}"


def kill_all(world: World, lots: Random) -> None:
    """API, worker and PostgreSQL at once, as when a machine dies."""
    world.did("everything killed")
    world.api.end()
    world.worker.end()
    faults.end_postmaster(world)
    world.worker.start()
    world.api.start()
    world.await_ready()


def cannot_start(world: World, lots: Random) -> None:
    """Some of the API's processes die, and for a while none can be started in their place."""
    with shortages.no_child_can_be_started(world):
        _kill_some(world, lots)
        sleep(lots.uniform(0.5, 8.0))
    world.await_ready()


def no_memory(world: World, lots: Random) -> None:
    """The same, for what is started gets no memory."""
    with shortages.no_memory(world):
        _kill_some(world, lots)
        sleep(lots.uniform(0.5, 8.0))
    world.await_ready()


def _kill_some(world: World, lots: Random) -> None:
    answering = shortages.children(world)
    for process in lots.sample(answering, lots.randint(min(1, len(answering)), len(answering))):
        with suppress(psutil.NoSuchProcess):
            process.kill()


def cannot_accept(world: World, lots: Random) -> None:
    """One of the processes that answer takes no connection for a while."""
    with shortages.nobody_can_be_accepted(world):
        sleep(lots.uniform(0.5, 5.0))
    world.await_ready()


def no_backends(world: World, lots: Random) -> None:
    """PostgreSQL can start no process for a connection for a while, and those that there were have ended."""
    with shortages.no_backend_can_be_started(world):
        sleep(lots.uniform(0.5, 5.0))
    world.await_ready()


def kill_every_process(world: World, lots: Random) -> None:
    """All processes that answer and PostgreSQL at once; whoever watches over them starts them again."""
    world.did("every child and PostgreSQL killed at once")
    for process in shortages.children(world):
        with suppress(psutil.NoSuchProcess):
            process.kill()
    faults.end_postmaster(world)
    world.await_ready()


STRIKES: tuple[Strike, ...] = (
    _plain(faults.kill_api), _plain(faults.kill_api), faults.kill_one_process, faults.kill_one_process,
    _plain(faults.kill_worker), _plain(faults.kill_worker), _plain(faults.kill_postmaster), faults.kill_backend,
    _plain(faults.restart_fast), _plain(faults.restart_immediate), _plain(faults.cut_connections),
    freeze, crowd_out, fill_disk, shift_clock, deaf_clients, clients_that_leave, kill_all,
    cannot_start, cannot_start, no_memory, no_memory, cannot_accept, no_backends,
    kill_every_process, kill_every_process,
)  # fmt: skip


def strikes_on(cluster: Cluster) -> tuple[Strike, ...]:
    """All of them, the primary's deaths and changes of place besides; after each both nodes stand again."""
    changes = [_befalling(fault, cluster) for fault in (*KILLS, *SWITCHOVERS, *SWITCHOVERS)]
    return tuple(_mended(strike, cluster) for strike in (*STRIKES, *changes))


def _befalling(fault: Fault, cluster: Cluster) -> Strike:
    def strike(world: World, lots: Random) -> None:
        fault.befall(world, cluster)
        world.await_ready()

    return strike


def _mended(strike: Strike, cluster: Cluster) -> Strike:
    def struck(world: World, lots: Random) -> None:
        strike(world, lots)
        cluster.mend()

    return struck
