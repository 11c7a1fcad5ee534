"""What ends a command with one sentence."""

from service.event_store.errors import LOG_ERRORS
from service.http.connections.files import TooFewFiles
from service.postgres import PostgresError
from service.telemetry.tracing import TracesMissing


class Refusal(Exception):
    """The command cannot be done; the message is one sentence that says why and, where that helps, what to do."""


class Usage(Exception):
    """The command was called in a way that makes no sense."""


SAID_IN_ONE_SENTENCE = (Refusal, PostgresError, *LOG_ERRORS, TracesMissing, TooFewFiles)
