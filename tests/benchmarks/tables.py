"""Tables: many finished games folded into all of them, and what one void costs among them."""

from collections.abc import Iterator
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
import psycopg

from domain import rulings
from projections import PROJECTIONS
from projections.engine.contract import advance
from projections.ladders.ladder_projection import RatedGame
from service.event_store.codec import standard_codec
from service.postgres import Server
from service.workers.worker import Worker
from tests.memory_documents import MemoryDocuments

from . import boards
from .measures import say, short, timed
from .population import PEOPLE, START, log
from .running import Connection, database, fill_log, one_value, read_whole_log

GAMES = 200_000
BATCH = 5000  # as the worker reads
TABLES = [PROJECTIONS[name] for name in sorted(PROJECTIONS)]
"""Every read model, the lists of games among them."""


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document; every rate in games a second, timed once."""
    say(f"tables, {GAMES} games")
    with database(postgres) as conninfo, psycopg.connect(conninfo, autocommit=True) as connection:
        fill_log(connection, log(GAMES))
        told = _folded(conninfo, connection) | {"one_void": dict(_voids(conninfo, connection))}
    return {"games": GAMES, "players": PEOPLE, **told, "board": boards.measured(postgres)}


def _folded(conninfo: str, connection: Connection) -> dict[str, Any]:
    """A worker catching up with all tables, against folding the same records with no store."""
    known = read_whole_log(connection, BATCH)
    say(f"  {len(known)} events folded in memory")
    apart = {one.name: timed(partial(advance, one, MemoryDocuments(), 0, known)) for one in TABLES}
    say("  the same, with the store")
    stored, alone = timed(Worker(conninfo, TABLES, batch=BATCH).catch_up), sum(apart.values())
    return {
        "events": len(known), "documents": one_value(connection, "SELECT count(*) FROM documents"),
        "catch_up_per_second": short(GAMES / stored), "fold_in_memory_per_second": short(GAMES / alone),
        "catch_up_to_fold_in_memory": short(alone / stored),
        "fold_in_memory": {name: short(GAMES / seconds) for name, seconds in apart.items()},
    }  # fmt: skip


def _voids(conninfo: str, connection: Connection) -> Iterator[tuple[str, dict[str, float]]]:
    """Seconds until every table stands as if a game of the longest ladder had never been, by where it lies.

    `ladder_games`: how many of that ladder come behind it; their ratings are made anew.
    """
    longest = one_value(connection, _LONGEST)
    for name, share in (("at_the_start", 0.01), ("in_the_middle", 0.5), ("at_the_end", 0.99)):
        say(f"  one void {name}")
        key, game = _game(connection, longest, int(share * 3 * GAMES))
        behind = one_value(connection, _BEHIND, longest, key)
        _void(connection, game)
        seconds = timed(Worker(conninfo, TABLES, batch=BATCH).catch_up)
        yield name, {"seconds": short(seconds), "ladder_games": behind}


_LONGEST = """
SELECT collection FROM documents WHERE collection LIKE 'ladder_games/%' GROUP BY collection ORDER BY count(*) DESC
"""
_BEHIND = "SELECT count(*) FROM documents WHERE collection = %s AND key > %s"
_GAME = "SELECT key, body FROM documents WHERE collection = %s AND key >= %s ORDER BY key LIMIT 1"


def _game(connection: Connection, collection: str, position: int) -> tuple[str, UUID]:
    """The first game of this ladder to finish from this position on."""
    key, body = connection.execute(_GAME, (collection, f"{position:020}")).fetchall()[0]
    return key, msgspec.json.decode(body, type=RatedGame).game


def _void(connection: Connection, game: UUID) -> None:
    """The ruling at the end of the log."""
    head = one_value(connection, "UPDATE log SET head = head + 1 RETURNING head")
    version = 1 + int(one_value(connection, "SELECT count(*) FROM events WHERE stream = %s", rulings.SITE))
    record = rulings.ruling_record(version, rulings.GamesVoided((game,), "bench"), game, START)
    codec = standard_codec()
    connection.execute(
        "INSERT INTO events (stream, version, position, topic, state) VALUES (%s, %s, %s, %s, %s)",
        (record.stream, version, head, codec.topic(record), codec.encode(record)),
    )
