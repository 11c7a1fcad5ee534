"""An honest webhook among 600 hostile ones: how long it waits for its challenge and for its events."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

import psycopg

from service.postgres import Server

from .asking import Table, registered
from .measures import say, short, spread
from .running import database, kibitz

ACCOUNTS, EACH, HOSTS, GAMES = 60, 10, 30, 10
"""Hostile accounts, webhooks and games of each, and the hosts to which they send."""
EVENTS, GOAL = 20, 2.0
"""Events of the honest one, a second apart, and the seconds in which each has to arrive."""
_WISHES = ("mute", "hang", "slow")
"""What an account's receivers do: answer nothing, the challenge alone, or everything just before it is too late."""
_SLOW = 13.5
_NEAR = {"KIBITZ_WEBHOOKS_BY_HTTP": "true", "KIBITZ_WEBHOOKS_TO_PRIVATE": "true"}
_VERIFIED = "SELECT count(*) FROM webhooks WHERE verified_at IS NOT NULL"


class _Receivers(NamedTuple):
    """Their ports, when what came to the honest one came, and whose answers are waited for."""

    ports: list[int]
    came: "SimpleQueue[float]"
    waiting: set[asyncio.StreamWriter]


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document: all of it, whatever the hostile do, in seconds."""
    say(f"webhooks: {ACCOUNTS * EACH} hostile ones")
    with database(postgres) as conninfo, _receivers() as to, kibitz(conninfo, **_NEAR) as served:
        for number in range(ACCOUNTS):
            hostile, wish = registered(served.port), _WISHES[number % len(_WISHES)]
            for which in range(EACH):
                _add(hostile, to.ports[(number + which) % HOSTS], wish)
            for _ in range(GAMES):
                _finish(hostile, _opened(hostile))
            hostile.close()
        with psycopg.connect(conninfo, autocommit=True) as connection:
            while connection.execute(_VERIFIED).fetchall()[0][0] < ACCOUNTS * EACH * 2 // 3:
                time.sleep(0.1)
        say("webhooks: an honest one")
        honest, began = registered(served.port), time.perf_counter()
        _add(honest, to.ports[HOSTS], "honest")
        challenge, waits, waiting = to.came.get(timeout=120) - began, list[float](), list[int]()
        for _ in range(EVENTS):
            time.sleep(1)
            game, began = _opened(honest), time.perf_counter()
            _finish(honest, game)
            waits.append(to.came.get(timeout=120) - began)
            waiting.append(len(to.waiting))
        honest.close()
    return {
        "hostile_webhooks": ACCOUNTS * EACH, "hostile_connections": spread(waiting),
        "challenge_seconds": short(challenge), "delivery_seconds": spread(waits),
        "goal": GOAL, "met": max(challenge, *waits) < GOAL,
    }  # fmt: skip


def _add(table: Table, port: int, wish: str) -> None:
    body = {"url": f"http://127.0.0.1:{port}/{wish}", "types": ["finished"]}
    table.post("/v1/webhooks", body).raise_for_status()


def _opened(table: Table) -> str:
    return str(table.post("/v1/games", {"game_type": "golf"}).raise_for_status().json()["id"])


def _finish(table: Table, game: str) -> None:
    table.post(f"/v1/games/{game}/commands", {"type": "game/resign"}).raise_for_status()


@contextmanager
def _receivers() -> Iterator[_Receivers]:
    """All receivers, in a thread; the last port is the honest one's."""
    to, loop = _Receivers([], SimpleQueue(), set()), asyncio.new_event_loop()
    for _ in range(HOSTS + 1):
        server = loop.run_until_complete(asyncio.start_server(partial(_receive, to), "127.0.0.1", 0))
        to.ports.append(server.sockets[0].getsockname()[1])
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield to
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


async def _receive(to: _Receivers, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    wish = head.partition(b" /")[2].partition(b" ")[0].decode()
    body = await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
    to.waiting.add(writer)
    if wish == "honest":
        to.came.put(time.perf_counter())
    event, answer = json.loads(body), b""
    if event["type"] == "webhook.verification" and wish != "mute":
        answer = json.dumps({"challenge": event["challenge"]}).encode()
    elif wish != "honest":
        await asyncio.wait([asyncio.create_task(reader.read())], timeout=_SLOW if wish == "slow" else None)
    to.waiting.discard(writer)
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(answer), answer))
    with suppress(OSError):
        await writer.drain()
    writer.close()
