"""A whole database as bytes, and what of a game's secrets could be found there."""

import base64
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec
import psycopg
from msgspec import Struct
from psycopg import sql

from domain.contest import events as contest_events
from domain.play import events as game_events


def dump(conninfo: str) -> bytes:
    """Every table: as PostgreSQL copies it in text, and its byte strings as they are."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return b"".join(chain.from_iterable(_table(connection, table) for (table,) in _tables(connection)))


def _tables(connection: psycopg.Connection[Any]) -> list[Any]:
    return connection.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    ).fetchall()


def _table(connection: psycopg.Connection[Any], table: str) -> Iterator[bytes]:
    with connection.cursor().copy(sql.SQL("COPY (SELECT * FROM {}) TO STDOUT").format(sql.Identifier(table))) as copy:
        yield from map(bytes, copy)
    for row in connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(table))).fetchall():
        yield from (value for value in row if isinstance(value, bytes))


def secrets_of(records: Iterable[Any]) -> list[bytes]:
    """Seeds and digest keys in every spelling, and each run of four cards that was dealt or is given."""
    found: list[bytes] = []
    for record in records:
        event = record.event
        if isinstance(event, game_events.Sealed):
            found += [*_spelled(event.seed), *_spelled(event.digest_key), *_runs(event.given or ())]
        elif isinstance(event, contest_events.Sealed):
            found += _spelled(event.seed)
        elif not isinstance(event, (*game_events.GAME_EVENTS, *contest_events.CONTEST_EVENTS)):
            found += [run for cards in _cards(event) for run in _runs(cards)]
    return found


def _spelled(secret: bytes) -> list[bytes]:
    text = base64.b64encode(secret).rstrip(b"=")
    return [secret, secret.hex().encode(), secret.hex().upper().encode(), text[:-1], text.translate(_URL)[:-1]]


_URL = bytes.maketrans(b"+/", b"-_")


def _cards(event: Struct) -> Iterator[Sequence[str]]:
    """Every tuple of texts in the event, wherever it stands: cards are texts."""
    yield from _texts(msgspec.to_builtins(event))


def _texts(value: Any) -> Iterator[Sequence[str]]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        if len(value) >= 4 and all(isinstance(one, str) for one in value):
            yield value
        for one in value:
            yield from _texts(one)


def _runs(cards: Sequence[str]) -> list[bytes]:
    """Four cards in their order, as msgpack and as JSON write them."""
    runs = [cards[at : at + 4] for at in range(len(cards) - 3)]
    return [text for run in runs for text in (_packed(run), msgspec.json.encode(run)[1:-1], _hexed(run))]


def _packed(run: Sequence[str]) -> bytes:
    return b"".join(msgspec.msgpack.encode(card) for card in run)


def _hexed(run: Sequence[str]) -> bytes:
    return _packed(run).hex().encode()
