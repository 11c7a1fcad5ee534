"""Shortages: no files, no memory and no processes are left, for the processes that serve or for PostgreSQL.

A full process table (RLIMIT_NPROC) does not hold root: it is made for PostgreSQL, which has an account of its own.
"""

import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from . import faults
from .world import World

_ROOM = 4_000_000
"""Bytes of addresses that a process without memory may still take."""


@contextmanager
def few_files(pid: int, room: int) -> Iterator[None]:
    """The process may open so many more files; to start another one takes half a dozen."""
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    taken = {int(link.name) for link in Path(f"/proc/{pid}/fd").iterdir()}
    free = [number for number in range(max(taken) + 2 + room) if number not in taken]
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (min(free[room], before[0]), before[1]))
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, before)


@contextmanager
def no_child_can_be_started(world: World) -> Iterator[None]:
    """Whoever starts the API's processes has no file left for it (EMFILE)."""
    world.did("no file left to start processes (EMFILE)")
    with few_files(parent(world).pid, 3):
        yield


@contextmanager
def nobody_can_be_accepted(world: World) -> Iterator[None]:
    """One of the processes that answer has no file left for another connection (EMFILE)."""
    world.did("no file left for connections (EMFILE)")
    answering = children(world)[-1:]
    with suppress(ProcessLookupError, FileNotFoundError):
        with few_files(answering[0].pid if answering else parent(world).pid, 0):
            yield
        return
    yield


@contextmanager
def no_memory(world: World) -> Iterator[None]:
    """Whoever starts the API's processes, and all that it starts, get no memory (ENOMEM)."""
    world.did("no memory left to start processes (ENOMEM)")
    process = parent(world)
    process.rlimit(resource.RLIMIT_AS, (process.memory_info().vms + _ROOM, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        _free_memory([process, *children(world)])


def _free_memory(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.rlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@contextmanager
def no_backend_can_be_started(world: World) -> Iterator[None]:
    """PostgreSQL's account has all the processes that it may have (EAGAIN), and every connection was cut."""
    world.did("no process left for PostgreSQL (EAGAIN)")
    postmaster = [psutil.Process(world.server.pid)]
    faults.limit(world, postmaster, resource.RLIMIT_NPROC, 1)
    try:
        with suppress(psutil.NoSuchProcess):
            for backend in world.backends()[:-1]:
                if "kibitz" in " ".join(backend.cmdline()):
                    backend.terminate()
        yield
    finally:
        with suppress(psutil.NoSuchProcess):
            faults.limit(world, postmaster, resource.RLIMIT_NPROC, resource.RLIM_INFINITY)


def parent(world: World) -> psutil.Process:
    """The process that was started, and may have started others."""
    assert world.api.process is not None
    return psutil.Process(world.api.process.pid)


def children(world: World) -> list[psutil.Process]:
    """The processes that it has started."""
    with suppress(psutil.NoSuchProcess):
        return [one for one in parent(world).children() if one.status() != psutil.STATUS_ZOMBIE]
    return []
