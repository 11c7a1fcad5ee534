"""Many short games of Klondike, written as the event store writes them."""

from collections.abc import Sequence
from uuid import UUID

import psycopg

from domain.games import GAME_TYPES
from domain.play.aggregate import AnyRecord
from domain.play.table import Opening, open_game
from service.event_store.codec import standard_codec
from tests.domain.played import SECRET, act, player, wander

_INSERT = "INSERT INTO events (stream, version, position, topic, state) VALUES (%s, %s, %s, %s, %s)"


def games_of(conninfo: str, count: int) -> None:
    """So many games, each with an id of its own, one behind the other in the log."""
    keep(conninfo, [record for number in range(count) for record in _game(number)])


def keep(conninfo: str, records: Sequence[AnyRecord]) -> None:
    """These records in an empty log."""
    codec = standard_codec()
    rows = [
        (record.stream, record.version, position, codec.topic(record), codec.encode(record))
        for position, record in enumerate(records, 1)
    ]
    with psycopg.connect(conninfo) as connection:
        connection.cursor().executemany(_INSERT, rows)
        connection.execute("UPDATE log SET head = %s", [len(rows)])


def _game(number: int) -> list[AnyRecord]:
    kind = GAME_TYPES["klondike"]
    opening = Opening(type=kind, options=kind.options(), players=(player(0),))
    return wander(open_game(UUID(int=1000 + number), opening, SECRET, act(0, 0)), 6, number)
