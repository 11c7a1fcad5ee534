"""Clients who open a stream and never read, or are gone without a word: nobody else notices, and memory is bounded."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import psutil

from tests.faults.load import load
from tests.faults.test_silence import Watching
from tests.faults.world import World, installed, until

_STREAMS = 30
_MOST = 8_000_000
"""Bytes that so many clients who do not read may cost: a full buffer each, some 70 kB, and what else happens."""


@contextmanager
def deaf(world: World, game: str, number: int) -> Iterator[list[socket.socket]]:
    """Clients that ask for the game's stream from its beginning, and never read a byte of it."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(("127.0.0.1", world.port))
            one.sendall(f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: kibitz\r\n\r\n".encode())
        yield sockets


def test_clients_who_never_read_cost_bounded_memory_and_nobody_elses_time(data_folder: Path) -> None:
    with installed(data_folder, KIBITZ_CLIENT_SILENCE="5") as world:
        ada = Watching(world)
        game = ada.games[0]
        with load(world, clients=2) as running:
            running.grow(20)
            assert world.api.process is not None
            process = psutil.Process(world.api.process.pid)
            with deaf(world, game, _STREAMS) as sockets:
                until(lambda: streams(world, sockets) == _STREAMS, "every stream is open")
                before = process.memory_info().rss
                said(ada, game, 240)
                grown = process.memory_info().rss - before
                running.grow(20)
                assert grown < _MOST, f"{grown} bytes for {_STREAMS} clients who do not read"
                until(lambda: streams(world, sockets) == 0, "who takes nothing is cut off")


def said(ada: Watching, game: str, commands: int) -> None:
    """So many steps in the game, each of which every stream is to tell."""
    listed = ada.answered("GET", f"/v1/games/{game}/legal-commands").json()["commands"]
    draw = next(one for one in listed if one["type"] in ("klondike/draw", "klondike/recycle"))
    for _ in range(commands):
        key = {"idempotency-key": str(uuid4())}
        answer = ada.answered("POST", f"/v1/games/{game}/commands", json=draw, headers=key)
        if answer.status_code == 409:
            draw = {"type": "klondike/recycle" if draw["type"] == "klondike/draw" else "klondike/draw"}
            continue
        assert answer.status_code == 200, answer.text


def streams(world: World, sockets: list[socket.socket]) -> int:
    """How many of these connections the API still has."""
    assert world.api.process is not None
    ours = {one.getsockname()[1] for one in sockets}
    held = psutil.Process(world.api.process.pid).net_connections("tcp")
    return sum(1 for one in held if one.status == psutil.CONN_ESTABLISHED and one.raddr.port in ours)
