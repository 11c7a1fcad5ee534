"""How the worker waits between two looks at the log."""

import threading
from time import monotonic
from typing import Any

from psycopg import Connection

from service.event_store.writing.rows import CHANNEL

_GATHERING, _LONGEST = 0.05, 0.25  # seconds between looks while the log grows: longer while it does not stop
_SLICE = 0.1  # seconds between looks at the stop flag


class Waiting:
    """Between two looks at the log: shortly while it grows, deaf to what tells of every commit; else until it does."""

    def __init__(self, connection: Connection[Any], stopping: threading.Event, poll: float) -> None:
        self._connection, self._stopping, self._poll = connection, stopping, poll
        self._listening, self._pause = False, _GATHERING

    def rest(self, grown: bool) -> None:
        """Return when it is worth a look, `poll` has passed or the worker is stopped."""
        if grown:
            self._gather()
        elif not self._listening:
            self._listen(True)  # and look again: what was committed before has told nobody
        else:
            self._hear()

    def _gather(self) -> None:
        if self._listening:
            self._listen(False)
        self._stopping.wait(self._pause)
        self._pause = min(2 * self._pause, _LONGEST)

    def _listen(self, listening: bool) -> None:
        self._connection.execute(f"{'LISTEN' if listening else 'UNLISTEN'} {CHANNEL}".encode())
        self._listening, self._pause = listening, _GATHERING

    def _hear(self) -> None:
        until = monotonic() + self._poll
        while monotonic() < until and not self._stopping.is_set():
            if list(self._connection.notifies(timeout=_SLICE, stop_after=1)):
                return
