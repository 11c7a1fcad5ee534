"""One program for each HTTP client that other languages bring, and a wire that counts its connections."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import httpx

from tests.debian import program

_HERE = Path(__file__).parent
_PATIENCE = 240.0
COLUMNS = ("registers", "opens", "plays", "streams", "keeps alive")
Cells = dict[str, str]
"""Column -> `yes`, or what went wrong."""


class Client(NamedTuple):
    """A client: its file, Debian's packages, the program's names, its arguments, and the most connections it needs."""

    name: str
    file: str
    package: str
    names: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    connections: int = 1


CLIENTS = (
    Client("curl --http2", "play.sh", "curl", ("curl",), connections=4),  # a process for each step
    Client("Perl, HTTP::Tiny", "play.pl", "perl", ("perl",)),
    Client("Ruby, Net::HTTP", "play.rb", "ruby", ("ruby",)),
    Client("PHP, curl", "play.php", "php-cli php-curl", ("php",)),
    Client("Go, net/http", "play.go", "golang-go", ("go",), ("run",)),
    Client("Java, HttpClient", "Play.java", "default-jdk-headless", ("java",)),
)


def cells_of(client: Client, server: str) -> Cells:
    """Run the program against the server; what it did, as the server knows it."""
    path = program(client.package, client.names)
    with counting_wire(httpx.URL(server).port or 0) as (port, accepted):
        command = ["sh", *client.arguments] if client.file.endswith(".sh") else [path, *client.arguments]
        done = subprocess.run(
            [*command, str(_HERE / client.file), f"http://127.0.0.1:{port}"],
            capture_output=True, text=True, timeout=_PATIENCE, check=False,
        )  # fmt: skip
    game, _, frames = done.stdout.strip().partition(" ")
    answer = httpx.get(f"{server}/v1/games/{game}") if game else None
    if done.returncode or answer is None or answer.status_code != 200:
        return dict.fromkeys(COLUMNS, done.stdout + done.stderr or f"it ended with {done.returncode}")
    moves, reused = answer.json()["step"], len(accepted) <= client.connections
    return {
        "registers": "yes",
        "opens": "yes",
        "plays": "yes" if moves == 3 else f"{moves} of 3 moves",
        "streams": "yes" if frames == "4" else f"{frames} of 4 frames",
        "keeps alive": "yes" if reused else f"{len(accepted)} connections",
    }


@contextmanager
def counting_wire(port: int) -> Iterator[tuple[int, list[socket.socket]]]:
    """Forwards to this port of the loopback: its own port, and the connections that it has accepted."""
    accepted = list[socket.socket]()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=_accept, args=(listener, port, accepted), daemon=True).start()
        try:
            yield listener.getsockname()[1], accepted
        finally:
            listener.shutdown(socket.SHUT_RDWR)


def _accept(listener: socket.socket, port: int, accepted: list[socket.socket]) -> None:
    with suppress(OSError):
        while True:
            near, far = listener.accept()[0], socket.create_connection(("127.0.0.1", port))
            accepted.append(near)
            for source, target in ((near, far), (far, near)):
                Thread(target=_forward, args=(source, target), daemon=True).start()


def _forward(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
