"""Two API processes against one: what a command costs all of them together, routed by game and spread at random."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from time import perf_counter, sleep
from typing import Any, NamedTuple

import httpx
import psycopg

from service.postgres import Server

from .asking import Table, made_beforehand, registered, requests_of_mix
from .load import load
from .machine import processor_seconds
from .measures import REPEATS, in_turns, ratio, say, short, spread
from .running import Serving, database, kibitz, shared_keys
from .scripts import MIX, scripts

CLIENTS = 64
SECONDS = 1.5
EACH = made_beforehand(CLIENTS, 6000, SECONDS)
_SHARED = "SELECT count(DISTINCT process) FROM leases WHERE process <> 0"


class Turn(NamedTuple):
    """Commands a second, microseconds of all API processes' time for a command, p99 in ms, other answers than 200."""

    rate: float
    cost: float
    p99: float
    not_accepted: int


class Side:
    """Servers on one database under a load of 64 clients, half of them at each of two ports; or one half alone."""

    def __init__(self, stack: ExitStack, servers: list[Serving], asked: list[list[list[bytes]]]) -> None:
        self._servers, ports = servers, (servers[0].port, servers[-1].port)
        self._loads = [stack.enter_context(load(*plan)) for plan in zip(ports, asked, strict=False)]

    def run(self, seconds: float) -> Turn:
        """So many seconds of it."""
        began = self._used()
        with ThreadPoolExecutor(len(self._loads)) as pool:
            tallies = list(pool.map(lambda load: load.run(seconds), self._loads))
        answers = sum(sum(tally.statuses.values()) for tally in tallies)
        accepted = sum(tally.statuses.get("200", 0) for tally in tallies)
        cost = 1e6 * (self._used() - began) / max(answers, 1)
        rate = sum(tally.accepted for tally in tallies)
        return Turn(rate, cost, max(tally.p99 for tally in tallies), answers - accepted)

    def _used(self) -> float:
        return sum(
            processor_seconds(one.process.pid) or 0.0 for one in {id(one): one for one in self._servers}.values()
        )


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document."""
    with ExitStack() as stack:
        stack.enter_context(shared_keys())
        one = start_servers(stack, stack.enter_context(database(postgres)), 1)
        two = start_servers(stack, stack.enter_context(database(postgres)), 2)
        sides = {
            "one_process": Side(stack, one, requests_at(one, lambda place, number: 0)),
            "one_process_half_the_clients": Side(stack, one, requests_at(one, lambda place, number: 0)[:1]),
            "two_routed": Side(stack, two, requests_at(two, lambda place, number: place)),
            "two_at_random": Side(stack, two, requests_at(two, lambda place, number: number % 2)),
        }
        for side in sides.values():
            side.run(0.5)
        say("processes")
        turns = in_turns({name: partial(side.run, SECONDS) for name, side in sides.items()})
    with shared_keys():
        told = {name: _side(found, turns["one_process"]) for name, found in turns.items()}
        handovers = [_handover(postgres) for _ in range(REPEATS)]
        return {"clients": CLIENTS, "mix": MIX, **told, "handover_s": spread(handovers)}


def _side(found: list[Turn], alone: list[Turn]) -> dict[str, Any]:
    return {
        "commands_per_second": spread([turn.rate for turn in found]),
        "processor_us_per_command": spread([turn.cost for turn in found]),
        "p99_ms": spread([turn.p99 for turn in found]),
        "not_accepted": sum(turn.not_accepted for turn in found),
        "cost_to_one_process": ratio([turn.cost for turn in found], [turn.cost for turn in alone]),
        "rate_to_one_process": ratio([turn.rate for turn in found], [turn.rate for turn in alone]),
    }


def start_servers(stack: ExitStack, conninfo: str, count: int) -> list[Serving]:
    """So many processes that have shared the games among them; the read models are nobody's."""
    made = [stack.enter_context(kibitz(conninfo, "--no-worker")) for _ in range(count)]
    with psycopg.connect(conninfo, autocommit=True) as connection:
        while connection.execute(_SHARED).fetchone() != (count,):
            sleep(0.05)
    return made


def requests_at(servers: list[Serving], opener: Callable[[int, int], int]) -> list[list[list[bytes]]]:
    """For each of two ports the requests of its clients; `opener`: whose the games are, by port and number."""
    every = [registered(server.port) for server in servers]
    tables = [every[0], every[-1]]
    return [
        [requests_of_mix(partial(_opener, tables, opener, place), one, EACH) for one in range(CLIENTS // 2)]
        for place in range(2)
    ]


def _opener(tables: list[Table], opener: Callable[[int, int], int], place: int, number: int) -> Table:
    return tables[opener(place, number)]


def _handover(postgres: Server) -> float:
    """Seconds from a kill -9 until the other process has recorded a command in a game of the killed one's."""
    say("a process is killed")
    with ExitStack() as stack:
        left, killed = start_servers(stack, stack.enter_context(database(postgres)), 2)
        table, here = registered(left.port), registered(killed.port)
        games = [here.opened(next(scripts("klondike"))) for _ in range(8)]
        began = perf_counter()
        killed.process.kill()
        with httpx.Client(base_url=left.url, headers={"authorization": f"Bearer {here.token}"}) as client:
            for game in games:
                while client.post(f"/v1/games/{game}/commands", json={"type": "klondike/draw"}).status_code == 503:
                    pass
        table.close()
        here.close()
        return short(perf_counter() - began)
