"""The recorders conform to the eventsourcing library: its own published test cases, run as they are.

Nothing in them is changed. Three of the library's cases are not run, because our schema rightly lacks what they test:
`TrackingRecorderTestCase` and `ProcessRecorderTestCase` (a projection stores its position with its documents, in
batches, not one event at a time) and `InfrastructureFactoryTestCase`, which demands both of them, snapshots,
ciphers and compressors. What our factory does make is tested in test_application.py.
"""

from collections.abc import Iterator

import pytest
from eventsourcing.persistence import AggregateRecorder, ApplicationRecorder
from eventsourcing.tests import persistence as upstream

from service.event_store.library import LogRecorder, OwnLog, StreamRecorder


class OnTheLog:
    """Gives each case a log of its own."""

    @pytest.fixture(autouse=True)
    def _log(self, database: str) -> Iterator[None]:
        self.datastore = OwnLog(database)
        yield
        self.datastore.close()


class TestStreamRecorder(OnTheLog, upstream.AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        return StreamRecorder(self.datastore)


class TestLogRecorder(OnTheLog, upstream.ApplicationRecorderTestCase):
    def create_recorder(self) -> ApplicationRecorder:
        return LogRecorder(self.datastore)

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestPositionsDoNotInterleave(OnTheLog, upstream.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> ApplicationRecorder:
        return LogRecorder(self.datastore)
