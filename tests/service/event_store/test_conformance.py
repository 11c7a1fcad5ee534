"""The recorders conform to the eventsourcing library: its own published test cases, run as they are.

Nothing in them is changed. Three of the library's cases are not run, because our schema rightly lacks what they test:
`TrackingRecorderTestCase` and `ProcessRecorderTestCase` (a projection stores its position with its documents, in
batches, not one event at a time) and `InfrastructureFactoryTestCase`, which demands both of them, snapshots,
ciphers and compressors. What our factory does make is tested in test_application.py.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest
from eventsourcing.persistence import AggregateRecorder, ApplicationRecorder

from service.event_store.datastore import LogDatastore
from service.event_store.recorder import LogRecorder, StreamRecorder


def published_cases() -> Any:
    """Upstream's module of test cases. It imports a cipher, from a package that we have no use for and that only
    the factory's cases need: an empty name stands in for it during the import.
    """
    cipher = ModuleType("eventsourcing.cipher")
    cipher.__dict__["AESCipher"] = None
    with patch.dict(sys.modules, {"eventsourcing.cipher": cipher}):
        return import_module("eventsourcing.tests.persistence")


upstream = published_cases()


class OnTheLog:
    """Gives each case a log of its own."""

    @pytest.fixture(autouse=True)
    def _log(self, database: str) -> Iterator[None]:
        self.datastore = LogDatastore(database)
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
