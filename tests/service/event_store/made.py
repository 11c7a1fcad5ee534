"""Records, games and companions for the tests of the event store."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from random import Random
from typing import Any, ParamSpec
from uuid import UUID, uuid4

import psycopg
import uvloop

from domain.capabilities import OptionRules
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.deciding import Act, Step, legal_commands, play
from domain.play.table import Opening, open_game
from domain.record import Record
from service.event_store.codec import Recorded
from service.event_store.errors import StoreUnavailable
from service.event_store.listener import Listener
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion

TIME = 1_700_000_000_000_000
P = ParamSpec("P")


def on_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """An async test, run to its end on the event loop that production uses."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        uvloop.run(test(*args, **kwargs))

    return run


def record(stream: UUID, version: int) -> Record[Any, Any]:
    """Some record of some stream."""
    return Record(stream, version, TIME + version, "toy", 1, version, stream, 0, ev.Undo(), ev.Undone(version, version))


def records(stream: UUID, count: int, after: int = 0) -> list[Record[Any, Any]]:
    return [record(stream, version) for version in range(after + 1, after + count + 1)]


def key_of(player: UUID, text: str) -> Companion:
    """An idempotency key, as a command stores it."""
    return Companion(
        "INSERT INTO idempotency_keys (player, operation, target, key, body_hash, stream, first_version, last_version)"
        " VALUES (%s, 'play', %s, %s, %s, %s, 1, 1)",
        (player, player, text, b"hash", player),
    )


async def follow(store: EventStore, after: int) -> AsyncIterator[list[Recorded]]:
    """The log after this position, in batches, for ever, as followers read it: notifications wake, positions decide.

    Without a poll: a follower that is not woken fails.
    """
    listener = Listener(store.session)
    listener.open()
    try:
        while True:
            changed = listener.changed
            try:
                batch = await store.read_after(after)
            except StoreUnavailable:
                batch = []
            if batch:
                yield batch
                after = batch[-1].position
            else:
                await asyncio.wait_for(changed.wait(), 120)
    finally:
        await listener.close()


KEYS = "SELECT key FROM idempotency_keys ORDER BY key"


@contextmanager
def log_held(database: str) -> Iterator[None]:
    """While somebody else holds the log's row: whatever is appended meanwhile waits, and queues."""
    with psycopg.connect(database) as connection:
        connection.execute("SELECT head FROM log FOR UPDATE")
        yield


def waiting_for_a_lock(database: str) -> int:
    """How many connections to this database wait for a lock."""
    with psycopg.connect(database) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).fetchone()
    return int(row[0]) if row else 0


def cut_off(database: str, *names: str) -> None:
    """End the connections of these names, and wait until they are gone."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = ANY(%s)",
            [list(names)],
        )


def random_game(game_type: AnyGameType, seed: int, steps: int = 60) -> list[Step]:
    """A game of this type, opened and played at random, then resigned: its steps."""
    lots, seats = Random(seed), game_type.seats[0]
    secret = ev.Sealed(sha256(b"deal %d" % seed).digest(), sha256(b"key %d" % seed).digest())
    seated = tuple(uuid4() for _ in range(seats))
    options = game_type.get(OptionRules).settle(game_type.options(), seats)
    opening = Opening(type=game_type, options=options, players=seated, visibility="private")
    played = [open_game(uuid4(), opening, secret, Act(seated[0], None, TIME))]
    while len(played) < steps and (offered := _offered(played[-1], seats)):
        seat, command = lots.choice(offered)
        played.append(play(played[-1].game, command, Act(seated[seat], seat, TIME + len(played))))
    if played[-1].game.status == "playing":
        played.append(play(played[-1].game, ev.Resign(), Act(seated[0], 0, TIME + len(played))))
    return played


def _offered(step: Step, seats: int) -> list[tuple[int, Any]]:
    listed = [(seat, command) for seat in range(seats) for command in legal_commands(step.game, seat)]
    return [(seat, command) for seat, command in listed if not isinstance(command, ev.Resign)]
