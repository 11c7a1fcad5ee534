"""The fence: what a writer knows of the leases, and the commit that holds only while they stand so."""

from collections.abc import Sequence
from typing import Any

from psycopg import Connection

from service.event_store.errors import Fenced, NotLeased
from service.event_store.writing.batch import Outcome, commit
from service.event_store.writing.rows import Append

_READ = "SELECT epoch, ARRAY(SELECT slot FROM leases WHERE process = %s) FROM log"
_TRIES = 20


class Fence:
    """The log's epoch as this writer read it, and the slots that were leased to its process then.

    Leases change only together with the epoch, and every append finds out under the log's row lock whether the epoch
    still stands. `process` is None for a writer that has no leases: it appends what needs none.
    """

    def __init__(self) -> None:
        self.process: int | None = None
        self.epoch = -1
        self._slots: frozenset[int] = frozenset()

    def read(self, connection: Connection[Any]) -> None:
        """How the leases stand now."""
        row = connection.execute(_READ, (self.process,)).fetchone()
        if row is None:
            raise ValueError("the log has lost its row")
        self.epoch, self._slots = int(row[0]), frozenset(row[1])

    def admits(self, append: Append) -> bool:
        """Whether the append needs no lease, or its slot is leased to us."""
        return append.slot is None or append.slot in self._slots

    def commit(self, connection: Connection[Any], appends: Sequence[Append], *, refused: bool = False) -> list[Outcome]:
        """Store these appends, in order; NotLeased for those whose slot is another's. Raises what `commit` raises.

        `refused`: all at once they were, and are not tried so again.
        """
        if not all(map(self.admits, appends)):
            self.read(connection)
        for _ in range(_TRIES):
            try:
                return self._committed(connection, appends, refused)
            except Fenced:
                self.read(connection)
        raise Fenced

    def _committed(self, connection: Connection[Any], appends: Sequence[Append], refused: bool) -> list[Outcome]:
        admitted = [append for append in appends if self.admits(append)]
        stored = iter(commit(connection, self.epoch, admitted, refused=refused) if admitted else ())
        return [next(stored) if self.admits(append) else NotLeased(append.slot) for append in appends]
