"""The spans themselves, sent by OTLP over HTTP in batches by a thread of OpenTelemetry's SDK."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from litestar.types import ASGIApp, Message, Receive, Scope, Send
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Link, Span, SpanContext, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.telemetry import request_ids
from service.telemetry.background import start_thread

_PATIENCE = 3.0  # seconds
_CONTEXT = (b"traceparent", b"tracestate")


class Otlp:
    """Makes spans and sends them to `endpoint` (`/v1/traces` is added), or where the environment says."""

    def __init__(self, endpoint: str | None) -> None:
        named = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": "kibitz"}
        self._provider = TracerProvider(resource=Resource.create(named), shutdown_on_exit=False)
        address = None if endpoint is None else endpoint.rstrip("/") + "/v1/traces"
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=address)))
        self._tracer = self._provider.get_tracer("kibitz")
        self._waiting: WeakKeyDictionary[Any, SpanContext] = WeakKeyDictionary()
        self._propagator = TraceContextTextMapPropagator()

    def close(self) -> None:
        """Send what is left, if the collector takes it soon."""
        start_thread(self._provider.shutdown, "traces").join(_PATIENCE)

    def requests(self, app: ASGIApp) -> ASGIApp:
        """A span for each request, within the one that its `traceparent` names."""

        async def traced(scope: Scope, receive: Receive, send: Send) -> None:
            given = {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in _CONTEXT}
            parent = self._propagator.extract(given)
            with self._start_span("request", context=parent, kind=SpanKind.SERVER) as span:

                async def sent(message: Message) -> None:
                    if message["type"] == "http.response.start":
                        _note_answer(span, scope, message["status"])
                    await send(message)

                await app(scope, receive, sent)

        return traced

    def _start_span(self, name: str, **how: Any) -> AbstractContextManager[Span]:
        """Start a span that never records an error's text, which may name hidden cards."""
        return self._tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False, **how)

    @contextmanager
    def span(self, name: str) -> Iterator[Span]:
        """A span within the current one; for an error it has the class only."""
        with self._start_span(name) as span:
            try:
                yield span
            except Exception as error:
                span.set_attribute("error.type", type(error).__name__)
                raise

    def queued(self, waiter: Any) -> None:
        """Note the span; it gets the position of what it appends, which the worker's spans name too."""
        span = trace.get_current_span()
        self._waiting[waiter] = span.get_span_context()
        waiter.add_done_callback(
            lambda done: done.cancelled() or done.exception() or span.set_attribute("kibitz.position", done.result())
        )

    @contextmanager
    def batch(self, waiters: Iterable[Any]) -> Iterator[Span]:
        """A batch's span, linked with its waiters'."""
        waiting = list(waiters)
        links = [Link(found) for waiter in waiting if (found := self._waiting.pop(waiter, None)) is not None]
        attributes = {"kibitz.appends": len(waiting)}
        with self._start_span("append batch", links=links, attributes=attributes) as span:
            yield span

    def passed(self, name: str, began: int, numbers: Mapping[str, int]) -> None:
        attributes = {f"kibitz.{key}": value for key, value in numbers.items()}
        self._tracer.start_span(name, start_time=began, attributes=attributes).end()

    def fields(self) -> dict[str, str]:
        found = trace.get_current_span().get_span_context()
        return {"trace_id": f"{found.trace_id:032x}", "span_id": f"{found.span_id:016x}"} if found.is_valid else {}


def _note_answer(span: Span, scope: Any, status: int) -> None:
    """Name the span after the operation, never the path, and note the status."""
    handler = scope.get("route_handler")
    name = (handler.name if handler is not None else None) or "unknown"
    span.update_name(name)
    span.set_attribute("http.request.method", scope["method"])
    span.set_attribute("http.response.status_code", status)
    span.set_attribute("kibitz.request_id", request_ids.current())
    if status >= 500:
        span.set_status(Status(StatusCode.ERROR))
