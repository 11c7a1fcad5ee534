"""Open files: every connection is one, and many systems give a program 1,024 unless it asks for more."""

import resource
from contextlib import suppress

_OTHERS = 200
"""Files open besides client connections: the database, the listener, logs, keys."""
_FEWEST = 16
"""The fewest connections to start with, unless the setting asks for fewer."""


class TooFewFiles(Exception):
    """The system lets a process open too few files; the message says how many it needs."""


def allowed_connections(connections: int) -> int:
    """How many connections, up to `connections`, the file limit allows; raises the limit first where it can.

    Raises TooFewFiles.
    """
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
