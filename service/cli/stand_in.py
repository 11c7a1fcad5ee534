"""The stand-in: the process that keeps the listener says 503 for those that it started, while none of them is up.

Without it a caller would be connected by the system, and never answered.
"""

import socket
from contextlib import suppress
from time import monotonic

import structlog

from service.cli.errors import Refusal
from service.http.connections.answers import raw
from service.problems import problem

PATIENCE = 3.0
"""Seconds in which a process that has died is usually back: callers wait for it."""
_LAST = 60.0  # seconds after which a service that neither comes back nor can say so ends
_MOMENT = 0.2  # seconds in which a request follows its connection
_MOST = 100  # callers that are answered between two looks
_ANSWER = raw(problem("unavailable", "The service is starting again."), 1)
_log = structlog.get_logger("children")


class StandIn:
    """Answers callers of this listener, which others share and make to listen."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._alone_since = self._well_at = monotonic()
        listener.setblocking(False)

    def look(self, others: bool) -> None:
        """Answer who has come, if there have been no others for a while.

        Raises Refusal where not even that could be done for long: clients are then refused, which they notice.
        """
        if others:
            self._alone_since = self._well_at = monotonic()
        elif monotonic() - self._alone_since > PATIENCE:
            self._answer_all()

    def _answer_all(self) -> None:
        try:
            for _ in range(_MOST):
                self._answer(self._listener.accept()[0])
        except BlockingIOError:
            self._well_at = monotonic()
        except OSError as error:
            _log.error("nobody can be answered", error=str(error))
            if monotonic() - self._well_at > _LAST:
                raise Refusal("No process can be started, and nobody can be answered: the service ends.") from error

    def _answer(self, caller: socket.socket) -> None:
        """A connection that is closed with a request unread would be reset, and the answer lost."""
        with caller, suppress(OSError):
            caller.settimeout(_MOMENT)
            with suppress(TimeoutError):
                caller.recv(65_536)
            caller.sendall(_ANSWER)
            caller.shutdown(socket.SHUT_WR)
