"""A wire between client and service that can drop an answer, be cut, and lead to another service."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit


class Between:
    """Forwards every connection to `target`. `drop`: so many answers to requests for `path` are not delivered.

    An answer that is dropped has been made in full: what was asked is done, and the client does not hear of it.
    """

    def __init__(self, target: str) -> None:
        self.target, self.path, self.drop = target, b"", 0
        self.heads: list[bytes] = []
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Break every connection there is."""
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def keys(self) -> list[bytes]:
        """The idempotency keys of the requests for `path`."""
        lines = [line for head in self.heads if self.path in head.split(b"\r\n")[0] for line in head.split(b"\r\n")]
        return [line.split(b": ")[1] for line in lines if line.lower().startswith(b"idempotency-key")]

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                host = urlsplit(self.target)
                try:
                    far = socket.create_connection((host.hostname, host.port), timeout=5)
                except OSError:
                    near.close()
                    continue
                far.settimeout(None)
                self._ends += [near, far]
                about = [b""]
                Thread(target=self._ask, args=(near, far, about), daemon=True).start()
                Thread(target=self._answer, args=(far, near, about), daemon=True).start()

    def _ask(self, near: socket.socket, far: socket.socket, about: list[bytes]) -> None:
        with suppress(OSError):
            while data := near.recv(65_536):
                if b" HTTP/1.1" in (first := data.split(b"\r\n")[0]):  # or it is a body
                    about[0] = first
                    self.heads.append(data)
                far.sendall(data)
        _close(near, far)

    def _answer(self, far: socket.socket, near: socket.socket, about: list[bytes]) -> None:
        with suppress(OSError):
            while data := far.recv(65_536):
                if self.drop and self.path in about[0]:
                    self.drop -= 1
                    break
                near.sendall(data)
        _close(near, far)


def _close(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def between(target: str) -> Iterator[Between]:
    """Such a wire for the length of a `with` block."""
    laid = Between(target)
    try:
        yield laid
    finally:
        laid.close()
