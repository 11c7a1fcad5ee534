"""The service itself: liveness, readiness, metrics, its description, and the kinds of problems."""

from typing import Any

from litestar import Response
from msgspec import Struct

from service import problems
from service.event_store.errors import StoreUnavailable
from service.metrics import exposition, read_position
from service.operation import Answer, Call, operation, reply
from service.problems import Refused

TAG = "service"
TEXT = "text/plain"


class Alive(Struct, frozen=True):
    """The process lives."""

    status: str = "alive"


class Ready(Struct, frozen=True):
    """The process serves: the log's newest position, and the position the read models stand at."""

    status: str
    log_position: int
    read_position: int


@operation(id="liveness", method="GET", path="/livez", tag=TAG, answers={200: Answer(type=Alive, says="It lives.")})
async def alive(call: Call[None, None]) -> Response[bytes]:
    """Tell that the process lives, whatever its database does."""
    return reply(Alive())


@operation(id="readiness", method="GET", path="/readyz", tag=TAG, answers={200: Answer(type=Ready, says="Ready.")})
async def ready(call: Call[None, None]) -> Response[bytes]:
    """Tell whether the service can answer: 503 without its database, or once another has taken over."""
    if not await call.services.store.leads():
        raise StoreUnavailable("Another service has taken the log over.")
    head = await call.services.store.head()
    return reply(Ready("ready", head, read_position(call.services, head)))


@operation(
    id="metrics", method="GET", path="/metrics", tag=TAG,
    answers={200: Answer(type=str, says="Metrics in the Prometheus text format.", media_types=(TEXT,))},
)  # fmt: skip
async def metrics(call: Call[None, None]) -> Response[str]:
    """Tell counts and times for Prometheus."""
    try:
        head = await call.services.store.head()
    except StoreUnavailable:
        head = -1
    return Response(exposition(call.services, head), media_type="text/plain; version=0.0.4; charset=utf-8")


@operation(
    id="openapi_document", method="GET", path="/v1/openapi.json", tag=TAG,
    answers={200: Answer(type=dict[str, Any], says="The OpenAPI 3.1 document.")},
)  # fmt: skip
async def document(call: Call[None, None]) -> Response[bytes]:
    """Give the OpenAPI document of this service."""
    return Response(call.request.app.state.openapi, media_type="application/json")


@operation(
    id="openapi_page", method="GET", path="/v1/docs", tag=TAG,
    answers={200: Answer(type=str, says="A page to browse.", media_types=("text/html",))},
)  # fmt: skip
async def page(call: Call[None, None]) -> Response[str]:
    """Show the OpenAPI document as a page to browse."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return Response(
        call.request.app.state.openapi_page, media_type="text/html; charset=utf-8",
        headers={"Content-Security-Policy": policy},
    )  # fmt: skip


class ProblemKind(Struct, frozen=True):
    """A kind of problem: its name, its status, and when it happens."""

    type: str
    status: int
    title: str
    when: str


class ProblemKinds(Struct, frozen=True):
    """Every kind of problem a client may meet."""

    kinds: tuple[ProblemKind, ...]


def _kind(name: str) -> ProblemKind:
    kind = problems.KINDS[name]
    return ProblemKind(f"/v1/problems/{name}", kind.status, kind.title, kind.when)


@operation(
    id="list_problems", method="GET", path="/v1/problems", tag=TAG,
    answers={200: Answer(type=ProblemKinds, says="The kinds of problems.")},
)  # fmt: skip
async def kinds(call: Call[None, None]) -> Response[bytes]:
    """List every kind of problem."""
    return reply(ProblemKinds(tuple(_kind(name) for name in problems.KINDS)))


@operation(
    id="get_problem", method="GET", path="/v1/problems/{kind:str}", tag=TAG, problems=("no_such_thing",),
    answers={200: Answer(type=ProblemKind, says="The kind of problem.")},
)  # fmt: skip
async def kind(call: Call[None, None]) -> Response[bytes]:
    """Explain a kind of problem: what a problem document's `type` points at."""
    if call.request.path_params["kind"] not in problems.KINDS:
        raise Refused("no_such_thing", "There is no such kind of problem.")
    return reply(_kind(call.request.path_params["kind"]))


HANDLERS = (alive, ready, metrics, document, page, kinds, kind)
