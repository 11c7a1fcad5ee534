"""What a player sees of a full disk, of a clock that goes back, and of clients who open a stream and never read."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
import psycopg

from tests.api.bursts import command
from tests.faults import faults
from tests.faults.judge import judge
from tests.faults.load import load
from tests.faults.test_silence import Watching
from tests.faults.world import World, installed, until

_PADDING = """
INSERT INTO idempotency_keys
SELECT gen_random_uuid(), 'padding', gen_random_uuid(), repeat('x', 200), repeat('x', 1000)::bytea,
       gen_random_uuid(), 1, 1
FROM generate_series(1, %s)
"""


def test_while_the_disk_is_full_commands_are_refused_whole_and_afterwards_all_is_well(data_folder: Path) -> None:
    with installed(data_folder, small_segments=True) as world:
        ada = Watching(world)
        size = padded(world)
        with load(world, clients=2) as running:
            running.grow(20)
            with faults.full(world, size):
                refused = until_refused(ada)
                looked = ada.http.get(f"/v1/games/{ada.games[1]}")
                assert looked.status_code == 200, "what is there can be looked at"
                until(lambda: "written" in told(ada, "/readyz").get("detail", ""), "it says that it cannot write")
                assert ada.http.get("/readyz?only=store").status_code == 200
            until(world.ready, "it says by itself that it can write again")
            until(lambda: ada.say(*refused).status_code == 200, "there is room again")
            running.grow(20)
        judge(world, others=set(ada.games)).hold()


def told(ada: Watching, path: str) -> dict[str, Any]:
    """What is answered here, as JSON."""
    answer: dict[str, Any] = ada.http.get(path).json()
    return answer


def until_refused(ada: Watching) -> tuple[str, str, Any]:
    """The first command that is refused: the pages that are there already have room for some hundreds."""
    for number in range(10_000):
        said = (ada.games[0], f"full {number}", command(number))
        if (answer := ada.say(*said)).status_code == 503:
            return said
        assert answer.status_code == 200, answer.text
    raise AssertionError("the disk is never full")


def padded(world: World) -> int:
    """Fill a table that every keyed command writes to up to 2 MB; its size, more than any log segment's."""
    with psycopg.connect(world.conninfo, autocommit=True) as connection:
        connection.execute(_PADDING, [1500])
        found = connection.execute("SELECT pg_relation_size('idempotency_keys')").fetchone()
    assert found is not None
    return int(found[0])


def test_a_clock_that_went_back_an_hour_breaks_no_record_no_list_no_key_and_no_deadline(data_folder: Path) -> None:
    with installed(data_folder) as world:
        ada = Watching(world)
        first = ada.drawn(ada.games[0], "drawn")
        slow = ada.opened(move_seconds=3600)
        with load(world, clients=2) as running:
            running.grow(30)
            world.api.end()
            world.shifted(-3600)
            faults.kill_api(world)
            running.grow(30)
            late = ada.opened(move_seconds=5)
            until(lambda: status(ada, late) == "finished", "time is called")
        assert status(ada, slow) == "playing", "time was called too soon"
        assert ada.drawn(ada.games[0], "drawn").content == first.content
        assert ada.drawn(ada.games[0], "drawn again").status_code == 200
        until(lambda: listed(ada) >= {*ada.games, slow, late}, "every game is listed")
        judge(world, others={*ada.games, slow, late}).hold()
        assert late < slow, "the clock was not shifted at all: ids begin with the time"


def status(ada: Watching, game: str) -> str:
    return str(ada.answered("GET", f"/v1/games/{game}").json()["status"])


def listed(ada: Watching) -> set[str]:
    """Every game that pages of the list show."""
    found: set[str] = set()
    query: dict[str, str] = {"limit": "5"}
    while True:
        page = ada.answered("GET", "/v1/games", params=query).json()
        found |= {game["id"] for game in page["games"]}
        if page.get("next") is None:
            return found
        query["cursor"] = page["next"]


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
