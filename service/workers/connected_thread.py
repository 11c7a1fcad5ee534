"""A thread beside the worker, with a connection of its own."""

import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Any

from psycopg import Connection, Error

from service.event_store.connections import left_once_replaced, open_connection
from service.event_store.errors import StoreUnavailable
from service.telemetry.background import start_thread

POLL = 0.5  # seconds between looks for what is due, and at the stop flag


class ConnectedThread(ABC):
    """Works until it is stopped, and connects again after errors; what it had in hand is for whoever comes next."""

    def __init__(self, conninfo: str, name: str) -> None:
        self._conninfo, self._name = conninfo, name
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Run in a thread of this process."""
        self._thread = start_thread(self._run, self._name)

    def stop(self) -> None:
        """Stop, and wait for the end."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            with (
                suppress(Error, StoreUnavailable),
                open_connection(self._conninfo, self._name) as connection,
                left_once_replaced(connection, self._conninfo),
            ):
                self._work(connection)
            self._stopping.wait(POLL)

    @abstractmethod
    def _work(self, connection: Connection[Any]) -> None:
        """Work on this connection until stopped."""

    def _lead(self, connection: Connection[Any], lock: int) -> bool:
        """Wait for this advisory lock, by which one worker of a database works; False: we are to stop."""
        while not self._stopping.is_set():
            row = connection.execute("SELECT pg_try_advisory_lock(%s)", [lock]).fetchone()
            if row and row[0]:
                return True
            self._stopping.wait(POLL)
        return False
