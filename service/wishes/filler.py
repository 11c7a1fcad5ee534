"""Filling the stock: a thread beside the worker, one process of the lowest priority at a time, and long rests."""

import os
import selectors
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

import msgspec
from psycopg import Connection, Error

from domain.play.events import DealLevel
from service.event_store.connections import open_connection
from service.event_store.errors import StoreUnavailable
from service.keys.sealing import Seals
from service.settings import Settings
from service.solving.levels import level_of
from service.telemetry.background import start_thread
from service.wishes import stock
from service.wishes.stock import Proven, Shelf

_COMMAND = "service.wishes"
_LOCK = 0x776973686573  # "wishes": an advisory lock: one worker fills the stock
_LOOK = 1.0  # seconds between two looks at what is lacking
_SLICE = 5
"""Seconds of processor time of one process."""
_REST = 3
"""Rests so many times as long as it worked: a quarter of one core at most, and that behind everything else."""
_FRUITLESS = 600.0
"""Seconds in which a shelf is left alone once a process found nothing that it lacks."""
_SILENCE = 0.25  # seconds


class Filler:
    """Fills the stock of one database, in a thread."""

    def __init__(self, conninfo: str, seals: Seals, settings: Settings) -> None:
        self._conninfo, self._seals, self._most = conninfo, seals, settings.certified_deals
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._not_before: dict[Shelf, float] = {}

    def start(self) -> None:
        """Run in a thread of this process; without a stock to fill there is none."""
        if self._most:
            self._thread = start_thread(self._run, "wishes")

    def stop(self) -> None:
        """Stop; what was found is kept."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        """Work until stopped; reconnects after errors."""
        while not self._stopping.is_set():
            with suppress(Error, StoreUnavailable), open_connection(self._conninfo, "wishes") as connection:
                self._work(connection)
            self._stopping.wait(_LOOK)

    def _work(self, connection: Connection[Any]) -> None:
        while not _try_lock(connection):
            if self._stopping.wait(_LOOK):
                return
        while not self._stopping.is_set():
            began = monotonic()
            self._fill_next(connection)
            self._stopping.wait(max(_LOOK, _REST * (monotonic() - began)))

    def _fill_next(self, connection: Connection[Any]) -> None:
        """Work for the shelf that has waited longest of those that lack something."""
        if not self._seals.ids:  # nothing is stored in the clear
            return
        lacks = stock.lacking(connection, self._most)
        self._not_before = {shelf: at for shelf, at in self._not_before.items() if shelf in lacks}
        shelf = min(lacks, key=lambda shelf: self._not_before.get(shelf, 0.0), default=None)
        if shelf is not None and self._not_before.get(shelf, 0.0) <= monotonic():
            found = self._fill(connection, shelf, lacks[shelf])
            self._not_before[shelf] = monotonic() + (0.0 if found else _FRUITLESS)

    def _fill(self, connection: Connection[Any], shelf: Shelf, lacks: dict[DealLevel, int]) -> int:
        """Put on the shelf what a process finds, until nothing is lacking; how many deals."""
        found = 0
        with _started(shelf) as child:
            for proven in self._read(child):
                level = level_of(shelf.key, proven.positions)
                if lacks.get(level, 0) > 0:
                    stock.put(connection, self._seals, shelf, proven)
                    lacks[level], found = lacks[level] - 1, found + 1
                if not any(lacks.values()):
                    break
        return found

    def _read(self, child: "subprocess.Popen[bytes]") -> Iterator[Proven]:
        """What the process finds, until it ends or we are to stop."""
        stdout: Any = child.stdout
        rest = b""
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            while not self._stopping.is_set():
                if not selector.select(_SILENCE):
                    continue
                if not (text := os.read(stdout.fileno(), 65_536)):
                    return
                *whole, rest = (rest + text).split(b"\n")
                yield from (msgspec.json.decode(line, type=Proven) for line in whole)


@contextmanager
def _started(shelf: Shelf) -> Iterator["subprocess.Popen[bytes]"]:
    """The process, in a session of its own, so that Ctrl-C is not for it; killed at the end."""
    command = [sys.executable, "-m", _COMMAND, shelf.key, shelf.options, str(_SLICE)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True, env=environment
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def _try_lock(connection: Connection[Any]) -> bool:
    row = connection.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK]).fetchone()
    return bool(row and row[0])
