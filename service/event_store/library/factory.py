"""The persistence module: `PERSISTENCE_MODULE=service.event_store.factory` makes the library use our log."""

from pathlib import Path
from typing import Any

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    InfrastructureFactory,
    Mapper,
    NotSupportedError,
    ProcessRecorder,
    Transcoder,
)
from eventsourcing.utils import Environment, EnvType

from service.event_store.codec import standard_codec
from service.event_store.library.datastore import LogDatastore
from service.event_store.library.mapper import RecordMapper
from service.event_store.library.recorder import LogRecorder, StreamRecorder
from service.keys.sealing import Seals

DATABASE_URL, SEALING_KEYS = "DATABASE_URL", "SEALING_KEYS"


class LogFactory(InfrastructureFactory[Any]):
    """Makes our mapper and recorders; `DATABASE_URL` names a migrated database. It never creates a table.

    Raises OSError without `DATABASE_URL`, as upstream's factories do.
    """

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        conninfo = self.env.get(DATABASE_URL)
        if conninfo is None:
            raise OSError(f"No database is named: {DATABASE_URL} is not in the environment.")
        self.datastore = LogDatastore(conninfo)

    def mapper(
        self, transcoder: Transcoder | None = None, mapper_class: type[Mapper[Any]] | None = None
    ) -> Mapper[Any]:
        """Our mapper, unless another is named; `SEALING_KEYS` names the folder of the keys that it seals with."""
        named = mapper_class or (None if self.env.get(self.MAPPER_TOPIC) else RecordMapper)
        made = super().mapper(transcoder, named)
        if (keys := self.env.get(SEALING_KEYS)) and isinstance(made, RecordMapper):
            made.codec = standard_codec().sealing(Seals(Path(keys)).read())
        return made

    def application_recorder(self) -> ApplicationRecorder:
        """The recorder of the log."""
        return LogRecorder(self.datastore)

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        """The recorder of streams; there are no snapshots: a game of 150 events folds in well under a millisecond."""
        if purpose != "events":
            raise NotSupportedError(f"The log records events, not {purpose}.")
        return StreamRecorder(self.datastore)

    def tracking_recorder(self, tracking_recorder_class: type[Any] | None = None) -> Any:
        """None: a projection stores its position with its documents."""
        raise NotSupportedError("A projection stores its position with its documents.")

    def process_recorder(self) -> ProcessRecorder:
        """None, for the same reason."""
        raise NotSupportedError("A projection stores its position with its documents.")

    def close(self) -> None:
        """Commit what has queued and let the connections go."""
        self.datastore.close()
