"""A store of very many finished games, packed, against one of a thousand: commands, looks, lists, boards, start-up.

`KIBITZ_BENCH_STORE` is the number of games, 1,000,000 unless it says otherwise.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from random import Random
from time import perf_counter, sleep
from typing import Any, NamedTuple

import httpx
import psycopg

from service.postgres import Server

from .asking import registered, requests
from .load import accepted, load, refused
from .measures import REPEATS, in_turns, per_second, ratio, say, short, spread
from .running import database, kibitz, one_value, shared_keys
from .scripts import MIX, script
from .store_filling import filled, kind, people, person

GAMES, FEW, CLIENTS, SECONDS = int(os.environ.get("KIBITZ_BENCH_STORE", "1000000")), 1000, 16, 1.0
_TABLES = ("packed_games", "packed_endings", "signatures", "events", "documents", "persons")


class Store(NamedTuple):
    """One filled database, the port of its service, and how many games it has."""

    conninfo: str
    port: int
    games: int


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document."""
    with ExitStack() as stack:
        stack.enter_context(shared_keys())
        named = {"many": GAMES, "few": FEW}
        filled_ = {name: _filled(stack.enter_context(database(postgres)), games) for name, games in named.items()}
        found: dict[str, Any] = {"games": GAMES, "few_games": FEW, "clients": CLIENTS}
        found |= {"store": {name: _sizes(conninfo, named[name]) for name, conninfo in filled_.items()}}
        found["start_up_seconds"] = _started(filled_)
        stores = [
            Store(conninfo, stack.enter_context(kibitz(conninfo)).port, named[name])
            for name, conninfo in filled_.items()
        ]
        found |= {name: _compared(name, asked, stores) for name, asked in _ASKED.items()}
        return found | {"look_at_a_packed_game": _unpacking(stores[0])}


def _filled(conninfo: str, games: int) -> str:
    say(f"a store of {games} games")
    began = perf_counter()
    filled(conninfo, games)
    say(f"  filled in {perf_counter() - began:.0f} seconds")
    return conninfo


def _sizes(conninfo: str, games: int) -> dict[str, Any]:
    """Bytes on disk, by table with its indexes; how long the games are."""
    with psycopg.connect(conninfo) as connection:
        sizes = {name: one_value(connection, "SELECT pg_total_relation_size(%s)", name) for name in _TABLES}
        sizes["events"] = one_value(connection, "SELECT pg_total_relation_size('events_default')")
        lengths = "SELECT percentile_disc(%s) WITHIN GROUP (ORDER BY last_version) FROM packed_games"
        return {
            "people": people(games), "bytes": sizes, "bytes_in_all": sum(sizes.values()),
            "database_bytes": one_value(connection, "SELECT pg_database_size(current_database())"),
            "documents": one_value(connection, "SELECT count(*) FROM documents"),
            "records": one_value(connection, "SELECT sum(last_version) FROM packed_games"),
            "records_of_a_game": {str(share): one_value(connection, lengths, share) for share in (0.0, 0.5, 1.0)},
            "bytes_of_a_body": short(float(one_value(connection, "SELECT avg(length(body)) FROM packed_games"))),
        }  # fmt: skip


def _started(stores: dict[str, str]) -> dict[str, Any]:
    """Seconds from the start of `kibitz serve` until it is ready, in turns."""
    say("start-up")

    def started(conninfo: str) -> float:
        began = perf_counter()
        with kibitz(conninfo) as served:
            while httpx.get(f"{served.url}/readyz").status_code != 200:
                sleep(0.005)
            return perf_counter() - began

    took = in_turns({name: partial(started, conninfo) for name, conninfo in stores.items()})
    return {name: spread(numbers) for name, numbers in took.items()} | {"ratio": ratio(took["many"], took["few"])}


Asked = Callable[[Store], list[list[bytes]]]


def _compared(name: str, asked: Asked, stores: list[Store]) -> dict[str, Any]:
    """Medians of latency at so many clients, the two stores in turns."""
    say(name)
    with ExitStack() as stack:
        loads = [stack.enter_context(load(store.port, asked(store), name != "command")) for store in stores]
        for one in loads:
            one.run(SECONDS)
        many, few = in_turns({str(at): partial(one.run, SECONDS) for at, one in enumerate(loads)}).values()
    slow, fast = [one.p50 for one in many], [one.p50 for one in few]
    return {
        "many_p50_ms": spread(slow), "few_p50_ms": spread(fast), "ratio_of_p50": ratio(slow, fast),
        **per_second({"many": accepted(many), "few": accepted(few)}), "not_accepted": refused(many[-1:]),
    }  # fmt: skip


def _commands(store: Store) -> list[list[bytes]]:
    """Each client plays its own new games, of the mix in turns."""
    return requests(registered(store.port), CLIENTS, 1300)


def _looks(store: Store) -> list[list[bytes]]:
    """Live games, in memory."""
    table = registered(store.port)
    games = [table.opened(script(MIX[number % len(MIX)], number)) for number in range(CLIENTS)]
    return [[table.get(f"/v1/games/{game}")] for game in games]


def _unpacking(store: Store) -> dict[str, Any]:
    """Looks at finished games that nobody has looked at before: each is read, unpacked and folded."""
    say("look_at_a_packed_game")
    with load(store.port, _packed(store)) as looks:
        turns = [looks.run(SECONDS) for _ in range(REPEATS)]
    told = [one for one in turns if not one.exhausted]
    return {"p50_ms": spread([one.p50 for one in told]), "per_second": spread(accepted(told))}


def _packed(store: Store) -> list[list[bytes]]:
    table, lots = registered(store.port), Random(5)
    with psycopg.connect(store.conninfo) as connection:
        rows = connection.execute(
            "SELECT game FROM packed_games TABLESAMPLE SYSTEM (%s)", (min(100, 2e6 / store.games),)
        )
        games = [game for (game,) in rows]
    lots.shuffle(games)
    return [[table.get(f"/v1/games/{game}") for game in games[at::CLIENTS]] for at in range(CLIENTS)]


def _pages(path: Callable[[int, int], str]) -> Asked:
    """A page for each client, each of another person who plays Klondike."""

    def asked(store: Store) -> list[list[bytes]]:
        known = people(store.games)
        numbers = [2 * (known * at // (2 * CLIENTS)) for at in range(CLIENTS)]
        assert all(kind(number) == "klondike" for number in numbers)
        table = registered(store.port)
        return [[table.get(path(number, known))] for number in numbers]

    return asked


_ASKED: dict[str, Asked] = {
    "command": _commands,
    "look": _looks,
    "list_of_games": _pages(lambda number, known: "/v1/games?limit=50"),
    "list_of_a_players_games": _pages(lambda number, known: f"/v1/games?player_id={person(number, known)}&limit=10"),
    "board_page": _pages(lambda number, known: "/v1/scoreboards/klondike?limit=20"),
    "rank_of_a_player": _pages(lambda number, known: f"/v1/players/{person(number, known)}/scores"),
}
"""What is asked of both stores; goals: command and look within 1.2 of the small store, lists and boards within 2."""
