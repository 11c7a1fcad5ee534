"""Open files: every connection is one, and many systems allow a program 1,024 unless it sets a higher limit."""

import resource
from contextlib import suppress

_OTHERS = 200
"""Open files that are no client connections: the database, the listener, logs, keys."""
_FEWEST = 16
"""The fewest connections to start with, unless the setting is lower."""


class TooFewFiles(Exception):
    """The system lets a process open too few files; the message says how many it needs."""


def allowed_connections(connections: int) -> int:
    """How many connections, up to `connections`, the file limit allows; raises the limit first where it can.

    Raises TooFewFiles.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = connections + connections // 4 + _OTHERS
    if soft != resource.RLIM_INFINITY and soft < files:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (files if hard < 0 else min(files, hard), hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = connections if soft < 0 else min(connections, (soft - _OTHERS) * 4 // 5)
    if allowed < min(connections, _FEWEST):
        needed = _OTHERS + min(connections, _FEWEST) * 5 // 4
        raise TooFewFiles(
            f"This process may open {soft} files, and Kibitz needs {needed} at the least: allow it {files}, as with "
            f"`ulimit -n {files}` or LimitNOFILE={files} of systemd."
        )
    return allowed
