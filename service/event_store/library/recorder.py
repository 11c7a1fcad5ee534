"""The eventsourcing library's recorders over our log. Upstream's own test cases show that they conform."""

from collections.abc import Sequence
from itertools import islice, takewhile
from operator import itemgetter
from typing import Any
from uuid import UUID

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    InterfaceError,
    ListenNotifySubscription,
    Notification,
    NotSupportedError,
    OperationalError,
    StoredEvent,
    Subscription,
)
from eventsourcing.utils import retry

from service.event_store.connections import open_connection
from service.event_store.library.datastore import Log, library_errors
from service.event_store.packing import stored
from service.event_store.writing.rows import CHANNEL, Row
from service.telemetry.background import start_thread

_LOOK_UP = 0.1  # seconds between checks whether the subscription was stopped


class LogSubscription(ListenNotifySubscription["LogRecorder"]):
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
            self._wait_for_commits()
        except Exception as error:  # noqa: BLE001  raised where the subscription is read
            self._thread_error = self._thread_error or error
            self.stop()

    def _wait_for_commits(self) -> None:
        with library_errors(), open_connection(self._recorder.datastore.listen(), "subscription") as connection:
            connection.execute(f"LISTEN {CHANNEL}".encode())
            self._has_been_notified.set()  # wake once for what was recorded before LISTEN
            while not self._has_been_stopped:
                for _ in connection.notifies(timeout=_LOOK_UP, stop_after=1):
                    self._has_been_notified.set()


_PATIENTLY = retry((InterfaceError, OperationalError), max_attempts=10, wait=0.2)
"""Retries reads, as upstream's recorders do. Appends are never retried: a lost answer may belong to a stored event."""


class StreamRecorder(AggregateRecorder):
    """Records streams, without positions."""

    def __init__(self, datastore: Log) -> None:
        self.datastore = datastore

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
        last = self.datastore.insert([_row(event) for event in stored_events], kwargs.get("companions", ()))
        return range(last - len(stored_events) + 1, last + 1)

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
        rows = self.datastore.select(sql, [originator_id, gt, lte, limit])
        if rows and rows[-1 if desc else 0][1] == (gt or 0) + 1:
            return [StoredEvent(*row) for row in rows]
        packed = [
            one[:4] for one in stored.stream_rows(self.datastore.select, originator_id) if _is_within(one, gt, lte)
        ]
        both = sorted({row[1]: row for row in [*packed, *rows]}.values(), key=itemgetter(1), reverse=desc)
        return [StoredEvent(*row) for row in both[:limit]]


def _is_within(one: stored.StoredRow, gt: int | None, lte: int | None) -> bool:
    return (gt is None or one.version > gt) and (lte is None or one.version <= lte)


class LogRecorder(StreamRecorder, ApplicationRecorder):
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
        wanted, select = list(topics), self.datastore.select
        found = select(sql, [after, stop, stop, wanted, wanted, limit])
        if not stored.has_packed_behind(select, after):
            return [Notification(*row) for row in found]
        log = takewhile(lambda one: stop is None or one.position <= stop, stored.log_rows(select, after))
        told = (one for one in log if not wanted or one.topic in wanted)
        return [Notification(*one) for one in islice(told, limit)]

    @_PATIENTLY
    def max_notification_id(self) -> int | None:
        """The head of the log; None while it is empty."""
        ((head,),) = self.datastore.select("SELECT head FROM log", [])
        return head or None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        """Notifications after position `gt`, also of future records, one by one."""
        return LogSubscription(self, gt, topics)


def _row(event: StoredEvent) -> Row:
    stream = event.originator_id
    return Row(stream if isinstance(stream, UUID) else UUID(stream), event.originator_version, event.topic, event.state)
