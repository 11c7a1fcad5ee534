"""The faults, each done to an installation under load; what they end they also bring back."""

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from random import Random
from time import sleep
from typing import NoReturn

import psutil
import psycopg

from service.postgres.postmaster import MAINTENANCE

from .world import World, until

_OURS = "SELECT FROM pg_stat_activity WHERE datname = 'kibitz' AND backend_type = 'client backend'"
_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'kibitz'"
_ROUNDS = 20


def kill_api(world: World) -> None:
    """kill -9 of the process that answers, and a new one in its place."""
    world.did("API killed")
    world.api.end(signal.SIGKILL)
    world.api.start()
    world.await_ready()


def kill_one_process(world: World, lots: Random) -> None:
    """kill -9 of one of several processes that answer; whoever started it starts another."""
    world.did("one of the API's processes killed")
    assert world.api.process is not None
    with suppress(psutil.NoSuchProcess, IndexError):
        lots.choice(psutil.Process(world.api.process.pid).children()).kill()
    world.await_ready()


def kill_worker(world: World) -> None:
    """kill -9 of the process that keeps the read models, and a new one in its place."""
    world.did("worker killed")
    world.worker.end(signal.SIGKILL)
    world.worker.start()


def kill_postmaster(world: World) -> None:
    """kill -9 of PostgreSQL's main process; its guard brings it back."""
    world.did("PostgreSQL killed")
    _end_postmaster(world, signal.SIGKILL)


def restart_fast(world: World) -> None:
    """PostgreSQL is shut down as an operator does it, and comes back."""
    world.did("PostgreSQL restarted, fast")
    _end_postmaster(world, signal.SIGINT)


def restart_immediate(world: World) -> None:
    """PostgreSQL is shut down without a checkpoint, and has to recover."""
    world.did("PostgreSQL restarted, immediate")
    _end_postmaster(world, signal.SIGQUIT)


def end_postmaster(world: World) -> None:
    """kill -9 of PostgreSQL's main process, uncounted; returns when it has been launched again."""
    _end_postmaster(world, signal.SIGKILL, ready=False)


def _end_postmaster(world: World, number: int, ready: bool = True) -> None:
    pid = world.server.pid
    os.kill(pid, number)
    until(lambda: _pid(world) not in (None, pid), "the guard has launched PostgreSQL again")
    if ready:
        world.await_ready()


def _pid(world: World) -> int | None:
    with suppress(OSError, ValueError):
        return world.server.pid
    return None


def kill_backend(world: World, lots: Random) -> None:
    """kill -9 of one connection's process: PostgreSQL then ends all others and recovers by itself."""
    world.did("backend killed")
    with suppress(psutil.NoSuchProcess, OSError):
        lots.choice(world.backends()[:-1]).kill()
    world.await_ready()


def cut_connections(world: World) -> None:
    """Every connection is ended by an operator, as a failover or a firewall would."""
    world.did("connections cut")
    with _operator(world) as connection:
        connection.execute(_CUT)
    world.await_ready()


@contextmanager
def frozen(world: World) -> Iterator[None]:
    """PostgreSQL says nothing for the length of a `with` block, and keeps its sockets open."""
    world.did("PostgreSQL frozen")
    stopped: list[psutil.Process] = []
    try:
        while found := [process for process in world.backends()[::-1] if process not in stopped]:
            stopped += found  # one may have been forked before the main process had stopped
            for process in found:
                _suspended(process)
        yield
    finally:
        for process in stopped:
            with suppress(psutil.NoSuchProcess):
                process.resume()


def _suspended(process: psutil.Process) -> None:
    with suppress(psutil.NoSuchProcess):
        process.suspend()
        until(lambda: process.status() in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE), "the process has stopped")


@contextmanager
def no_connections_left(world: World) -> Iterator[None]:
    """Others hold every connection there is, reserved ones too, and ours were cut."""
    world.did("out of connections")
    with ExitStack() as held:
        with _operator(world) as connection:
            most = int(connection.execute("SHOW max_connections").fetchone()[0])  # type: ignore[index]
            _occupy(world, held, most)
            for _ in range(_ROUNDS):  # the service is fast to take back what was taken from it
                connection.execute(_CUT)
                _occupy(world, held, most)
                if connection.execute(_OURS).fetchone() is None:
                    break
        yield


def _occupy(world: World, held: ExitStack, most: int) -> None:
    refused = 0
    for _ in range(2 * most):
        try:
            held.enter_context(psycopg.connect(world.server.conninfo(MAINTENANCE)))
            refused = 0
        except psycopg.OperationalError:
            refused += 1
            sleep(0.02)
        if refused > 3:
            return


@contextmanager
def full(world: World, file: int) -> Iterator[None]:
    """No file of PostgreSQL's grows beyond so many bytes: this needs neither root nor a file system of its own."""
    world.did("disk full")
    _limit_files(world, file)
    try:
        yield
    finally:
        _limit_files(world, resource.RLIM_INFINITY)


def _limit_files(world: World, size: int) -> None:
    limited: list[psutil.Process] = []
    while found := [process for process in world.backends()[::-1] if process not in limited]:
        limited += found  # one may have been forked before the main process had its limit
        limit(world, found, resource.RLIMIT_FSIZE, size)


def limit(world: World, processes: list[psutil.Process], kind: int, size: int) -> None:
    """Said by a process of PostgreSQL's own account: even root needs a capability to do it to another's."""
    if (child := os.fork()) == 0:
        _say_limits(world, [process.pid for process in processes], kind, size)
    assert os.waitpid(child, 0)[1] == 0, "PostgreSQL's resources cannot be limited on this machine"


def _say_limits(world: World, pids: list[int], kind: int, size: int) -> NoReturn:
    account = world.server.data.account
    try:
        if account is not None:
            os.setgroups([])
            os.setgid(account.gid)
            os.setuid(account.uid)
        for pid in pids:
            with suppress(ProcessLookupError):
                most = resource.prlimit(pid, kind)[1]
                resource.prlimit(pid, kind, (most if size == resource.RLIM_INFINITY else size, most))
    except BaseException:  # noqa: BLE001  a forked process must not go on as a test run
        os._exit(1)
    os._exit(0)


@contextmanager
def _operator(world: World) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with psycopg.connect(world.server.conninfo(MAINTENANCE), autocommit=True) as connection:
        yield connection
