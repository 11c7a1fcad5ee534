"""The stand-in: while no API process is up, the parent, which keeps the listener, answers 503.

Without it the system would accept connections that nobody answers.
"""

import socket
from contextlib import suppress
from time import monotonic

import structlog

from service.cli.ending import Refusal
from service.http.connections.answers import raw_answer
from service.problems import problem

PATIENCE = 3.0
"""Seconds within which a dead process is usually back: until then callers wait."""
_LAST = 60.0  # seconds after which a service that can neither restart nor answer ends
_MOMENT = 0.2  # seconds in which a request follows its connection
_MOST = 100  # callers that are answered between two looks
_ANSWER = raw_answer(problem("unavailable", "The service is starting again."), 1)
_log = structlog.get_logger("children")


class StandIn:
    """Answers callers of this listener, which the API processes share and have set to listen."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._alone_since = self._well_at = monotonic()
        listener.setblocking(False)

    def look(self, others: bool) -> None:
        """Answer all waiting callers, if no API process (`others`) has been up for 3 seconds.

        Raises Refusal if even that fails for a minute: the listener then closes, and clients are refused.
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
        """Read the request before answering: closing a connection with unread data loses the answer."""
        with caller, suppress(OSError):
            caller.settimeout(_MOMENT)
            with suppress(TimeoutError):
                caller.recv(65_536)
            caller.sendall(_ANSWER)
            caller.shutdown(socket.SHUT_WR)
