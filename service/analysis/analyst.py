"""Analysing what was asked for: a thread beside the worker, one game at a time, each in a process of its own.

A lease in the queue is renewed while the process searches, and each verdict is noted there: of a worker that dies, or a
process that is killed, nothing is lost but the verdict in hand.
"""

from collections.abc import Iterator
from functools import partial
from time import monotonic
from typing import Any

import msgspec
import structlog
from psycopg import Connection

from service.analysis import queue
from service.analysis.queue import Line, Task
from service.event_store.reading import read_head
from service.settings import Settings
from service.workers.connected_thread import POLL, ConnectedThread
from service.workers.searching import Child, read_lines, started

_RENEW = 5.0  # seconds between renewals of a lease
_NICENESS = 10
_TRIES = 3
"""After so many processes that failed the answer is what was found until then."""
_log = structlog.get_logger("analysis")


class Analyst(ConnectedThread):
    """Analyses the games of one database's queue."""

    def __init__(self, conninfo: str, settings: Settings) -> None:
        super().__init__(conninfo, "analyses")
        self._settings = settings

    def _work(self, connection: Connection[Any]) -> None:
        while not self._stopping.is_set():
            if (leased := queue.lease(connection)) is None:
                self._stopping.wait(POLL)
            else:
                self._analyse(connection, leased)

    def _analyse(self, connection: Connection[Any], leased: queue.Leased) -> None:
        search, found = leased.attempts <= _TRIES, list(leased.found)
        task = Task(self._conninfo, self._settings, leased.ref, leased.bound, found, search)
        with started("service.analysis", task, min(_NICENESS, self._settings.search_niceness)) as child:
            for line in self._lines(connection, leased, child):
                if line.found is not None:
                    found.append(line.found)
                    queue.note(connection, leased, found, line.expected)
                elif line.report is not None:
                    queue.keep(connection, leased, msgspec.json.encode(line.report))
                    return
        if self._stopping.is_set():
            queue.give_back(connection, leased, tried=False)
        elif search:
            queue.give_back(connection, leased, tried=True)
        else:
            _log.warning("no analysis", game=str(leased.ref.game))
            queue.drop(connection, leased)

    def _lines(self, connection: Connection[Any], leased: queue.Leased, child: Child) -> Iterator[Line]:
        """What the process writes, until it ends, the lease is lost, or we are to stop."""
        renewed = monotonic()
        for line in read_lines(child, Line, partial(read_head, connection)):
            if line is not None:
                yield line
            if monotonic() - renewed > _RENEW:
                renewed = monotonic()
                if not queue.renew(connection, leased):
                    return
            if self._stopping.is_set():
                return
