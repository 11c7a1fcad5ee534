"""A wire to PostgreSQL that can be cut at the worst moment: after the commit, before its answer."""

import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from psycopg.conninfo import conninfo_to_dict, make_conninfo


class Wire:
    """Forwards every connection. Once `armed`, the next answer to a COMMIT is not delivered and its wire is cut."""

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
                for forward, pair in ((self._forward, (near, far)), (self._answer, (far, near))):
                    Thread(target=forward, args=pair, daemon=True).start()

    def _answer(self, source: socket.socket, target: socket.socket) -> None:
        self._forward(source, target, self._cut)

    def _forward(
        self, source: socket.socket, target: socket.socket, cut: Callable[[bytes], bool] = lambda data: False
    ) -> None:
        with suppress(OSError):
            while (data := source.recv(65_536)) and not cut(data):
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _cut(self, data: bytes) -> bool:
        cut = self.armed.is_set() and b"COMMIT\0" in data
        if cut:
            self.armed.clear()
        return cut


@contextmanager
def wire(conninfo: str) -> Iterator[Wire]:
    """Such a wire for the length of a `with` block."""
    with tempfile.TemporaryDirectory(prefix="kibitz-wire-") as folder:
        laid = Wire(Path(folder), conninfo)
        yield laid
        laid.close()
