"""What can go wrong with the private PostgreSQL; every message is one sentence for the person at the terminal."""


class PostgresError(Exception):
    """Any refusal of this package."""


class PostgresUnavailable(PostgresError):
    """No server runs, or it could not be started, reached or stopped."""


class StillStarting(PostgresUnavailable):
    """The server was not ready in time, and goes on with its recovery."""


class FolderInUse(PostgresError):
    """Another process serves from this data folder."""


class WrongPostgresVersion(PostgresError):
    """The data folder or the binaries are of a major version other than the pinned one."""


class NotOwner(PostgresError):
    """A server that was only joined is not ours to stop."""
