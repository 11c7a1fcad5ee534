"""OpenTelemetry traces, if an endpoint is set: request, decision, append, batch of the writer, fold.

Without one nothing of OpenTelemetry is imported, and a span costs one check. Spans hold ids, operations and
numbers, as log lines do: no path, no query, no text of an error.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # OpenTelemetry may be missing, and child processes, which import this, need no litestar
    from litestar.types import ASGIApp

    from service.telemetry.otlp import Otlp

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_otlp: "Otlp | None" = None
is_on = False
span: Callable[[str], AbstractContextManager[Any]] = nullcontext
"""A span for a `with` block, within the current one."""
batch: Callable[[Iterable[Any]], AbstractContextManager[Any]] = nullcontext
"""A span of the writer's batch, linked with the spans of its waiters."""


class TracesMissing(ValueError):
    """An endpoint is set, but OpenTelemetry is not installed."""


def begin(endpoint: str | None) -> None:
    """Start tracing if an endpoint is given or in the environment; raises TracesMissing."""
    global _otlp, is_on, span, batch
    if _otlp is not None or not (endpoint or any(os.environ.get(name) for name in _ENDPOINTS)):
        return
    try:
        from service.telemetry.otlp import Otlp
    except ImportError as error:
        raise TracesMissing("An endpoint for traces is set: pip install 'kibitz[traces]' first.") from error
    _otlp = Otlp(endpoint)
    is_on, span, batch = True, _otlp.span, _otlp.batch


def end() -> None:
    """Send what is left, and stop tracing."""
    global _otlp, is_on, span, batch
    ending, _otlp = _otlp, None
    is_on, span, batch = False, nullcontext, nullcontext
    if ending is not None:
        ending.close()


def with_tracing(app: "ASGIApp") -> "ASGIApp":
    """The application with a span for each request, if tracing is on."""
    return app if _otlp is None else _otlp.requests(app)


def note_queued(waiter: Any) -> None:
    """Note the current span for this waiter; the batch that stores its append will be linked with it."""
    if _otlp is not None:
        _otlp.queued(waiter)


def record_span(name: str, began: int, **numbers: int) -> None:
    """A span that began at this time (nanoseconds since 1970) and ends now."""
    if _otlp is not None:
        _otlp.passed(name, began, numbers)


def fields() -> dict[str, str]:
    """A log line's fields for the current trace."""
    return {} if _otlp is None else _otlp.fields()
