"""Many games, judged in several processes; the results keep the order of the input."""

import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, NamedTuple

from psycopg import Connection

from service.cli.ending import Refusal
from service.cli.keys import codec, own_key_set
from service.cli.verifying.choosing import Placed
from service.cli.verifying.verdicts import Criteria, Judged, judge_game
from service.event_store.connections import connect
from service.keys.signing import JwkSet
from service.settings import Settings

_AHEAD = 4
"""Chunks queued per process, so that no process is idle."""


class Task(NamedTuple):
    """What every process is told at its start."""

    conninfo: str
    settings: Settings
    keys: JwkSet | None
    told: bool


class Swept(NamedTuple):
    """The verdicts on a chunk's games, and the log position that the sweep has reached."""

    judged: list[Judged]
    position: int


_connection: Connection[Any]
_by: Criteria


def sweep_chunks(chunks: Iterator[list[Placed]], task: Task, processes: int) -> Iterator[Swept]:
    """Every chunk, judged, in order; raises StoreUnavailable, or Refusal where a process was killed.

    A single chunk is judged here: another process would take longer to start than to judge it.
    """
    first = list(islice(chunks, 2))
    if processes == 1 or len(first) < 2:
        _prepare(task)
        yield from map(_judge, chain(first, chunks))
        return
    try:
        yield from _in_processes(chain(first, chunks), task, processes)
    except BrokenProcessPool:
        raise Refusal("A verifying process was killed; with --resume the next run goes on from here.") from None


def _in_processes(chunks: Iterator[list[Placed]], task: Task, processes: int) -> Iterator[Swept]:
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_prepare_process, initargs=(task,)) as pool:
        under_way: deque[Future[Swept]] = deque()
        try:
            for chunk in chunks:
                under_way.append(pool.submit(_judge, chunk))
                if len(under_way) >= _AHEAD * processes:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _prepare_process(task: Task) -> None:
    """Ctrl-C at the terminal is for the process that was asked to verify; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _prepare(task)


def _prepare(task: Task) -> None:
    global _connection, _by
    _connection = connect(task.conninfo, "verify")
    _by = Criteria(codec(task.settings), task.keys or own_key_set(task.settings), task.told)


def _judge(chunk: list[Placed]) -> Swept:
    return Swept([judge_game(_connection, game, _by) for _, game in chunk], chunk[-1][0])
