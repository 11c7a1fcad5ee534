"""Child processes as the event loop sees them: one process, and a pool with a short queue and a cache of results.

A frame is a pickled value behind its length. The first frame that a child reads is a `Start`, each further one a `Job`.
It answers ("done", result) or ("raised", error); before, it may send what it has found so far as ("note", value).
"""

import asyncio
import os
import pickle
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple, ParamSpec, TypeVar, cast

from cachetools import LRUCache

from service.jobs.stored_games import EVENTS_PER_REQUEST, count_events, prepare
from service.problems import Refused
from service.settings import Settings
from service.telemetry import logs

P = ParamSpec("P")
R = TypeVar("R")
Job = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
"""A module's function with its arguments."""
LENGTH = 8
"""Bytes of the length before a frame's text."""
_SECONDS = 60.0  # of a processor for one job: the longest record takes less
_PATIENCE = 600.0  # seconds; where other programs keep every core busy, work takes many times its processor time
QUEUE = 30
OF_ONE = 4
"""The most jobs of one sender at a time, so that no sender fills the queue alone."""
CACHED_BYTES = 32 * 2**20


class Start(NamedTuple):
    """How a child works. `niceness`: how far it gives way, 0 to 19; `is_search`: also as a session and on idle cores.

    `seconds`: of a processor for one job, 0 without a bound. `setup`: the job that runs before all others.
    """

    niceness: int
    is_search: bool = False
    seconds: float = 0.0
    setup: Job | None = None


def request_start(conninfo: str, settings: Settings, niceness: int = 5, seconds: float = _SECONDS) -> Start:
    """The start of a child for jobs of requests, which may read stored games."""
    return Start(min(niceness, settings.search_niceness), False, seconds, (_set_up, (conninfo, settings), {}))


def _set_up(conninfo: str, settings: Settings) -> None:
    logs.configure(settings.log_level, settings.log_format, settings.log_gathering)
    prepare(conninfo, settings)


def to_frame(value: object) -> bytes:
    """The frame of this value."""
    text = pickle.dumps(value)
    return len(text).to_bytes(LENGTH, "big") + text


_output: BinaryIO


def take_output() -> None:
    """In a child: send frames to standard output; prints go to stderr from now on."""
    global _output
    _output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)


def write(frame: bytes) -> None:
    """In a child: send this frame to the parent."""
    _output.write(frame)
    _output.flush()


def write_note(value: object) -> None:
    """In a job: send the parent what it has found so far."""
    write(to_frame(("note", value)))


def command_of(name: str) -> tuple[list[str], dict[str, str]]:
    """The command line and the environment of a child process; `name` tells its use in a list of processes."""
    path = os.pathsep.join(filter(None, sys.path))
    return [sys.executable, "-m", "service.jobs", name], {**os.environ, "PYTHONPATH": path}


class Process:
    """A child process, started with the first job, and again with the next one after it died; one job at a time."""

    def __init__(self, name: str, start: Start) -> None:
        self._name, self._start = name, start
        self._child: asyncio.subprocess.Process | None = None

    async def ask(self, job: bytes) -> object:
        """Run this pickled job; raises what it raises, or Refused where the process died or took too long."""
        try:
            async with asyncio.timeout(_PATIENCE):
                outcome, value = pickle.loads(await self._answer(job))
        except (OSError, EOFError, TimeoutError):
            await self.end()
            raise Refused("busy", "This took too long or too much; ask again later.") from None
        except asyncio.CancelledError:
            await self.end()  # no reader is left for its answer
            raise
        if outcome == "raised":
            raise value
        return value

    async def start(self) -> None:
        """Start the child unless it runs; raises OSError where the system has no process for it."""
        if self._child is not None and self._child.returncode is None:
            return
        await self.end()
        (program, *words), environment = command_of(self._name)
        pipe = asyncio.subprocess.PIPE
        self._child = await asyncio.create_subprocess_exec(program, *words, stdin=pipe, stdout=pipe, env=environment)
        stdin: Any = self._child.stdin
        stdin.write(to_frame(self._start))

    async def _answer(self, job: bytes) -> bytes:
        await self.start()
        child: Any = self._child
        child.stdin.write(len(job).to_bytes(LENGTH, "big"))
        child.stdin.write(job)
        await child.stdin.drain()
        stdout: Any = child.stdout
        answer: bytes = await stdout.readexactly(int.from_bytes(await stdout.readexactly(LENGTH), "big"))
        return answer

    async def end(self) -> None:
        """Kill the process and wait for its end."""
        child, self._child = self._child, None
        if child is not None:
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()


class WorkerPool:
    """A few child processes, and a short queue before them. Equal jobs under way run once for all who wait for them."""

    def __init__(
        self, conninfo: str, settings: Settings, *, name: str = "requests", most: int = QUEUE, of_one: int = OF_ONE,
        niceness: int = 5, seconds: float = _SECONDS,
    ) -> None:  # fmt: skip
        start = request_start(conninfo, settings, niceness, seconds)
        self._processes = [Process(name, start) for _ in range(settings.heavy_processes)]
        self._idle = asyncio.LifoQueue[Process]()
        for process in self._processes:
            self._idle.put_nowait(process)
        self._long = asyncio.Semaphore(max(1, settings.heavy_processes - 1))
        self._most, self._of_one = most, of_one
        self._waiting = Counter[bytes]()
        self._under_way: dict[bytes, asyncio.Task[object]] = {}
        self._cache: LRUCache[bytes, bytes] = LRUCache(CACHED_BYTES, len)

    async def ask(self, sender: bytes, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the work; raises what it raises, or Refused if the queue is full.

        `work` must be a module's function whose result depends on its arguments only.
        """
        key = pickle.dumps((work, args, kwargs))
        if (cached := self._cache.get(key)) is not None:
            return cast(R, cached)
        if (task := self._under_way.get(key)) is None:
            if self._waiting[sender] >= self._of_one or self._waiting.total() >= self._most:
                raise Refused("busy", "Much of this kind is asked for already; ask again soon.")
            task = self._begin(key, sender, count_events(args) > EVENTS_PER_REQUEST)
        return cast(R, await asyncio.shield(task))

    def _begin(self, key: bytes, sender: bytes, is_long: bool) -> "asyncio.Task[object]":
        self._waiting[sender] += 1
        task = self._under_way[key] = asyncio.create_task(self._run_long(key) if is_long else self._run(key))

        def end(task: "asyncio.Task[object]") -> None:
            self._waiting[sender] -= 1
            if not self._waiting[sender]:
                del self._waiting[sender]
            del self._under_way[key]
            if not task.cancelled() and task.exception() is None:
                result = task.result()
                if isinstance(result, bytes) and len(result) <= CACHED_BYTES // 4:
                    self._cache[key] = result

        task.add_done_callback(end)
        return task

    async def _run_long(self, key: bytes) -> object:
        """Run a long job; one process stays free for short jobs, if there are several."""
        async with self._long:
            return await self._run(key)

    async def _run(self, key: bytes) -> object:
        process = await self._idle.get()
        try:
            return await process.ask(key)
        finally:
            self._idle.put_nowait(process)

    async def close(self) -> None:
        """Cancel all jobs, and end the processes."""
        under_way = list(self._under_way.values())
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        for process in self._processes:
            await process.end()


@dataclass(frozen=True)
class JobParts:
    """The pools of child processes that requests wait for: one for long work, one for hints."""

    heavy: WorkerPool
    hints: WorkerPool
