"""What can go wrong between a command and the log, each with one sentence."""

from uuid import UUID


class EventStoreError(Exception):
    """Whatever the event store raises on purpose."""


class StaleVersion(EventStoreError):
    """Somebody was faster: the stream has a record of this version. Nothing of the append is stored."""

    def __init__(self, stream: UUID) -> None:
        super().__init__(f"Stream {stream} has moved on since it was read.")
        self.stream = stream


class DuplicateCompanion(EventStoreError):
    """A companion statement met a row that is there already. Nothing of the append is stored."""

    def __init__(self, constraint: str) -> None:
        super().__init__(f"A row with this key is there already ({constraint}).")
        self.constraint = constraint


class StoreUnavailable(EventStoreError):
    """The database did not answer. After an append it is unknown whether it was stored: the idempotency key tells."""


class Fenced(StoreUnavailable):
    """Another writer has taken the log over; this one will never append again."""

    def __init__(self) -> None:
        super().__init__("Another writer has taken the log over.")


class UnknownTopic(EventStoreError):
    """An event or a command that no game type and no other part of this program knows."""

    def __init__(self, topic: str) -> None:
        super().__init__(f"This program knows no event or command {topic!r}.")
        self.topic = topic


class UnreadableRecord(EventStoreError):
    """Stored bytes whose topic is known but which do not fit it."""


class SchemaError(EventStoreError):
    """The database and this program do not fit together."""


class SchemaMissing(SchemaError):
    """The database was never migrated."""


class SchemaOutdated(SchemaError):
    """The database lacks migrations that this program needs."""


class SchemaNewer(SchemaError):
    """The database has migrations that this program does not know."""
