"""A thread that makes games from records and commands: one at a time, a few in a queue, more are refused.

Its results are for the event loop to store; results that are only sent are made by `service.heavy`, in a process.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from service.problems import Refused

P = ParamSpec("P")
R = TypeVar("R")
AT_ONCE = 1
QUEUE = 30
"""More threads would do no more work, since they share one interpreter, and each request would take longer."""


class Verifiers:
    """A thread that works through the requests."""

    def __init__(self, at_once: int = AT_ONCE, queue: int = QUEUE) -> None:
        self._threads = ThreadPoolExecutor(at_once, "verifying")
        self._most = at_once + queue
        self._under_way = 0

    async def ask(self, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        """The result of the work; raises what it raises, or Refused if the queue is full."""
        if self._under_way >= self._most:
            raise Refused("busy", "Much of this kind is asked for already; ask again soon.")
        self._under_way += 1
        try:
            return await asyncio.wrap_future(self._threads.submit(work, *given, **named))
        finally:
            self._under_way -= 1

    def close(self) -> None:
        """Cancel the queue; work under way ends by itself."""
        self._threads.shutdown(wait=False, cancel_futures=True)
