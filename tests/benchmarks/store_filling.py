"""A store of very many finished games, written past the service by COPY."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any
from uuid import UUID

import psycopg

from domain.player import SCOPES, Registered, TokenMinted
from domain.record import Record
from projections import PROJECTIONS as ALL
from service.event_store.codec import digest_of, standard_codec

from .store_games import PROJECTIONS, START, copies, documents, person

_PACKED = (
    "COPY packed_games (game, first_position, last_position, last_version, digest, body) FROM STDIN (FORMAT binary)"
)
_PACKED_TYPES = ("uuid", "int8", "int8", "int4", "bytea", "bytea")
_ENDINGS = "COPY packed_endings (position, game, version) FROM STDIN (FORMAT binary)"
_SIGNATURES = "COPY signatures (game, version, key, value) FROM STDIN (FORMAT binary)"
_EVENTS = "COPY events (stream, version, position, topic, state) FROM STDIN (FORMAT binary)"
_PERSONS = "COPY persons (player, name) FROM STDIN (FORMAT binary)"
_DOCUMENTS = "COPY documents (build, collection, key, sort, body) FROM STDIN (FORMAT binary)"
_INDEXES = ("packed_games_opened", "packed_games_span", "documents_listed", "documents_pkey")


def people(games: int) -> int:
    """How many have played so many games: ten each."""
    return games // 10


def filled(conninfo: str, games: int) -> None:
    """The store, its read models at the head of the log, its tables vacuumed and analysed."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        made = _without_indexes(connection)
        builds = _builds(connection)
        with ProcessPoolExecutor(3, get_context("spawn")) as processes:
            packing = processes.submit(_games, conninfo, games)
            shares = [processes.submit(_documents, conninfo, games, builds, share) for share in (0, 1)]
            head = packing.result()
            for share in shares:
                share.result()
        head = _players(connection, games, head)
        connection.execute("UPDATE log SET head = %s", (head,))
        connection.execute("UPDATE positions SET position = %s", (head,))
        for sql in made:
            connection.execute(sql.encode())
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


def _without_indexes(connection: psycopg.Connection[Any]) -> list[str]:
    """The indexes go, to be made when the rows are there; the statements that make them."""
    sql = "SELECT indexname, indexdef FROM pg_indexes WHERE indexname = ANY(%s) AND schemaname = 'public'"
    found = dict(connection.execute(sql, (list(_INDEXES),)).fetchall())
    connection.execute("ALTER TABLE documents DROP CONSTRAINT documents_pkey")
    for name in found.keys() - {"documents_pkey"}:
        connection.execute(f"DROP INDEX {name}".encode())
    key = "ALTER TABLE documents ADD CONSTRAINT documents_pkey PRIMARY KEY (build, collection, key)"
    return [key, *(sql for name, sql in found.items() if name != "documents_pkey")]


def _builds(connection: psycopg.Connection[Any]) -> list[int]:
    """A live build of every projection; the numbers of those whose documents are made."""
    numbers: dict[str, int] = {}
    for name, one in ALL.items():
        sql = "INSERT INTO positions (projection, version, live) VALUES (%s, %s, true) RETURNING build"
        row = connection.execute(sql, (name, one.version)).fetchone()
        numbers[name] = int(row[0]) if row else 0
    return [numbers[one.name] for one in PROJECTIONS]


def _games(conninfo: str, games: int) -> int:
    """Packed games and what goes with each; the last position."""
    with psycopg.connect(conninfo) as connection:
        found = [(one.game, one.first, one.original) for one in copies(games, people(games))]
        _copy(connection, _PACKED, _PACKED_TYPES, (_packed(*one) for one in found))
        endings = ((first + one.ending - 1, game, one.ending) for game, first, one in found)
        _copy(connection, _ENDINGS, ("int8", "uuid", "int4"), endings)
        signed = ((game, one.records, "0123456789abcdef", bytes(64)) for game, _, one in found)
        _copy(connection, _SIGNATURES, ("uuid", "int4", "text", "bytea"), signed)
    _, first, last = found[-1]
    return first + last.records - 1


def _packed(game: UUID, first: int, one: Any) -> tuple[Any, ...]:
    said = (game, first, first + one.records - 1, one.records)
    return *said, digest_of(*said, one.body), one.body


def _documents(conninfo: str, games: int, builds: list[int], share: int) -> None:
    with psycopg.connect(conninfo) as connection:
        rows = ((builds[at], *row) for at, row in documents(games, people(games), share))
        _copy(connection, _DOCUMENTS, ("int8", "text", "text", "bytea", "bytea"), rows)


def _players(connection: psycopg.Connection[Any], games: int, head: int) -> int:
    """People with their records and names; the head of the log with them."""
    known = [person(number, people(games)) for number in range(people(games))]
    with connection.transaction():
        _copy(connection, _PERSONS, ("uuid", "text"), ((one, f"Player {at}") for at, one in enumerate(known)))
        _copy(connection, _EVENTS, ("uuid", "int4", "int8", "text", "bytea"), _registrations(known, head))
    return head + 2 * len(known)


def _registrations(known: Iterable[UUID], head: int) -> Iterator[tuple[Any, ...]]:
    codec = standard_codec()
    for one in known:
        minted = TokenMinted(one, bytes(32), SCOPES, START)
        for version, event in enumerate((Registered(), minted), 1):
            head += 1
            record: Record[Any, Any] = Record(one, version, 1000 * START, "player", 1, version, one, None, None, event)
            yield one, version, head, codec.topic(record), codec.encode(record)


def _copy(
    connection: psycopg.Connection[Any], sql: str, types: tuple[str, ...], rows: Iterable[tuple[Any, ...]]
) -> None:
    with connection.cursor().copy(sql.encode()) as copy:
        copy.set_types(types)
        write: Callable[[Any], None] = copy.write_row
        for row in rows:
            write(row)
