"""Why positions are no sequence: a reader by sequence misses what commits late, one by our positions misses nothing."""

import asyncio
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from random import Random
from threading import Event
from uuid import uuid4

import psycopg
import pytest

from service.event_store.reading import read_log
from service.event_store.store import EventStore

from .made import on_a_loop
from .test_order import write

WRITERS = 4
ROUNDS = 20
"""Rounds of writing at most until the sequence has been seen to miss something; one is nearly always enough."""
_PLAIN = "CREATE TABLE plain (number bigserial PRIMARY KEY, writer int NOT NULL)"


def write_plainly(database: str, seed: int, over: Event) -> set[int]:
    """Rows numbered by a sequence, in transactions that last a moment; every fifth is rolled back."""
    lots, stored = Random(seed), set()
    with closing(psycopg.connect(database)) as connection:
        while not over.is_set():
            row = connection.execute("INSERT INTO plain (writer) VALUES (%s) RETURNING number", [seed]).fetchone()
            time.sleep(lots.random() / 500)
            if row is None or lots.random() < 0.2:
                connection.rollback()
            else:
                connection.commit()
                stored.add(int(row[0]))
    return stored


def follow(database: str, over: Event) -> Iterator[tuple[list[int], list[int]]]:
    """What two readers see, one of the plain table by its numbers, one of the log by its positions; at last nothing."""
    numbers, positions, last = [0], [0], False
    with closing(psycopg.connect(database, autocommit=True)) as connection:
        while not last:
            last = over.is_set()
            query = "SELECT number FROM plain WHERE number > %s ORDER BY number"
            seen = [row[0] for row in connection.execute(query, [numbers[-1]]).fetchall()]
            read = [found.position for found in read_log(connection, positions[-1], 5000)]
            numbers, positions = [*numbers, *seen][-1:], [*positions, *read][-1:]
            yield seen, read


def followed(database: str, over: Event) -> tuple[set[int], list[int]]:
    numbers: set[int] = set()
    positions: list[int] = []
    for seen, read in follow(database, over):
        numbers.update(seen)
        positions += read
    return numbers, positions


@on_a_loop
async def test_behind_several_writers_a_sequence_misses_some_and_positions_miss_nothing(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(_PLAIN)
    stores = [EventStore(database) for _ in range(WRITERS)]
    for store in stores:
        await store.open()
    missed = plain = 0
    for number in range(ROUNDS):
        lost, written = await one_round(database, stores, number)
        missed, plain = missed + lost, plain + written
        if missed:
            break
    head = await stores[0].head()
    for store in stores:
        await store.close()
    with capsys.disabled():
        sys.stdout.write(f"\na reader by sequence missed {missed} of {plain} rows, by position 0 of {head} events\n")
    assert missed > 0


async def one_round(database: str, stores: list[EventStore], number: int) -> tuple[int, int]:
    """How many rows the reader by sequence missed, of how many; the reader by position was told all."""
    loop, over, done = asyncio.get_running_loop(), Event(), Event()
    before, shared = await stores[0].head(), [uuid4() for _ in range(5)]
    with ThreadPoolExecutor(WRITERS + 1) as pool:
        reading = loop.run_in_executor(pool, followed, database, done)
        writing = [loop.run_in_executor(pool, write_plainly, database, seed, over) for seed in range(WRITERS)]
        await asyncio.gather(*(write(store, shared, number * WRITERS + seed) for seed, store in enumerate(stores)))
        over.set()
        plain = set[int]().union(*await asyncio.gather(*writing))
        done.set()
        numbers, positions = await reading
    assert positions == list(range(1, await stores[0].head() + 1))
    assert len(positions) > before
    return len(plain - numbers), len(plain)
