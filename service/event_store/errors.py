"""The errors of the event store, each with one sentence."""

from uuid import UUID

from service.keys.sealing import SealError


class EventStoreError(Exception):
    """Base of all errors that the event store raises on purpose."""


class StaleVersion(EventStoreError):
    """Another writer was faster: the stream has a record of this version. Nothing of the append is stored."""

    def __init__(self, stream: UUID) -> None:
        super().__init__(f"Stream {stream} has moved on since it was read.")
        self.stream = stream


class DuplicateCompanion(EventStoreError):
    """A companion statement violated a unique constraint. Nothing of the append is stored."""

    def __init__(self, constraint: str) -> None:
        super().__init__(f"A row with this key is there already ({constraint}).")
        self.constraint = constraint


class StoreUnavailable(EventStoreError):
    """The database did not answer. Whether an append was stored is unknown: the idempotency key tells."""


class SessionsPooled(EventStoreError):
    """A pooler answers where real sessions are needed."""


class Fenced(StoreUnavailable):
    """The log's epoch has moved on since this writer read it: epoch and leases must be read again."""

    def __init__(self) -> None:
        super().__init__("The log's epoch has moved on.")


class NotLeased(StoreUnavailable):
    """The game belongs to another process now. Nothing of the append is stored."""

    def __init__(self, slot: int | None) -> None:
        super().__init__(f"The games of slot {slot} belong to another process.")
        self.slot = slot


class UnknownTopic(EventStoreError):
    """An event or a command that no part of this program knows."""

    def __init__(self, topic: str) -> None:
        super().__init__(f"This program knows no event or command {topic!r}.")
        self.topic = topic


class UnreadableRecord(EventStoreError):
    """Stored bytes that do not fit their topic."""


class DamagedGame(UnreadableRecord):
    """A packed game's bytes do not match their digest or format: nothing is read from them."""

    def __init__(self, game: UUID, reason: str) -> None:
        super().__init__(f"The packed game {game} is damaged: {reason}.")
        self.game = game


class SchemaError(EventStoreError):
    """The database and this program do not fit together."""


class SchemaMissing(SchemaError):
    """The database was never migrated."""


class SchemaOutdated(SchemaError):
    """The database lacks migrations that this program needs."""


class SchemaNewer(SchemaError):
    """The database has migrations that this program does not know."""


LOG_ERRORS = (EventStoreError, SealError)
"""All errors that reading the log raises on purpose."""
