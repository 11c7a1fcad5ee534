"""The eventsourcing library's mapper over our codec: records in, stored events out, and back."""

from typing import Any
from uuid import UUID

from eventsourcing.persistence import Cipher, Compressor, Mapper, StoredEvent, Transcoder

from service.event_store.codec import AnyRecord, place, standard_codec
from service.keys.sealing import sealed


class RecordMapper(Mapper[UUID]):
    """Maps records as they are: `stream` is the originator's id, `version` its version, the event's tag the topic.

    The transcoder is not used. A cipher or a compressor is refused: the store reads the same rows without them.
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
        record: AnyRecord = domain_event
        return StoredEvent(record.stream, record.version, self.codec.topic(record), self.codec.encode(record))

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """The record of a stored event; raises UnknownTopic, UnreadableRecord or SealingKeyMissing."""
        state = stored_event.state
        stream, version = UUID(str(stored_event.originator_id)), stored_event.originator_version
        return self.codec.decode(state, place(stream, version, stored_event.topic) if sealed(state) else None)
