"""When a request that failed is sent again, and after which pause."""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from kibitz_client.calls import Call
from kibitz_client.problems import KibitzError, Unreachable, refusal, retry_after

BUSY = frozenset({429, 502, 503, 504})
_NOT_DONE = 429
"""The one status that surely means that nothing was done."""


@dataclass(frozen=True)
class Retries:
    """How long a request is repeated: `patience` seconds from its first failure, `math.inf` for ever, 0 not at all.

    The default outlasts the minute of a quota: a client that has used it up waits for the next one.
    Pauses double from `first` to `longest` seconds and are drawn by lot up to that; Retry-After goes before.
    `statuses` are repeated as well as broken connections. `notice` hears of each failure before its pause, and None
    once the service has answered after one.
    """

    patience: float = 75.0
    first: float = 0.2
    longest: float = 5.0
    statuses: frozenset[int] = BUSY
    notice: Callable[[KibitzError | None], None] | None = None


class Attempts:
    """The attempts at one call, or at one stretch of a stream."""

    def __init__(self, retries: Retries, call: Call, address: str) -> None:
        self._retries, self._call, self._address = retries, call, address
        self._pause, self._end = retries.first, math.inf

    def begin_anew(self) -> None:
        """Forget the failures: the service has answered."""
        if self._end < math.inf or self._pause > self._retries.first:
            self._pause, self._end = self._retries.first, math.inf
            if self._retries.notice is not None:
                self._retries.notice(None)

    def pause_after(self, failure: httpx.Response | httpx.TransportError) -> float:
        """Seconds until the next attempt; raises what the failure means if another one is not worth it."""
        if isinstance(failure, httpx.Response):
            error: KibitzError = refusal(failure)
            if failure.status_code not in self._retries.statuses:
                self.begin_anew()
                raise error
            surely_not_done, wish = failure.status_code == _NOT_DONE, retry_after(failure) or 0.0
        else:
            error = Unreachable(f"{self._address} does not answer: {str(failure) or type(failure).__name__}.")
            surely_not_done, wish = isinstance(failure, httpx.ConnectError | httpx.ConnectTimeout), 0.0
        now = time.monotonic()
        self._end = min(self._end, now + self._retries.patience)
        pause = max(wish, random.uniform(self._pause / 2, self._pause))
        if not (self._call.repeatable or surely_not_done) or now + pause > self._end:
            raise error
        self._pause = min(2 * self._pause, self._retries.longest)
        if self._retries.notice is not None:
            self._retries.notice(error)
        return pause
