"""A connection to one world: requests as bytes, answers compared without a client's own reading of their headers."""

import socket
from typing import NamedTuple

from httptools import HttpResponseParser

_PATIENCE = 240.0


class Answer(NamedTuple):
    """All of an answer but its Date."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


class Link:
    """A connection, opened when a request is sent and again after an answer that ended it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None

    def send(self, method: str, path: str, headers: dict[str, str], body: bytes | None = None) -> None:
        """Send a request without waiting for its answer."""
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), _PATIENCE)
        fields = headers if method == "GET" and body is None else {**headers, "Content-Length": str(len(body or b""))}
        head = "".join([f"{method} {path} HTTP/1.1\r\n", *(f"{name}: {value}\r\n" for name, value in fields.items())])
        self._socket.sendall(head.encode() + b"\r\n" + (body or b""))

    def receive(self) -> Answer:
        """The answer to the last request."""
        assert self._socket is not None
        reading = _Reading()
        parser = HttpResponseParser(reading)
        while not reading.complete:
            part = self._socket.recv(1 << 18)
            assert part, (reading.headers, reading.body)
            parser.feed_data(part)
        if not parser.should_keep_alive():
            self.close()
        return Answer(parser.get_status_code(), tuple(reading.headers), bytes(reading.body))

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


class _Reading:
    """What the parser has read of an answer."""

    def __init__(self) -> None:
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = bytearray()
        self.complete = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() != b"date":
            self.headers.append((name, value))

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.complete = True
