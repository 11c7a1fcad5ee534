"""The same log through the eventsourcing library: its Application, Repository, notification log and subscription."""

from concurrent.futures import CancelledError, ThreadPoolExecutor
from uuid import uuid4

import pytest
from eventsourcing.application import AggregateNotFoundError
from eventsourcing.persistence import (
    InfrastructureFactory,
    IntegrityError,
    NotSupportedError,
    OperationalError,
    Tracking,
)
from eventsourcing.postgres import PostgresApplicationRecorder

from domain.games import REVISIONS, AnyGameType
from service.event_store.library import CardTable, LogFactory, LogRecorder, RecordMapper, StreamRecorder
from service.event_store.store import EventStore
from tests.stock_recorders import stock
from tests.waiting import until

from .made import on_a_loop, random_game, records
from .packed_logs import counted

GAME_TYPES = pytest.mark.parametrize("game_type", REVISIONS.values(), ids=lambda found: f"{found.key}-{found.revision}")


@GAME_TYPES
@pytest.mark.parametrize("ours", [True, False], ids=["our recorder", "stock recorder"])
def test_a_game_saved_step_by_step_is_loaded_as_it_stands_and_as_it_stood(
    database: str, game_type: AnyGameType, ours: bool
) -> None:
    played = random_game(game_type, 5)
    with CardTable({"DATABASE_URL": database} if ours else stock(database)) as table:
        for step in played:
            recordings = table.save_records(step.records)
            assert [recording.domain_event for recording in recordings] == list(step.records)
        halfway, end = played[len(played) // 2].game, played[-1].game
        assert table.game(end.id) == end
        assert table.game(end.id, halfway.version) == halfway


def test_the_environment_selects_the_recorder(database: str) -> None:
    with CardTable({"DATABASE_URL": database}) as table:
        assert isinstance(table.recorder, LogRecorder)
        assert isinstance(table.mapper, RecordMapper)
    with CardTable(stock(database)) as table:
        assert isinstance(table.recorder, PostgresApplicationRecorder)
        assert isinstance(table.mapper, RecordMapper)


def test_a_closed_table_ends_the_reads_under_way_and_refuses_others(database: str) -> None:
    table = CardTable({"DATABASE_URL": database})
    assert isinstance(table.factory, LogFactory)
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(table.factory.log.select, "SELECT pg_sleep(60)", [])
        until(lambda: counted(database, "pg_stat_activity WHERE query LIKE '%pg_sleep(60)' AND state = 'active'") == 1)
        table.close()
        with pytest.raises(CancelledError):
            reading.result(timeout=30)
    with pytest.raises(OperationalError, match="closed"):
        table.save_records(records(uuid4(), 1))
    table.close()


def test_the_notification_log_and_a_subscription_show_the_records_in_order(database: str) -> None:
    stream = uuid4()
    with CardTable({"DATABASE_URL": database}) as table:
        table.save_records(records(stream, 12))
        section = table.notification_log["1,10"]
        assert (section.id, section.next_id) == ("1,10", "11,20")
        with table.recorder.subscribe(gt=10) as subscription:
            heard = [table.mapper.to_domain_event(next(subscription)) for _ in range(2)]
        assert heard == records(stream, 2, after=10)


@on_a_loop
async def test_the_store_reads_what_the_application_saved_and_the_other_way_round(database: str) -> None:
    stream = uuid4()
    with CardTable({"DATABASE_URL": database}) as table:
        table.save_records(records(stream, 3))
        async with EventStore(database) as store:
            assert await store.records(stream) == records(stream, 3)
            await store.append(records(stream, 2, after=3))
        assert list(table.events.get(stream)) == records(stream, 5)


def test_the_factory_makes_what_the_schema_has_and_refuses_the_rest(database: str) -> None:
    env = {"PERSISTENCE_MODULE": "service.event_store.library", "DATABASE_URL": database}
    with InfrastructureFactory.construct(env) as factory:
        assert isinstance(factory, LogFactory)
        assert isinstance(factory.mapper(), RecordMapper)
        assert type(factory.aggregate_recorder()) is StreamRecorder
        recorder = factory.application_recorder()
        with pytest.raises(NotSupportedError):
            recorder.insert_events([], tracking=Tracking("elsewhere", 1))
        for missing in (
            factory.tracking_recorder,
            factory.process_recorder,
            lambda: factory.aggregate_recorder("snapshots"),
        ):
            with pytest.raises(NotSupportedError):
                missing()
        factory.close()
    with pytest.raises(ValueError, match="without compressor"):  # it would be written past the other readers
        CardTable({"DATABASE_URL": database, "COMPRESSOR_TOPIC": "zlib"})


def test_a_version_that_is_taken_and_a_game_that_is_not_there_are_refused(database: str) -> None:
    stream = uuid4()
    with CardTable({"DATABASE_URL": database}) as one, CardTable({"DATABASE_URL": database}) as other:
        one.save_records(records(stream, 1))
        with pytest.raises(IntegrityError):
            other.save_records(records(stream, 1))
        with pytest.raises(AggregateNotFoundError):
            one.game(uuid4())


@pytest.mark.parametrize(
    ("env", "refused", "words"),
    [
        ({}, OSError, "DATABASE_URL"),
        ({"DATABASE_URL": "host=/nowhere dbname=nothing"}, OperationalError, "does not answer"),
    ],
)
def test_an_environment_that_does_not_fit_is_refused_in_words(
    env: dict[str, str], refused: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with pytest.raises(refused, match=words):
        CardTable(env)
