"""What can go wrong between a command and the log, each with one sentence."""

from uuid import UUID

from service.keys.sealing.errors import SealError


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


class SessionsPooled(EventStoreError):
    """A pooler answers where sessions of one's own are needed."""


class Fenced(StoreUnavailable):
    """The log's epoch has moved on since this writer read it: it reads it, and the leases, again."""

    def __init__(self) -> None:
        super().__init__("The log's epoch has moved on.")


class NotLeased(StoreUnavailable):
    """The game belongs to another process now. Nothing of the append is stored."""

    def __init__(self, slot: int | None) -> None:
        super().__init__(f"The games of slot {slot} belong to another process.")
        self.slot = slot


class UnknownTopic(EventStoreError):
    """An event or a command that no game type and no other part of this program knows."""

    def __init__(self, topic: str) -> None:
        super().__init__(f"This program knows no event or command {topic!r}.")
        self.topic = topic


class UnreadableRecord(EventStoreError):
    """Stored bytes whose topic is known but which do not fit it."""


class DamagedGame(UnreadableRecord):
    """The stored bytes of a packed game are not those that were written: nothing is read out of them."""

    def __init__(self, game: UUID, what: str) -> None:
        super().__init__(f"The packed game {game} is damaged: {what}.")
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
"""Whatever reading the log raises on purpose."""
