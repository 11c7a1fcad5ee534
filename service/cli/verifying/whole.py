"""Whether the log is complete: positions are dense, so a removed record leaves a gap.

Verifying games one by one does not detect that a game's last records or its opening were removed.
"""

from typing import Any

from psycopg import Connection

from service.event_store.connections import unavailability

_COUNTED = """
SELECT head, (SELECT count(*) FROM events), (SELECT coalesce(sum(last_version), 0) FROM packed_games) FROM log
"""


def log_fault(connection: Connection[Any]) -> str | None:
    """A sentence if records are missing, or there are more than positions; raises StoreUnavailable.

    One statement, so one snapshot: records written meanwhile make no difference.
    """
    with unavailability():
        row = connection.execute(_COUNTED).fetchone()
    head, stored, packed = (0, 0, 0) if row is None else map(int, row)
    if head == stored + packed:
        return None
    told = f"{head} positions were given, and {stored + packed} records are there ({packed} of them packed)"
    return f"FAULT the log: {told}: records were removed or added."
