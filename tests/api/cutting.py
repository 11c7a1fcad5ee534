"""A wire to PostgreSQL that can be cut at the worst moment: after the commit, before its answer."""

import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from psycopg.conninfo import conninfo_to_dict, make_conninfo

_READY = b"Z\0\0\0\x05I"  # ReadyForQuery, in no transaction


class Wire:
    """Forwards every connection. Once `armed`, the answer to the next append is not delivered and its wire is cut."""

    def __init__(self, folder: Path, conninfo: str) -> None:
        there: dict[str, Any] = conninfo_to_dict(conninfo)
        self._there = f"{there['host']}/.s.PGSQL.{there['port']}"
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{folder}/.s.PGSQL.{there['port']}")
        self._listener.listen()
        self.conninfo = make_conninfo(**{**there, "host": str(folder)})
        self.armed = Event()
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._there)
                append = Event()
                Thread(target=self._forward, args=(near, far, self._noting(append)), daemon=True).start()
                Thread(target=self._forward, args=(far, near, self._cutting(append)), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket, cut: Callable[[bytes], bool]) -> None:
        with suppress(OSError):
            while (data := source.recv(65_536)) and not cut(data):
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _noting(self, append: Event) -> Callable[[bytes], bool]:
        """Never cuts; takes note of an append, which only prepared statements are."""

        def note(data: bytes) -> bool:
            if self.armed.is_set() and b"kibitz_" in data:
                append.set()
            return False

        return note

    def _cutting(self, append: Event) -> Callable[[bytes], bool]:
        """Cuts where the answer to an append ends: the transaction is committed by then."""

        def cut(data: bytes) -> bool:
            over = append.is_set() and data.endswith(_READY)
            if over:
                self.armed.clear()
            return over

        return cut


@contextmanager
def wire(conninfo: str) -> Iterator[Wire]:
    """Such a wire for the length of a `with` block."""
    with tempfile.TemporaryDirectory(prefix="kibitz-wire-") as folder:
        laid = Wire(Path(folder), conninfo)
        yield laid
        laid.close()
