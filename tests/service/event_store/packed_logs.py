"""Logs of whole games to be packed, and what comes out of them."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from uuid import UUID

import psycopg
from psycopg import Connection

from domain.games import GAME_TYPES
from domain.play.aggregate import AnyRecord
from service.event_store.codec import Recorded
from service.event_store.packing import Batch, Packer
from service.event_store.reading import read_log, read_stream
from service.workers.worker import Worker
from tests.service.event_store.made import random_game
from tests.service.worker.worker_logs import append, lives
from tests.waiting import until

LATER = 2**62
"""A moment behind the last change of every game."""


def mixed(games: list[list[AnyRecord]], seed: int = 1) -> Iterator[AnyRecord]:
    """The records of these games, of all of them at the same time."""
    lots, waiting = Random(seed), [iter(game) for game in games]
    while waiting:
        one = lots.choice(waiting)
        if (record := next(one, None)) is None:
            waiting.remove(one)
        else:
            yield record


def played(count: int = 12, steps: int = 12) -> list[list[AnyRecord]]:
    """Random games of many types, all over."""
    types = [found for found in GAME_TYPES.values() if found.seats[0] <= 2]
    games = [random_game(types[number % len(types)], number, steps) for number in range(count)]
    return [[record for step in game for record in step.records] for game in games]


def folded(database: str, games: list[list[AnyRecord]]) -> None:
    """These games in the log, all at the same time, and every projection behind them."""
    append(database, mixed(games))
    Worker(database).catch_up()


def filled(database: str, count: int = 20) -> None:
    """A log of played games, and of games, leagues and days as projections meet them."""
    folded(database, [*played(), *lives(count)])


def pack(database: str, *, before: int = LATER, most: int = 7) -> list[Batch]:
    """Pack what can be packed."""
    with connection_to(database) as connection:
        return list(Packer(()).batches(connection, before, most))


def connection_to(database: str) -> Connection[Any]:
    return psycopg.connect(database, autocommit=True)


def log(database: str, limit: int = 10**6, after: int = 0) -> list[Recorded]:
    """The whole log, read so many records at a time."""
    found: list[Recorded] = []
    with connection_to(database) as connection:
        while batch := read_log(connection, found[-1].position if found else after, limit):
            found += batch
    return found


def stream(database: str, game: UUID, after: int = 0) -> list[AnyRecord]:
    with connection_to(database) as connection:
        return read_stream(connection, game, after)


def counted(database: str, table: str) -> int:
    with connection_to(database) as connection:
        row = connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
    return int(row[0]) if row else 0


class held:  # noqa: N801  reads as a word
    """While somebody holds what this statement takes."""

    def __init__(self, database: str, sql: str, *params: object) -> None:
        self._connection = psycopg.connect(database)
        self._connection.execute(sql.encode(), params)

    def __enter__(self) -> Callable[[], None]:
        return self._connection.rollback

    def __exit__(self, *_: object) -> None:
        self._connection.close()


def waits(database: str) -> None:
    """Until somebody waits for a lock."""
    sql = "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    until(lambda: counted(database, sql) > 0)
