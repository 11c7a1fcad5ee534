"""Packing games: which ones, whole batches or nothing, beside whoever writes, and after any interruption."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from random import Random
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.play.events import Finished, Revealed, Voided
from projections import PROJECTIONS
from service.event_store.codec import standard_codec
from service.event_store.errors import StoreUnavailable
from service.event_store.packing import Packer
from service.settings import Settings
from service.workers.maintenance import IdleMaintenance
from service.workers.worker import Worker
from tests.service.worker.worker_logs import append
from tests.waiting import until

from .packed_logs import LATER, connection_to, counted, filled, folded, held, log, pack, played, stream, waits

RECORDED = 1_700_000_000_000_000
_OTHERS = """
pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


def packed_ids(database: str) -> set[UUID]:
    with connection_to(database) as connection:
        return {game for (game,) in connection.execute("SELECT game FROM packed_games")}


def test_games_that_are_over_and_revealed_are_packed_and_their_rows_go(database: str) -> None:
    games = played()
    folded(database, games)
    batches = pack(database)
    assert sum(batch.games for batch in batches) == len(games) == counted(database, "packed_games")
    assert sum(batch.records for batch in batches) == sum(map(len, games))
    assert counted(database, "events") == 0
    assert pack(database) == []


def test_games_that_go_on_or_are_not_revealed_or_changed_lately_stay(database: str) -> None:
    first, second, third, fourth = played(4)
    goes_on = [record for record in first if not isinstance(record.event, Finished | Revealed)]
    goes_on = [replace(record, version=version) for version, record in enumerate(goes_on, 1)]
    hidden = second[:-1]
    assert isinstance(second[-1].event, Revealed)
    late = [*third[:-1], replace(third[-1], time=LATER)]
    folded(database, [goes_on, hidden, late, fourth])
    pack(database, before=LATER)
    assert packed_ids(database) == {fourth[0].stream}
    assert counted(database, "events") == len(goes_on) + len(hidden) + len(late)


def test_a_void_that_came_lately_keeps_a_game_from_being_packed(database: str) -> None:
    game, other = played(2)
    last = game[-1]
    void = replace(
        last, version=last.version + 1, time=RECORDED + 10**12, step=last.step + 1, command=None, event=Voided("x")
    )
    folded(database, [[*game, void], other])
    pack(database, before=RECORDED + 10**11)
    assert packed_ids(database) == {other[0].stream}
    pack(database)
    assert packed_ids(database) == {game[0].stream, other[0].stream}
    assert counted(database, "packed_endings") == 3


def test_nothing_is_packed_that_a_projection_has_not_passed(database: str) -> None:
    games = played(3)
    folded(database, games)
    with connection_to(database) as connection:
        assert list(Packer(["another projection"]).batches(connection, LATER)) == []
        connection.execute("UPDATE positions SET position = 0 WHERE projection = 'games'")
        assert list(Packer(PROJECTIONS).batches(connection, LATER)) == []
        connection.execute("UPDATE positions SET position = %s WHERE position = 0", [sum(map(len, games))])
        connection.execute(
            "INSERT INTO positions (projection, version, position, live) VALUES ('games', 999, 5, false)"
        )
        assert list(Packer(PROJECTIONS).batches(connection, LATER)) == []
        connection.execute("DELETE FROM positions WHERE NOT live")
        assert sum(batch.games for batch in Packer(PROJECTIONS).batches(connection, LATER)) == 3


def test_a_void_that_a_projection_has_not_passed_keeps_its_game_from_being_packed(database: str) -> None:
    (game,) = played(1)
    folded(database, [game])
    append(database, [replace(game[-1], version=len(game) + 1, step=game[-1].step + 1, event=Voided("x"))])
    assert sum(batch.games for batch in pack(database)) == 0
    Worker(database).catch_up()
    assert sum(batch.games for batch in pack(database)) == 1


def test_an_empty_store_has_nothing_to_pack(database: str) -> None:
    assert pack(database) == []


def test_one_packs_at_a_time(database: str) -> None:
    folded(database, played(3))
    with connection_to(database) as other, other.transaction():
        batch = Packer(()).batch(other, LATER, 1)
        assert batch is not None
        assert pack(database) == []
    assert sum(batch.games for batch in pack(database)) == 2


def test_a_game_that_cannot_be_read_stays_and_holds_nobody_up(database: str) -> None:
    games = played(3)
    folded(database, games)
    with connection_to(database) as connection:
        connection.execute("UPDATE events SET state = 'x' WHERE stream = %s AND version = 2", [games[1][0].stream])
    assert sum(batch.failed for batch in pack(database)) == 1
    assert packed_ids(database) == {games[0][0].stream, games[2][0].stream}
    assert counted(database, "events") == len(games[1])


def test_what_is_recorded_while_a_game_is_packed_stays_behind_it(database: str) -> None:
    (game,) = played(1)
    folded(database, [game])
    last = game[-1]
    void = replace(last, version=last.version + 1, step=last.step + 1, command=None, event=Voided("late"))
    with held(database, "LOCK TABLE packed_games IN SHARE MODE") as release, ThreadPoolExecutor(1) as threads:
        packing = threads.submit(pack, database)
        waits(database)  # with what it has read, before it writes
        append(database, [void])
        release()
        assert sum(batch.games for batch in packing.result()) >= 1
    assert stream(database, game[0].stream) == [*game, void]
    assert [one.record for one in log(database)] == [*game, void]


def test_a_packer_whose_connection_is_cut_between_insert_and_delete_has_changed_nothing(database: str) -> None:
    filled(database)
    before, rows = log(database), counted(database, "events")
    some = next(one.record.stream for one in before if isinstance(one.record.event, Revealed))
    row = "SELECT FROM events WHERE stream = %s ORDER BY version LIMIT 1 FOR UPDATE"
    with held(database, row, some) as release, ThreadPoolExecutor(1) as threads:
        packing = threads.submit(pack, database, most=1000)
        waits(database)
        with connection_to(database) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
        with pytest.raises(StoreUnavailable):
            packing.result()
        release()
    assert counted(database, "packed_games") == counted(database, "packed_endings") == 0
    assert counted(database, "events") == rows
    assert log(database) == before


def test_a_packer_that_is_killed_again_and_again_loses_nothing(database: str) -> None:
    filled(database, 40)
    before, lots, kills = log(database), Random(1), 0
    while _interrupted(database, lots.uniform(0.01, 0.05) if kills < 12 else 60):
        kills += 1
        assert log(database) == before
    assert kills >= 4
    assert counted(database, "packed_games") > 30
    assert log(database) == before


def _interrupted(database: str, seconds: float) -> bool:
    """Whether a packer had to be killed after so long, because it was not done."""
    process = multiprocessing.get_context("fork").Process(target=pack, args=(database,), kwargs={"most": 1})
    process.start()
    process.join(seconds)
    alive = process.is_alive()
    process.kill()
    process.join()
    until(lambda: counted(database, _OTHERS) == 0)  # what it had locked is free: else the next would leave at once
    assert alive or process.exitcode == 0
    return alive


def test_an_idle_worker_packs_where_a_setting_says_so(database: str) -> None:
    folded(database, played(5))
    worker = Worker(database, idle=IdleMaintenance(Settings(pack_when_idle=True), standard_codec()), poll=0.05)
    worker.start()
    try:
        until(lambda: counted(database, "packed_games") == 5)
    finally:
        worker.stop()
    assert counted(database, "events") == 0
