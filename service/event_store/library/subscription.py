"""A subscription of the eventsourcing library, woken by the log's own notifications."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from eventsourcing.persistence import ListenNotifySubscription

from service.event_store.connections import connected
from service.event_store.library.datastore import library_errors
from service.event_store.writing.rows import CHANNEL
from service.telemetry.background import start_thread

if TYPE_CHECKING:
    from service.event_store.library.recorder import LogRecorder

_LOOK_UP = 0.1  # seconds between looks at whether the subscription was stopped


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
            self._hear()
        except Exception as error:  # noqa: BLE001  handed to whoever iterates
            self._thread_error = self._thread_error or error
            self.stop()

    def _hear(self) -> None:
        with library_errors(), connected(self._recorder.datastore.conninfo, "subscription") as connection:
            connection.execute(f"LISTEN {CHANNEL}".encode())
            self._has_been_notified.set()  # what was recorded before the listening began
            while not self._has_been_stopped:
                for _ in connection.notifies(timeout=_LOOK_UP, stop_after=1):
                    self._has_been_notified.set()
