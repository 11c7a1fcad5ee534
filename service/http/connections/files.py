"""Open files: every connection is one, and many systems give a program 1,024 unless it asks for more."""

from contextlib import suppress

_OTHERS = 200
"""Files that the service has open besides: the database, the listener, logs, keys."""
_FEWEST = 16
"""Connections without which it is of no use, where no fewer are wished for."""


class TooFewFiles(Exception):
    """The system lets a process open too few files; the message says how many it needs."""


def room(connections: int) -> int:
    """How many of so many connections the system lets this process have; it asks for as many files first.

    Raises TooFewFiles.
    """
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
    found = connections if soft < 0 else min(connections, (soft - _OTHERS) * 4 // 5)
    if found < min(connections, _FEWEST):
        needed = _OTHERS + min(connections, _FEWEST) * 5 // 4
        raise TooFewFiles(
            f"This process may open {soft} files, and Kibitz needs {needed} at the least: allow it {wanted}, as with "
            f"`ulimit -n {wanted}` or LimitNOFILE={wanted} of systemd."
        )
    return found
