"""The eventsourcing library's own ProjectionRunner, on its own recorder, folding the same read models.

It is given our mapper and our folds; an event's documents are read and written together. What it brings itself is the
subscription, and one transaction for each event with its tracking.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Any

import psycopg
from eventsourcing.persistence import Tracking
from eventsourcing.postgres import PostgresTrackingRecorder
from eventsourcing.projection import Projection as LibraryProjection
from eventsourcing.projection import ProjectionRunner
from psycopg.rows import tuple_row

from domain.play.aggregate import AnyRecord
from projections import PROJECTIONS
from projections.engine import rows
from projections.engine.batches import StoredDocuments, fetch_wanted, wanted
from projections.engine.builds import builds, prepare
from projections.engine.contract import Placed, Projection, advance
from service.event_store.library import CardTable
from tests.stock_recorders import stock

from .measures import timed

_PATIENCE = 600.0  # seconds


class _Tables(LibraryProjection[PostgresTrackingRecorder]):
    """Every read model, an event at a time."""

    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        """The event's documents and its tracking in one transaction."""
        with self.view.datastore.transaction(commit=True) as cursor:
            placed = Placed(tracking.notification_id, domain_event)
            reading = [one for one in PROJECTIONS.values() if one.reads(placed.record)]
            if reading:
                theirs, cursor.connection.row_factory = cursor.connection.row_factory, tuple_row
                _written(cursor.connection, placed, reading)
                cursor.connection.row_factory = theirs
            self.view._insert_tracking(cursor, tracking)


class _TablesByTopic(_Tables):
    """The same, subscribed to the events that any of them reads."""

    topics = tuple(sorted(set().union(*(one.topics or () for one in PROJECTIONS.values()))))


def _written(connection: Any, placed: Placed, reading: Sequence[Projection]) -> None:
    standing = {build.projection: build._replace(position=1) for build in builds(connection)}
    kept = {one.name: StoredDocuments(connection, standing[one.name]) for one in reading}
    fetch_wanted(connection, [(kept[one.name], wanted(one, [placed])) for one in reading])
    for one in reading:
        advance(one, kept[one.name], 0, [placed])
    rows.write(connection, [documents.changes() for documents in kept.values()])


class Library:
    """A database of the library's own with these records in it."""

    def __init__(self, conninfo: str, records: Iterable[AnyRecord]) -> None:
        self._conninfo, self._env = conninfo, stock(conninfo)
        streams = dict[Any, list[AnyRecord]]()
        for record in records:
            streams.setdefault(record.stream, []).append(record)
        with CardTable(self._env) as table:
            saved = [one for game in streams.values() for one in table.save_records(game)]
        self.events = saved[-1].notification.id
        self._last = max(one.notification.id for one in saved if one.notification.topic in _TablesByTopic.topics)

    def seconds(self, topics: bool) -> float:
        """How long the runner takes from an empty read side to the last of the events."""
        with closing(psycopg.connect(self._conninfo, autocommit=True)) as connection:
            connection.execute("TRUNCATE positions, documents")
            connection.execute("DROP TABLE IF EXISTS notification_tracking")
            for name in ("_tables_tracking", "_tablesbytopic_tracking"):
                connection.execute(f"DROP TABLE IF EXISTS {name}".encode())
            prepare(connection, PROJECTIONS.values())
        return timed(lambda: self._run(_TablesByTopic if topics else _Tables))

    def _run(self, projection: type[_Tables]) -> None:
        env = self._env
        with ProjectionRunner(
            application_class=CardTable, projection_class=projection, view_class=PostgresTrackingRecorder, env=env
        ) as runner:
            runner.wait(self._last if projection.topics else self.events, timeout=_PATIENCE)
