"""The feed: games a second over HTTP, told in short and with their records, against copying the same events out."""

from time import perf_counter
from typing import Any, NamedTuple

import httpx
import psycopg

from service.postgres import Server
from tests.service.finished_games import stored

from .machine import resident
from .measures import in_turns, ratio, say, short, spread
from .running import Serving, database, kibitz, one_value

GAMES = 5000
MOVES = 60


class _Export(NamedTuple):
    """What came of one export."""

    games: float
    bytes: int


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document: finished games of three types, given up after some sixty moves."""
    say(f"the feed of {GAMES} games")
    with database(postgres) as conninfo:
        stored(conninfo, GAMES, MOVES)
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE events")  # as the database would by itself in time
            events = one_value(connection, "SELECT count(*) FROM events")
        with kibitz(conninfo) as served:
            return {"games": GAMES, "events_per_game": short(events / GAMES), **_both(served, conninfo)}


def _both(served: Serving, conninfo: str) -> dict[str, Any]:
    before = resident(served.process.pid)
    turns: dict[str, list[Any]] = in_turns({
        "short": lambda: _exported(served, GAMES, {}),
        "whole": lambda: _exported(served, GAMES // 10, {"include": "record", "limit": GAMES // 10}),
        "copied": lambda: _copied(conninfo),
    })  # fmt: skip
    short_ones, whole, copied = turns.values()
    after = resident(served.process.pid)
    return {
        "games_per_second": spread([export.games for export in short_ones]),
        "games_per_second_with_records": spread([export.games for export in whole]),
        "with_records_to_copying_events": ratio([export.games for export in whole], copied),
        "bytes_per_game": round(short_ones[0].bytes / GAMES),
        "bytes_per_game_with_record": round(whole[0].bytes / (GAMES // 10)),
        "bytes_of_memory_grown": None if before is None or after is None else after - before,
    }


def _exported(served: Serving, games: int, query: dict[str, Any]) -> _Export:
    began, size, last = perf_counter(), 0, b""
    with httpx.stream("GET", f"{served.url}/v1/feed", params=query, timeout=300) as answer:
        for chunk in answer.iter_raw():
            size, last = size + len(chunk), (last + chunk)[-200:]
    if f'"count":{games},'.encode() not in last:
        raise ValueError(f"the feed ends with {last!r}")
    return _Export(games / (perf_counter() - began), size)


def _copied(conninfo: str) -> float:
    """Games a second of reading the same events past the service, undecoded, by PostgreSQL's COPY."""
    began = perf_counter()
    statement = "COPY (SELECT * FROM events) TO STDOUT"
    with psycopg.connect(conninfo) as connection, connection.cursor().copy(statement) as copy:
        for _ in copy:
            pass
    return GAMES / (perf_counter() - began)
