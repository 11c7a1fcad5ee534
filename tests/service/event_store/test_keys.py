"""Idempotency keys: those of packed games go a week after the last change, those that belong to no game after 30 days.

Keys of games that are not packed, and those of NOBODY, stay.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import psycopg
import pytest
from msgspec.structs import replace

from domain.play.aggregate import AnyRecord
from domain.play.events import Voided
from service.event_store import packing as packing_module
from service.event_store.errors import StoreUnavailable
from service.event_store.packing import KEPT, KEPT_DAYS, NOBODY, Batch, KeyAging, Packer
from service.workers.worker import Worker
from tests.service.event_store.made import TIME
from tests.service.worker.worker_logs import append

from .packed_logs import LATER, connection_to, counted, folded, held, played, waits

ADA, BOB = UUID(int=0xADA), UUID(int=0xB0B)
LEAGUE = UUID(int=0x1EA)
_KEEP = """
INSERT INTO idempotency_keys (player, operation, target, key, body_hash, stream, first_version, last_version)
VALUES (%s, %s, %s, %s, 'hash', %s, 1, 1)
"""


def games_of(database: str, count: int) -> list[list[AnyRecord]]:
    """Games in the log that are over, under ids of the time when they were opened, each with keys of two players."""
    made = [
        [replace(one, stream=UUID(int=(TIME // 1000 << 80) | 0x7 << 76 | number)) for one in game]
        for number, game in enumerate(played(count))
    ]
    folded(database, made)
    for game in made:
        key(database, game[0].stream, ADA, "play", "first"), key(database, game[0].stream, ADA, "play", "second")
        key(database, game[0].stream, BOB, "open_game", "mine")
    return made


def key(database: str, stream: UUID, player: UUID, operation: str, text: str) -> None:
    with connection_to(database) as connection:
        connection.execute(_KEEP, (player, operation, stream, text, stream))


def kept(database: str) -> list[UUID]:
    """The stream of each key that is there."""
    with connection_to(database) as connection:
        return [stream for (stream,) in connection.execute("SELECT stream FROM idempotency_keys ORDER BY stream")]


def pack(database: str, now: int, most: int = 3) -> list[Batch]:
    """Pack whatever is over, at this time."""
    with connection_to(database) as connection:
        return list(Packer((), now=lambda: now).batches(connection, LATER, most))


def last(games: Sequence[Sequence[AnyRecord]]) -> int:
    """When the last of these games changed last."""
    return max(game[-1].time for game in games)


def test_a_game_that_is_packed_a_week_after_its_last_change_takes_its_keys_along(database: str) -> None:
    games = games_of(database, 4)
    batches = pack(database, last(games) + KEPT + 1)
    assert [(batch.games, batch.keys) for batch in batches] == [(3, 9), (1, 3)]
    assert (kept(database), counted(database, "packed_games")) == ([], 4)


def test_a_game_that_is_packed_earlier_leaves_its_keys_for_the_rest_of_the_week(database: str) -> None:
    (game,) = games = games_of(database, 1)
    assert [batch.keys for batch in pack(database, last(games) + KEPT)] == [0]
    assert sum(batch.keys for batch in pack(database, last(games) + KEPT)) == 0
    assert kept(database) == [game[0].stream] * 3
    assert [batch.keys for batch in pack(database, last(games) + KEPT + 1000)] == [3]
    assert kept(database) == []
    assert pack(database, last(games) + KEPT + 1000) == []


def test_keys_of_games_that_are_not_packed_and_of_what_is_no_game_stay(database: str) -> None:
    games = games_of(database, 2)
    goes_on = [replace(one, stream=UUID(int=games[0][0].stream.int + 99)) for one in games[0][:3]]
    append(database, goes_on)
    key(database, goes_on[0].stream, ADA, "play", "first")
    key(database, LEAGUE, ADA, "found_league", "mine")
    pack(database, last(games) + 10 * KEPT)
    assert kept(database) == [LEAGUE, goes_on[0].stream]


def test_what_stands_under_nobodys_name_stays(database: str) -> None:
    """There is one rematch of a game for ever, and one game for each number of a fixture."""
    (game,) = games = games_of(database, 1)
    key(database, game[0].stream, NOBODY, "rematch", "rematch")
    pack(database, last(games) + 10 * KEPT)
    assert kept(database) == [game[0].stream]
    assert pack(database, last(games) + 10 * KEPT) == []


def test_a_change_after_packing_gives_the_keys_another_week(database: str) -> None:
    (game,) = games = games_of(database, 1)
    pack(database, last(games))
    again = last(games) + 3 * KEPT
    append(database, [replace(game[-1], version=len(game) + 1, step=game[-1].step + 1, time=again, event=Voided("x"))])
    assert [batch.games for batch in pack(database, again + 1)] == [0]
    assert len(kept(database)) == 3
    Worker(database).catch_up()
    assert [(batch.games, batch.keys) for batch in pack(database, again + KEPT)] == [(1, 0), (0, 0)]
    assert len(kept(database)) == 3
    assert [batch.keys for batch in pack(database, again + KEPT + 1000)] == [3]


def test_a_sweep_goes_a_few_streams_at_a_time_and_through_all(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    games = games_of(database, 7)
    pack(database, last(games), most=50)
    monkeypatch.setattr(packing_module, "_STREAMS", 2)
    assert [batch.keys for batch in pack(database, last(games) + KEPT + 1000)] == [6, 6, 6, 3]
    assert kept(database) == []


def test_a_damaged_game_keeps_its_keys_and_holds_nobody_up(database: str) -> None:
    games = games_of(database, 3)
    pack(database, last(games))
    with connection_to(database) as connection:
        connection.execute("UPDATE packed_games SET body = 'x' WHERE game = %s", [games[1][0].stream])
    pack(database, last(games) + 2 * KEPT)
    assert kept(database) == [games[1][0].stream] * 3


def test_keys_and_rows_go_together_or_not_at_all(database: str) -> None:
    """The packer's connection is cut while it waits for a key that somebody holds."""
    games = games_of(database, 3)
    some = "SELECT FROM idempotency_keys WHERE stream = %s FOR UPDATE"
    with held(database, some, games[0][0].stream) as release, ThreadPoolExecutor(1) as threads:
        packing = threads.submit(pack, database, last(games) + 2 * KEPT)
        waits(database)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
        with pytest.raises(StoreUnavailable):
            packing.result()
        release()
    assert counted(database, "packed_games") == 0
    assert (counted(database, "events"), len(kept(database))) == (sum(map(len, games)), 9)


_KEEP_OLD = """
INSERT INTO idempotency_keys (player, operation, target, key, body_hash, stream, first_version, last_version, kept_at)
VALUES (%s, 'rename_league /v1/leagues/x', %s, %s, 'hash', %s, 1, 1, now() - make_interval(days => %s))
"""


def swept(database: str) -> list[str]:
    """The keys that are left once the worker has nothing more to do."""
    aging = KeyAging()
    with psycopg.connect(database, autocommit=True) as connection:
        while aging(connection):
            pass
        assert not aging(connection)
        return [key for (key,) in connection.execute("SELECT key FROM idempotency_keys ORDER BY key")]


def test_old_keys_of_no_game_go_and_all_others_stay(database: str) -> None:
    (game,) = played(1)
    folded(database, [game])
    with psycopg.connect(database) as connection:
        for player, target, key, stream, days in (
            (ADA, NOBODY, "old", LEAGUE, KEPT_DAYS + 1),
            (ADA, NOBODY, "its own", ADA, KEPT_DAYS + 1),
            (ADA, NOBODY, "young", LEAGUE, KEPT_DAYS - 1),
            (ADA, NOBODY, "opening", game[0].stream, KEPT_DAYS + 1),
            (ADA, game[0].stream, "command", game[0].stream, KEPT_DAYS + 1),
            (NOBODY, NOBODY, "a day's contest", LEAGUE, KEPT_DAYS + 1),
        ):
            connection.execute(_KEEP_OLD, (player, target, key, stream, days))
    assert swept(database) == ["a day's contest", "command", "opening", "young"]


def test_many_keys_of_one_moment_all_go_past_those_that_stay(database: str) -> None:
    (game,) = played(1)
    folded(database, [game])
    batch = packing_module._AT_ONCE
    with psycopg.connect(database) as connection:  # one transaction: one moment
        for number in range(batch + 10):
            connection.execute(_KEEP_OLD, (ADA, NOBODY, f"a {number:04}", game[0].stream, KEPT_DAYS + 1))
            connection.execute(_KEEP_OLD, (ADA, NOBODY, f"b {number:04}", LEAGUE, KEPT_DAYS + 1))
    assert {key[0] for key in swept(database)} == {"a"}
