"""Open files: every connection is one, and many systems give a program 1,024 unless it asks for more."""

from contextlib import suppress

_OTHERS = 200
"""Files that the service has open besides: the database, the listener, logs, keys."""


def room(connections: int) -> int:
    """How many of so many connections the system lets this process have; it asks for as many files first."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + connections // 4 + _OTHERS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard < 0 else min(wanted, hard), hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return connections if soft < 0 else max(1, min(connections, (soft - _OTHERS) * 4 // 5))
