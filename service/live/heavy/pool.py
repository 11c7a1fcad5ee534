"""Heavy work: a few processes, a short queue before them, and a cache of results.

The event loop sends a module's function with its arguments and gets what it returns: bytes, if it is large.
Equal work under way is done once for all who wait for it.
"""

import asyncio
import pickle
from collections import Counter
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from cachetools import LRUCache

from service.live.heavy.process import NICENESS, SECONDS, Process
from service.live.heavy.stored import WEIGHT, size_of
from service.problems import Refused
from service.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")
QUEUE = 30
OF_ONE = 4
"""The most work of one sender at a time, so that nobody fills the queue alone."""
KEPT_BYTES = 32 * 2**20


class Heavy:
    """The processes, started when they are first needed and again after one has died."""

    def __init__(
        self, conninfo: str, settings: Settings, *, most: int = QUEUE, of_one: int = OF_ONE, niceness: int = NICENESS,
        seconds: float = SECONDS,
    ) -> None:  # fmt: skip
        self._processes = [Process(conninfo, settings, niceness, seconds) for _ in range(settings.heavy_processes)]
        self._idle = asyncio.LifoQueue[Process]()
        for process in self._processes:
            self._idle.put_nowait(process)
        self._long = asyncio.Semaphore(max(1, settings.heavy_processes - 1))
        self._most, self._of_one = most, of_one
        self._waiting = Counter[bytes]()
        self._under_way: dict[bytes, asyncio.Task[object]] = {}
        self._kept: LRUCache[bytes, bytes] = LRUCache(KEPT_BYTES, len)

    async def ask(self, who: bytes, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        """Run the work; raises what it raises, or Refused if the queue is full.

        `work` must be a module's function whose result depends on its arguments only.
        """
        key = pickle.dumps((work, given, named))
        if (kept := self._kept.get(key)) is not None:
            return cast(R, kept)
        if (task := self._under_way.get(key)) is None:
            if self._waiting[who] >= self._of_one or self._waiting.total() >= self._most:
                raise Refused("busy", "Much of this kind is asked for already; ask again soon.")
            task = self._begin(key, who, size_of(given) > WEIGHT)
        return cast(R, await asyncio.shield(task))

    def _begin(self, key: bytes, who: bytes, long: bool) -> "asyncio.Task[object]":
        self._waiting[who] += 1
        task = self._under_way[key] = asyncio.create_task(self._run_long(key) if long else self._run_work(key))

        def end(task: "asyncio.Task[object]") -> None:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]
            del self._under_way[key]
            if not task.cancelled() and task.exception() is None:
                result = task.result()
                if isinstance(result, bytes) and len(result) <= KEPT_BYTES // 4:
                    self._kept[key] = result

        task.add_done_callback(end)
        return task

    async def _run_long(self, key: bytes) -> object:
        """Run long work; one process stays free for short work, if there are several."""
        async with self._long:
            return await self._run_work(key)

    async def _run_work(self, key: bytes) -> object:
        process = await self._idle.get()
        try:
            return await process.ask(key)
        finally:
            self._idle.put_nowait(process)

    async def close(self) -> None:
        """Cancel all work, and end the processes."""
        under_way = list(self._under_way.values())
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        for process in self._processes:
            await process.end()
