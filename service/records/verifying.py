"""What makes games of records and commands, beside the event loop: one at a time, a few in a queue, more are refused.

Its results are values that the event loop stores; what is only told is made by `service.heavy`, in another process.
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
"""More threads would not do more, for they share one interpreter, but would make every request wait longer."""


class Verifiers:
    """A thread that works through what is asked for."""

    def __init__(self, at_once: int = AT_ONCE, queue: int = QUEUE) -> None:
        self._threads = ThreadPoolExecutor(at_once, "verifying")
        self._most = at_once + queue
        self._under_way = 0

    async def ask(self, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        """What the work returns; raises what it raises, or Refused if too much is asked for already."""
        if self._under_way >= self._most:
            raise Refused("busy", "Much of this kind is asked for already; ask again soon.")
        self._under_way += 1
        try:
            return await asyncio.wrap_future(self._threads.submit(work, *given, **named))
        finally:
            self._under_way -= 1

    def close(self) -> None:
        """Nothing more is begun; what is under way ends by itself."""
        self._threads.shutdown(wait=False, cancel_futures=True)
