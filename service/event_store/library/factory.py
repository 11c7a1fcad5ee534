"""The persistence module: `PERSISTENCE_MODULE=service.event_store.library.factory` makes the library use our log.

Its mapper is our codec: records in, stored events out, and back.
"""

from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    Cipher,
    Compressor,
    InfrastructureFactory,
    Mapper,
    NotSupportedError,
    ProcessRecorder,
    StoredEvent,
    Transcoder,
)
from eventsourcing.utils import Environment, EnvType

from service.event_store.codec import Codec, place, standard_codec
from service.event_store.library.datastore import Log, OwnLog
from service.event_store.library.recorder import LogRecorder, StreamRecorder
from service.keys.sealing import Seals, is_sealed


class RecordMapper(Mapper[UUID]):
    """Maps records as they are: `stream` is the originator's id, `version` its version, the event's tag the topic.

    The transcoder is not used. A cipher or a compressor raises ValueError: the store reads the rows without them.
    """

    def __init__(
        self, transcoder: Transcoder, compressor: Compressor | None = None, cipher: Cipher | None = None
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
        state = stored_event.state
        stream, version = UUID(str(stored_event.originator_id)), stored_event.originator_version
        return self.codec.decode(state, place(stream, version, stored_event.topic) if is_sealed(state) else None)


DATABASE_URL, SEALING_KEYS = "DATABASE_URL", "SEALING_KEYS"


class LogFactory(InfrastructureFactory[Any]):
    """Makes our mapper and recorders over the given log and codec, else over the migrated database `DATABASE_URL` with
    the keys of the folder `SEALING_KEYS`. It never creates a table.

    Raises OSError where no database is named, as upstream's factories do.
    """

    def __init__(self, env: Environment | EnvType | None, log: Log | None = None, codec: Codec | None = None) -> None:
        super().__init__(env)
        self.datastore, self._codec = log or OwnLog(self._conninfo()), codec

    def _conninfo(self) -> str:
        conninfo = self.env.get(DATABASE_URL)
        if conninfo is None:
            raise OSError(f"No database is named: {DATABASE_URL} is not in the environment.")
        return conninfo

    def mapper(
        self, transcoder: Transcoder | None = None, mapper_class: type[Mapper[Any]] | None = None
    ) -> Mapper[Any]:
        """Our mapper, unless the environment names another."""
        named = mapper_class or (None if self.env.get(self.MAPPER_TOPIC) else RecordMapper)
        made = super().mapper(transcoder, named)
        if isinstance(made, RecordMapper):
            made.codec = self._codec or self._sealing_codec()
        return made

    def _sealing_codec(self) -> Codec:
        keys = self.env.get(SEALING_KEYS)
        return standard_codec().sealing(Seals(Path(keys)).read()) if keys else standard_codec()

    def application_recorder(self) -> ApplicationRecorder:
        """The recorder of the log."""
        return LogRecorder(self.datastore)

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        """The recorder of streams; there are no snapshots: a game of 150 events folds in well under a millisecond."""
        if purpose != "events":
            raise NotSupportedError(f"The log records events, not {purpose}.")
        return StreamRecorder(self.datastore)

    def tracking_recorder(self, tracking_recorder_class: type[Any] | None = None) -> Any:
        """Raises NotSupportedError: a projection stores its position with its documents."""
        raise NotSupportedError("A projection stores its position with its documents.")

    def process_recorder(self) -> ProcessRecorder:
        """Raises NotSupportedError, as `tracking_recorder`."""
        raise NotSupportedError("A projection stores its position with its documents.")

    def close(self) -> None:
        """Commit what has queued and close the connections."""
        self.datastore.close()
