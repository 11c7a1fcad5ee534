"""The service itself: liveness, readiness, its description, and the kinds of problems."""

from typing import Annotated, Any, Literal

from litestar import Response
from msgspec import Meta, Struct
from msgspec.structs import asdict

from service import problems
from service.http.operation import Answer, Call, operation, reply
from service.http.refusals import respond
from service.http.security_headers import DOCUMENTS
from service.problems import Problem, Refused, problem
from service.workers.health import ProjectionState, Standing, WorkerState

TAG = "service"


class Alive(Struct, frozen=True):
    """The process lives."""

    status: str = "alive"


class Ready(Struct, frozen=True):
    """The process serves: the log's newest position, the one that every read model has reached, and how each stands.

    `missing_keys`: names of sealing keys that live games may be under and that this process does not have.
    """

    status: str
    log_position: int
    read_position: int
    projections: tuple[ProjectionState, ...]
    worker: WorkerState
    missing_keys: tuple[str, ...]


class NotReady(Problem, frozen=True, kw_only=True):
    """A problem that says what has stopped or is missing, with all that an answer of 200 has."""

    complaints: tuple[str, ...]
    failing: tuple[str, ...]
    log_position: int
    read_position: int
    projections: tuple[ProjectionState, ...]
    worker: WorkerState
    missing_keys: tuple[str, ...]


class ReadyQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What has to stand."""

    only: (
        Annotated[
            Literal["store"],
            Meta(description="`store`: ready as long as the store answers, whatever the read models do."),
        ]
        | None
    ) = None


@operation(id="liveness", method="GET", path="/livez", tag=TAG, answers={200: Answer(type=Alive, says="It lives.")})
async def liveness(call: Call[None, None]) -> Response[bytes]:
    """Tell that the process lives, whatever its database does."""
    return reply(Alive())


@operation(
    id="readiness", method="GET", path="/readyz", tag=TAG, query=ReadyQuery, problems=("not_ready",),
    answers={200: Answer(type=Ready, says="Ready.")},
)  # fmt: skip
async def readiness(call: Call[None, ReadyQuery]) -> Response[bytes]:
    """Tell whether all is as it should be: 503 once the store, a projection, the worker or a sealing key is missing.

    Also while nothing can be written, as on a full disk: what is there can be looked at all the same. The problem names
    what has stopped or is missing. Games are played all the same, all but those under such a key: a balancer that asks
    whether to send requests here had better ask with `only=store`.
    """
    found = await call.services.health.standing()
    health = call.services.health
    complaints = () if call.query.only else (*await health.unwritable(), *health.complaints(found))
    if complaints:
        return respond(_not_ready(found, complaints), Retry_After="5")
    return reply(Ready("ready", **_readiness_fields(found)))


def _readiness_fields(found: Standing) -> dict[str, Any]:
    """The fields that both answers share."""
    names = (name for name in Ready.__struct_fields__ if name != "status")
    return {name: getattr(found, name) for name in names}


def _not_ready(found: Standing, complaints: tuple[str, ...]) -> NotReady:
    told: dict[str, Any] = asdict(problem("not_ready", " ".join(complaints)))
    return NotReady(**told, complaints=complaints, failing=found.failing, **_readiness_fields(found))


@operation(
    id="openapi_document", method="GET", path="/v1/openapi.json", tag=TAG,
    answers={200: Answer(type=dict[str, Any], says="The OpenAPI 3.1 document.")},
)  # fmt: skip
async def openapi_document(call: Call[None, None]) -> Response[bytes]:
    """Give the OpenAPI document of this service."""
    return Response(call.request.app.state.openapi, media_type="application/json")


@operation(
    id="openapi_page", method="GET", path="/v1/docs", tag=TAG,
    answers={200: Answer(type=str, says="A page to browse.", media_types=("text/html",))},
)  # fmt: skip
async def get_openapi_page(call: Call[None, None]) -> Response[str]:
    """Show the OpenAPI document as a page to browse."""
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Response(
        call.request.app.state.openapi_page, media_type="text/html; charset=utf-8",
        headers={"Content-Security-Policy": policy, **DOCUMENTS},
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


HANDLERS = (liveness, readiness, openapi_document, get_openapi_page, kinds, kind)
