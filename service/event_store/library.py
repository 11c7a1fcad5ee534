"""Kibitz as an `eventsourcing` application: the log through the library's repository, mapper and recorders.

The service stores players, leagues, contests and rulings with it (`aggregates`), and a notebook can open a log with it.
Commands of games, which are the load, go to the event store directly. `PERSISTENCE_MODULE=service.event_store.library`
makes any application use our log. Upstream's own test cases show that the recorders conform.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, Self, TypeVar
from uuid import UUID

import psycopg
from eventsourcing import persistence
from eventsourcing.application import Application
from eventsourcing.persistence import Mapper, Notification, NotSupportedError, StoredEvent
from eventsourcing.utils import Environment, EnvType, retry

from domain.play.aggregate import Game
from domain.play.aggregate import fold as fold_game
from service.event_store import unsealing
from service.event_store.codec import AnyRecord, Codec, Packed, Recorded, place, standard_codec, unpacked_records
from service.event_store.connections import Rows, open_connection, unavailability
from service.event_store.errors import DuplicateCompanion, SchemaError, StaleVersion, StoreUnavailable
from service.event_store.reading import SELECT_HEAD, SELECT_PACKED
from service.event_store.store import BATCH, EventStore
from service.event_store.writing.rows import CHANNEL, Companion, Row
from service.keys.sealing import Seals, is_sealed
from service.telemetry.background import start_thread

R = TypeVar("R")


class Log:
    """A running event store for blocking code in threads: each call is a task of the store's event loop.

    The store's errors are not turned into the library's, whose retries would only delay the answer.
    """

    def __init__(self, store: EventStore) -> None:
        self.store = store

    def insert(self, rows: Sequence[Row], companions: Sequence[Companion] = ()) -> int:
        """Append rows, and companions with them; the position of the last, once durable."""
        return self.run(self.store.append_rows(rows, companions))

    def select(self, sql: str, params: Sequence[Any]) -> Rows:
        """The rows of a reading statement."""
        return self.run(self.store.query(sql, params))

    def run(self, work: Coroutine[Any, Any, R]) -> R:
        """Run this on the event loop; its result."""
        return asyncio.run_coroutine_threadsafe(work, self.store.loop).result()

    def close(self) -> None:
        """Does nothing: the store belongs to its opener."""


class OwnLog(Log):
    """The log of a database: a store on an event loop of its own, in a thread, with the library's errors.

    Opened at once; raises the library's OperationalError when the database is not there.
    """

    def __init__(self, conninfo: str, codec: Codec | None = None) -> None:
        super().__init__(EventStore(conninfo, codec))
        self.store.loop = asyncio.new_event_loop()
        self._thread = start_thread(self.store.loop.run_forever, "event-store-loop")
        try:
            self.run(self.store.open())
        except BaseException:
            self._end_loop()
            raise

    def run(self, work: Coroutine[Any, Any, R]) -> R:
        with library_errors():
            if not self._thread.is_alive():
                work.close()
                raise StoreUnavailable("The log is closed.")
            return super().run(work)

    def close(self) -> None:
        """Commit what has queued, cancel reads and close the connections."""
        if self._thread.is_alive():
            self.run(self._finish())
            self._end_loop()

    async def _finish(self) -> None:
        await self.store.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:  # else a thread would wait for its answer for ever
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _end_loop(self) -> None:
        self.store.loop.call_soon_threadsafe(self.store.loop.stop)
        self._thread.join()
        self.store.loop.close()


@contextmanager
def library_errors() -> Iterator[None]:
    """Turn our errors and the driver's into the library's, which its callers and retries expect."""
    try:
        with unavailability():
            yield
    except (StaleVersion, DuplicateCompanion, psycopg.IntegrityError) as error:
        raise persistence.IntegrityError(str(error)) from error
    except StoreUnavailable as error:
        raise persistence.OperationalError(str(error)) from error
    except psycopg.DataError as error:
        raise persistence.DataError(str(error)) from error
    except (SchemaError, psycopg.ProgrammingError) as error:
        raise persistence.ProgrammingError(str(error)) from error


class LogSubscription(persistence.ListenNotifySubscription["LogRecorder"]):
    """Notifications in the order of the log. Ends by raising OperationalError when its connection is lost."""

    def __init__(self, recorder: "LogRecorder", gt: int | None = None, topics: Sequence[str] = ()) -> None:
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        self._listening = start_thread(self._listen, "log-subscription")

    def __exit__(self, *args: object, **kwargs: Any) -> None:
        try:
            super().__exit__(*args, **kwargs)
        finally:
            self._listening.join()

    def _listen(self) -> None:
        try:
            with library_errors(), open_connection(self._recorder.log.store.session, "subscription") as connection:
                connection.execute(f"LISTEN {CHANNEL}".encode())
                self._has_been_notified.set()  # wake once for what was recorded before LISTEN
                while not self._has_been_stopped:
                    for _ in connection.notifies(timeout=0.1, stop_after=1):
                        self._has_been_notified.set()
        except Exception as error:  # noqa: BLE001  raised where the subscription is read
            self._thread_error = self._thread_error or error
            self.stop()


_PATIENTLY = retry((persistence.InterfaceError, persistence.OperationalError), max_attempts=10, wait=0.2)
"""Retries reads, as upstream's recorders do. Appends are never retried: a lost answer may belong to a stored event."""
_HAS_PACKED_AFTER = """
SELECT EXISTS (
    SELECT FROM packed_games WHERE int8range(first_position, last_position, '[]') && int8range(%s, NULL, '()'))
"""


class StreamRecorder(persistence.AggregateRecorder):
    """Records streams, without positions."""

    def __init__(self, log: Log) -> None:
        self.log = log

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Append events, all or none; raises IntegrityError, or OperationalError when the outcome is unknown."""
        self._insert(stored_events, **kwargs)
        return None

    def _insert(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> range:
        """The positions taken; dense, and in the order given."""
        if kwargs.get("tracking") is not None:
            raise NotSupportedError("The log keeps no tracking: a projection stores its position with its documents.")
        if not stored_events:
            return range(0)
        rows = [
            Row(_uuid(event.originator_id), event.originator_version, event.topic, event.state)
            for event in stored_events
        ]
        last = self.log.insert(rows, kwargs.get("companions", ()))
        return range(last - len(rows) + 1, last + 1)

    @_PATIENTLY
    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """The stored events of one stream, by version."""
        sql = (
            "SELECT stream, version, topic, state FROM events"
            " WHERE stream = %s AND version > coalesce(%s, -1) AND version <= coalesce(%s, 2147483647)"
            f" ORDER BY version {'DESC' if desc else 'ASC'} LIMIT %s"
        )
        rows = self.log.select(sql, [originator_id, gt, lte, limit])
        events = {row[1]: StoredEvent(*row) for row in rows}
        if (gt or 0) + 1 not in events:
            codec = self.log.store.codec
            for row in self.log.select(SELECT_PACKED, [originator_id]):
                for _, record in unpacked_records(Packed(*row), codec):
                    if (gt is None or record.version > gt) and (lte is None or record.version <= lte):
                        events.setdefault(record.version, StoredEvent(*codec.row(record)))
        return [events[version] for version in sorted(events, reverse=desc)][:limit]


class LogRecorder(StreamRecorder, persistence.ApplicationRecorder):
    """Records streams and the log of all of them; a notification's id is its position."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Append events, all or none; their positions."""
        return list(self._insert(stored_events, **kwargs))

    @_PATIENTLY
    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """The log from `start` to `stop`, by position."""
        after = -1 if start is None else start - inclusive_of_start
        sql = (
            "SELECT stream, version, topic, state, position FROM events"
            " WHERE position > %s AND (%s::bigint IS NULL OR position <= %s) AND (%s::text[] = '{}' OR topic = ANY(%s))"
            " ORDER BY position LIMIT %s"
        )
        rows = self.log.select(sql, [after, stop, stop, list(topics), list(topics), limit])
        if self.log.select(_HAS_PACKED_AFTER, [after]) == [(False,)]:
            return [Notification(*row) for row in rows]
        log = takewhile(lambda placed: stop is None or placed.position <= stop, self._records(after))
        notifications = (Notification(*self.log.store.codec.row(record), position) for position, record in log)
        return list(islice((each for each in notifications if not topics or each.topic in topics), limit))

    def _records(self, after: int) -> Iterator[Recorded]:
        """The log after this position up to its head, packed or not."""
        while batch := self.log.run(self.log.store.read_after(after, BATCH)):
            yield from batch
            after = batch[-1].position

    @_PATIENTLY
    def max_notification_id(self) -> int | None:
        """The head of the log; None while it is empty."""
        ((head,),) = self.log.select(SELECT_HEAD, [])
        return head or None

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> persistence.Subscription[persistence.ApplicationRecorder]:
        """Notifications after position `gt`, also of future records, one by one."""
        return LogSubscription(self, gt, topics)


def _uuid(stream: UUID | str) -> UUID:
    return stream if isinstance(stream, UUID) else UUID(stream)


class RecordMapper(Mapper[UUID]):
    """Maps records as they are: `stream` is the originator's id, `version` its version, the event's tag the topic.

    The transcoder is not used. A cipher or a compressor raises ValueError: the store reads the rows without them.
    """

    def __init__(
        self,
        transcoder: persistence.Transcoder,
        compressor: persistence.Compressor | None = None,
        cipher: persistence.Cipher | None = None,
    ) -> None:
        if compressor or cipher:
            raise ValueError("Records are stored without compressor and cipher.")
        super().__init__(transcoder)
        self.codec = standard_codec()

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """The stored event of a record; raises UnknownTopic."""
        return StoredEvent(*self.codec.row(domain_event))

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """The record of a stored event; raises UnknownTopic, UnreadableRecord or SealingKeyMissing."""
        state, topic = stored_event.state, stored_event.topic
        stream, version = _uuid(stored_event.originator_id), stored_event.originator_version
        return self.codec.decode(state, place(stream, version, topic) if is_sealed(state) else None)


class LogFactory(persistence.InfrastructureFactory[Any]):
    """Makes our mapper and recorders over the given log, else over the migrated database `DATABASE_URL` with the keys
    of the folder `SEALING_KEYS`. It never creates a table.

    Raises OSError where no database is named, as upstream's factories do.
    """

    def __init__(self, env: Environment | EnvType | None, log: Log | None = None) -> None:
        super().__init__(env)
        if log is None:
            conninfo, keys = self.env.get("DATABASE_URL"), self.env.get("SEALING_KEYS")
            if conninfo is None:
                raise OSError("No database is named: DATABASE_URL is not in the environment.")
            log = OwnLog(conninfo, standard_codec().sealing(Seals(Path(keys)).read()) if keys else None)
        self.log = log

    def mapper(
        self, transcoder: persistence.Transcoder | None = None, mapper_class: type[Mapper[Any]] | None = None
    ) -> Mapper[Any]:
        """Our mapper, unless the environment names another."""
        named = mapper_class or (None if self.env.get(self.MAPPER_TOPIC) else RecordMapper)
        mapper = super().mapper(transcoder, named)
        if isinstance(mapper, RecordMapper):
            mapper.codec = self.log.store.codec
        return mapper

    def application_recorder(self) -> persistence.ApplicationRecorder:
        """The recorder of the log."""
        return LogRecorder(self.log)

    def aggregate_recorder(self, purpose: str = "events") -> persistence.AggregateRecorder:
        """The recorder of streams; there are no snapshots: a game of 150 events folds in well under a millisecond."""
        if purpose != "events":
            raise NotSupportedError(f"The log records events, not {purpose}.")
        return StreamRecorder(self.log)

    def tracking_recorder(self, tracking_recorder_class: type[Any] | None = None) -> Any:
        """Raises NotSupportedError: a projection stores its position with its documents."""
        raise NotSupportedError("A projection stores its position with its documents.")

    def process_recorder(self) -> persistence.ProcessRecorder:
        """Raises NotSupportedError, as `tracking_recorder`."""
        raise NotSupportedError("A projection stores its position with its documents.")

    def close(self) -> None:
        """Commit what has queued and close the connections."""
        self.log.close()


class Aggregate(Protocol):
    """What the library asks of an aggregate that it keeps in its cache."""

    @property
    def version(self) -> int:
        """The version of its last record."""


A = TypeVar("A", bound=Aggregate)
Fold = Callable[[Iterable[AnyRecord], A | None], A]
"""Records, and the aggregate before them or None -> the aggregate after them."""


class Pending(NamedTuple):
    """Records to save, in the form that the library collects."""

    id: UUID
    records: Sequence[AnyRecord]

    def collect_events(self) -> Iterator[AnyRecord]:
        """The records, in order."""
        return iter(self.records)


class CardTable(Application[UUID]):
    """Saves records and loads what they fold to. `DATABASE_URL` names the database, `SEALING_KEYS` the folder of keys.

    The environment may name another persistence module, such as upstream's `eventsourcing.postgres`, the baseline for
    measuring ours. Blocking, for threads.
    """

    env: ClassVar[dict[str, str]] = {
        "PERSISTENCE_MODULE": "service.event_store.library",
        "MAPPER_TOPIC": "service.event_store.library:RecordMapper",
        "DEEPCOPY_FROM_AGGREGATE_CACHE": "no",  # our folds make frozen values
    }

    def __init__(self, env: dict[str, str] | None = None, log: Log | None = None) -> None:
        self._log = log
        super().__init__(env)

    @classmethod
    def over(cls, store: EventStore, cached: int = 0) -> Self:
        """The application over a running store; `cached`: how many aggregates it keeps folded."""
        return cls({cls.AGGREGATE_CACHE_MAXSIZE: str(cached)} if cached else {}, Log(store))

    def construct_factory(self, env: Environment) -> persistence.InfrastructureFactory[Any]:
        """Our factory over the given log; else the one that the environment names."""
        return super().construct_factory(env) if self._log is None else LogFactory(env, self._log)

    def save_records(
        self, records: Sequence[AnyRecord], companions: Sequence[Companion] = ()
    ) -> list[persistence.Recording[UUID]]:
        """Store records and companions, all or none; raises the library's IntegrityError if another writer was faster.

        Over a running store the store's errors are raised.
        """
        if self._log is not None:
            companions = (*companions, *unsealing.companions(records, self._log.store.codec.seals))
        pending: Any = Pending(records[0].stream, records)
        return self.save(pending, companions=companions) if companions else self.save(pending)

    def load(self, stream: UUID, kind: str | None, fold: Fold[A], version: int | None = None) -> A:
        """The fold of a stream's records, now or at a version; raises AggregateNotFoundError.

        `kind`: the expected kind of the stream (`player`, `league`); None: any that `fold` accepts.
        """

        def project(before: A | None, records: Iterator[AnyRecord]) -> A | None:
            new = list(records)
            if before is None and (not new or new[0].type != (kind or new[0].type)):
                return None
            return fold(new, before)

        projector: Any = project
        aggregate: A = self.repository.get(stream, version=version, projector_func=projector)
        if version is None:
            self.keep(stream, aggregate)
        return aggregate

    def keep(self, stream: UUID, aggregate: A) -> None:
        """Put an aggregate in the cache: the library only caches the first loaded, as it expects changes in place."""
        if self.repository.cache is not None:
            cached: Any = aggregate
            self.repository.cache.put(stream, cached)

    def game(self, game_id: UUID, version: int | None = None) -> Game:
        """The game now or at a version; raises AggregateNotFoundError."""
        return self.load(game_id, None, fold_game, version)
