"""Bare sockets: clients that say what no HTTP library would."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from urllib.parse import urlsplit

from .serving import Service

GENEROUS = 60.0
HEAD = b"GET /livez HTTP/1.1\r\nhost: here\r\n"


@contextmanager
def connected(service: Service, count: int = 1) -> Iterator[list[socket.socket]]:
    """So many connections to this server."""
    url = urlsplit(service.url)
    connections = [socket.create_connection((url.hostname, url.port), GENEROUS) for _ in range(count)]
    try:
        yield connections
    finally:
        for connection in connections:
            connection.close()


def everything(connection: socket.socket) -> bytes:
    """What comes until the server closes the connection; it must."""
    until, heard = monotonic() + GENEROUS, b""
    while True:
        assert monotonic() < until, heard
        try:
            piece = connection.recv(65_536)
        except ConnectionResetError:
            return heard
        if not piece:
            return heard
        heard += piece


def answers(several: list[socket.socket], request: bytes) -> list[bytes]:
    """The answers to this request on each; all are asked before one is read, for who is refused has not long to ask."""
    for connection in several:
        connection.sendall(request)
    return [answer(connection) for connection in several]


def answer(connection: socket.socket) -> bytes:
    """One answer with a Content-Length, on a connection that stays."""
    heard = b""
    while not _whole(heard):
        piece = connection.recv(65_536)
        assert piece, heard
        heard += piece
    return heard


def _whole(heard: bytes) -> bool:
    head, ended, body = heard.partition(b"\r\n\r\n")
    lengths = [line.partition(b":")[2] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return bool(ended) and len(body) >= (int(lengths[0]) if lengths else 0)


def status(heard: bytes) -> int:
    """The status of an answer."""
    return int(heard.split(b" ", 2)[1])
