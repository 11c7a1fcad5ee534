"""The private PostgreSQL: started beside the service when no `DATABASE_URL` names another one."""

from service.postgres.folder import FolderInUse, NotOwner, PostgresError, PostgresUnavailable, WrongPostgresVersion
from service.postgres.server import Server, guard_server, join, private_server, start, stop

__all__ = [
    "FolderInUse",
    "NotOwner",
    "PostgresError",
    "PostgresUnavailable",
    "Server",
    "WrongPostgresVersion",
    "guard_server",
    "join",
    "private_server",
    "start",
    "stop",
]
