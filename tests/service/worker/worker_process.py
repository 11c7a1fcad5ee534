"""A worker as a process of its own, for tests that kill it: small batches, so that it is killed among them.

`worker_process.py CONNINFO BATCH [POSITION SECONDS]`: so long after it has read as far as there it kills itself. Nobody
else could be sure to kill it in the middle: whoever watches may look too late.
"""

import os
import signal
import sys
from threading import Timer
from typing import Any

from service.event_store.reading import TopicBatch, read_topics
from service.workers.worker import Worker


class Doomed:
    """Reads the log, and has the process killed some seconds after the read at this position."""

    def __init__(self, position: str, seconds: str) -> None:
        self._position = int(position)
        self._end = Timer(float(seconds), os.kill, (os.getpid(), signal.SIGKILL))

    def __call__(self, connection: Any, after: int, limit: int, topics: frozenset[str] | None) -> TopicBatch:
        if after >= self._position and self._end.ident is None:
            self._end.start()
        return read_topics(connection, after, limit, topics)


if __name__ == "__main__":
    database, batch, *doom = sys.argv[1:]
    Worker(database, batch=int(batch), poll=0.2, read=Doomed(*doom) if doom else read_topics).run()
