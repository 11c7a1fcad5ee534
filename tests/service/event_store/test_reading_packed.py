"""One log, wherever its records are: every reader finds what it found before games were packed."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Event
from uuid import UUID

import pytest

from domain.play.events import Opened, Voided
from projections import PROJECTIONS
from service.event_store import reading
from service.event_store.errors import DamagedGame
from service.event_store.library import LogFactory
from service.event_store.reading import all_games, read_log
from service.event_store.store import EventStore
from service.live.inbox import rebuild as rebuild_inbox
from service.workers.worker import rebuild
from tests.service.event_store.made import on_a_loop
from tests.service.worker.worker_logs import append, stored

from .packed_logs import connection_to, counted, filled, folded, log, pack, played, stream


def test_the_log_is_read_in_its_order_whatever_is_packed_and_however_much_at_a_time(database: str) -> None:
    filled(database)
    before = log(database)
    assert [one.position for one in before] == list(range(1, len(before) + 1))
    pack(database)
    assert counted(database, "packed_games") > 20
    assert counted(database, "events") > 30
    assert log(database, 1, len(before) - 60) == before[-60:]
    for limit in (17, 100, 500, len(before), 10**6):
        assert log(database, limit) == before
    for after in (1, len(before) // 2, len(before) - 1, len(before), len(before) + 5):
        assert log(database, after=after) == before[after:]


def test_a_batch_is_short_at_the_head_only(database: str) -> None:
    filled(database)
    count = len(log(database))
    pack(database)
    with connection_to(database) as connection:
        for after in range(0, count, 61):
            assert len(read_log(connection, after, 40)) == min(40, count - after)


def test_a_small_memory_for_unpacked_games_changes_nothing(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(database)
    before = log(database)
    pack(database)
    monkeypatch.setattr(reading, "UNPACKED", reading.UnpackedCache(30))
    assert log(database, 40) == before


@on_a_loop
async def test_streams_are_read_from_any_version_on(database: str) -> None:
    filled(database)
    whole: dict[UUID, list[object]] = {}
    for one in log(database):
        whole.setdefault(one.record.stream, []).append(one.record)
    pack(database)
    async with EventStore(database) as store:
        for game, records in whole.items():
            for after in (0, 1, len(records) - 1, len(records)):
                assert await store.records(game, after) == records[after:]
                assert stream(database, game, after) == records[after:]
        positions = [one.position for one in await store.read_after(3, 50)]
    assert positions == list(range(4, 54))


def test_every_read_model_is_rebuilt_to_the_same_bytes(database: str) -> None:
    filled(database, 40)
    before = stored(database)
    inbox = rebuild_inbox(database)
    pack(database)
    assert counted(database, "packed_games") > 30
    assert rebuild(database) == before
    assert stored(database) == before
    assert set(before) == set(PROJECTIONS)
    assert rebuild_inbox(database) == inbox


def test_what_is_recorded_of_a_packed_game_stands_behind_it_and_is_packed_later(database: str) -> None:
    filled(database)
    pack(database)
    (game,) = _some_game(database)
    records = stream(database, game)
    void = records[-1].__class__(
        game, len(records) + 1, records[-1].time + 1, records[-1].type, 1, records[-1].step + 1, None, None, None,
        Voided("fault"), b"d" * 32,
    )  # fmt: skip
    append(database, [void])
    before = log(database)
    assert before[-1].record == void
    assert stream(database, game) == [*records, void]
    assert stream(database, game, len(records)) == [void]
    assert stream(database, game, 2) == [*records[2:], void]
    rebuild(database)
    assert [batch.games for batch in pack(database) if batch.games] == [1]
    assert stream(database, game) == [*records, void]
    assert log(database) == before


def _some_game(database: str) -> list[UUID]:
    with connection_to(database) as connection:
        sql = "SELECT game FROM packed_games WHERE last_version > 8 ORDER BY first_position LIMIT 1"
        return [game for (game,) in connection.execute(sql)]


def test_every_game_is_listed_once_in_the_order_of_opening(database: str) -> None:
    filled(database)
    opened = [(one.position, one.record.stream) for one in log(database) if isinstance(one.record.event, Opened)]
    pack(database)
    with connection_to(database) as connection:
        assert list(all_games(connection)) == opened
        assert list(all_games(connection, opened[4][0])) == opened[5:]


def test_the_library_reads_packed_games_too(database: str) -> None:
    filled(database)
    factory = LogFactory({"DATABASE_URL": database})
    try:
        recorder = factory.application_recorder()
        notifications = recorder.select_notifications(None, 10**6)
        few = recorder.select_notifications(5, 40, stop=300, topics=["game/opened", "game/finished"])
        pack(database)
        (game,) = _some_game(database)
        of_game = [one for one in notifications if one.originator_id == game]
        assert recorder.select_notifications(None, 10**6) == notifications
        assert recorder.select_notifications(5, 40, stop=300, topics=["game/opened", "game/finished"]) == few
        found = [one.originator_version for one in recorder.select_events(game)]
        assert found == [one.originator_version for one in of_game]
        assert [one.originator_version for one in recorder.select_events(game, gt=2, lte=5)] == [3, 4, 5]
        assert [one.originator_version for one in recorder.select_events(game, desc=True, limit=2)] == found[:-3:-1]
    finally:
        factory.close()


def test_readers_find_everything_while_games_are_packed_under_them(database: str) -> None:
    filled(database, 40)
    before, ended = log(database), Event()
    games = sorted({one.record.stream for one in before}, key=str)
    whole = {game: [one.record for one in before if one.record.stream == game] for game in games}

    def read(seed: int) -> int:
        lots, rounds = Random(seed), 0
        while not ended.is_set() or rounds < 3:
            assert log(database, lots.choice((150, 333, 10**6))) == before
            for game in lots.sample(games, 10):
                assert stream(database, game) == whole[game]
            rounds += 1
        return rounds

    with ThreadPoolExecutor(3) as threads:
        readers = [threads.submit(read, seed) for seed in range(3)]
        try:
            pack(database, most=1)
        finally:
            ended.set()
        assert all(reader.result() >= 3 for reader in readers)
    assert counted(database, "packed_games") > 30


def test_damage_is_told_by_every_reader(database: str) -> None:
    filled(database)
    pack(database)
    (game,) = _some_game(database)
    with connection_to(database) as connection:
        sql = "UPDATE packed_games SET body = set_byte(body, 40, 255 - get_byte(body, 40)) WHERE game = %s"
        connection.execute(sql, (game,))
    reading.UNPACKED._games.clear()
    with pytest.raises(DamagedGame, match=str(game)):
        stream(database, game)
    with pytest.raises(DamagedGame, match=str(game)):
        log(database)


def test_a_log_with_partitions_of_an_earlier_release_is_written_read_and_packed(database: str) -> None:
    games = played(4)
    middle = sorted(game[0].stream for game in games)[2]
    with connection_to(database) as connection:
        connection.execute(
            f"CREATE TABLE events_20240301 (LIKE events_default INCLUDING ALL);"
            f"ALTER TABLE events ATTACH PARTITION events_20240301 FOR VALUES FROM ('{UUID(int=0)}') TO ('{middle}')"
        )
    folded(database, games)
    before = log(database)
    assert counted(database, "events_20240301")
    assert counted(database, "events_default")
    assert [one.position for one in before] == list(range(1, sum(map(len, games)) + 1))
    assert all(stream(database, game[0].stream) == game for game in games)
    assert sum(batch.games for batch in pack(database)) == 4
    assert counted(database, "events") == 0
    assert log(database) == before
