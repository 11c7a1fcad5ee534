"""Traces arrive at a collector once an endpoint is set; without one nothing that makes them is even imported."""

import subprocess
import sys
from pathlib import Path

from opentelemetry.proto.trace.v1.trace_pb2 import Span

from .collecting import Collector, attributes, collecting
from .playing import of, opened, say
from .serving import registered, serving
from .test_readiness import ready
from .test_watching import DRAW, FORBIDDEN
from .watching import lines, until

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
ROOT = Path(__file__).parents[2]
AT_ONCE = {"OTEL_BSP_SCHEDULE_DELAY": "100"}
"""Milliseconds between two exports: nothing waits for the one at the end, which has few seconds."""


def test_a_command_is_traced_from_the_request_to_the_batch_that_stored_it(database: str) -> None:
    with collecting() as collector:
        with serving(database, environment=AT_ONCE, traces_endpoint=collector.url, log_level="info") as service:
            ada = registered(service, "Ada")
            game = opened(ada, seed="my lucky text")
            say(ada, game, DRAW, headers={"traceparent": f"00-{TRACE}-{PARENT}-01", "request-id": "traced"})
            say(ada, game, FORBIDDEN, headers={"request-id": "forbidden"})
            until(lambda: ready(service)[1]["read_position"] == ready(service)[1]["log_position"])
            (line,) = lines(service, "command", "traced")
            until(lambda: has_come(collector))
        assert {"service.name": "kibitz"}.items() <= collector.resources[0].items()
        request = _request(collector, "traced")
        assert (request.trace_id.hex(), request.parent_span_id.hex()) == (TRACE, PARENT)
        assert line["trace_id"] == TRACE
        assert (attributes(request)["http.response.status_code"], request.kind) == (200, 2)
        within = {span.name: span for span in collector.spans if span.parent_span_id == request.span_id}
        assert within.keys() == {"decide", "append"}
        append = within["append"].span_id
        (batch,) = [one for one in collector.named("append batch") if append in [link.span_id for link in one.links]]
        assert [(link.trace_id.hex(), link.span_id) for link in batch.links] == [(TRACE, append)]
        assert attributes(batch)["kibitz.appends"] == 1
        assert any(attributes(one)["kibitz.events"] > 0 for one in collector.named("projection batch"))
        refused = _request(collector, "forbidden")
        (decided,) = [one for one in collector.named("decide") if one.parent_span_id == refused.span_id]
        assert attributes(decided)["error.type"] == "Illegal"
        for secret in (ada.token, "my lucky text", "foundation", of(game)):
            assert secret.encode() not in collector.raw


def _request(collector: Collector, name: str) -> Span:
    """The span of the command that was sent under this request id."""
    return next(one for one in collector.named("post_command") if attributes(one)["kibitz.request_id"] == name)


def has_come(collector: Collector) -> bool:
    """Whether both commands, the batch that stored one of them, and what was folded have come."""
    appends = {span.span_id for span in collector.named("append")}
    stored = {link.span_id for span in collector.named("append batch") for link in span.links}
    folded = any(attributes(span)["kibitz.events"] > 0 for span in collector.named("projection batch"))
    return len(collector.named("post_command")) == 2 and appends <= stored and folded


def test_an_endpoint_that_nobody_listens_at_hurts_no_request(database: str) -> None:
    with serving(database, traces_endpoint="http://127.0.0.1:9", run_worker=False) as service:
        ada = registered(service, "Ada")
        assert say(ada, opened(ada), DRAW).status_code == 200


def test_without_an_endpoint_nothing_that_traces_is_imported() -> None:
    program = (
        "import sys; from service.app import create_app; from service.settings import Settings\n"
        "create_app(Settings(), 'host=/nowhere'); print([name for name in sys.modules if name.startswith(TRACING)])"
    ).replace("TRACING", "('opentelemetry.sdk', 'opentelemetry.exporter', 'opentelemetry.trace')")
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT, timeout=60,
        env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert ran.stdout == "[]\n"
