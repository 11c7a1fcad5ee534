"""The service itself: liveness, readiness, its description, the kinds of problems, and the keys that it signs with."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Response
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from service import problems
from service.api.viewing import fill_struct
from service.cluster.leases import unreachable_text
from service.cluster.process_group import ProcessGroup
from service.http.openapi.document import EXAMPLE_OAUTH
from service.http.operation import Answer, Call, operation, reply
from service.http.refusals import respond
from service.http.representation import DOCUMENTS
from service.keys.signing import JwkSet, Ring
from service.problems import RULES, Problem, Refused, Rule, problem
from service.workers.health import Health, ProjectionState, WorkerState

TAG = "service"
REFERENCE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self';"
    " worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Redoc makes style elements of its own, and of its own text the worker that searches, which this policy holds, too."""


class Alive(Struct, frozen=True):
    """The process lives."""

    status: str = "alive"


class Ready(Struct, frozen=True):
    """The process serves: the log's newest position, the one that every read model has reached, and the state of each.

    `missing_keys`: names of sealing keys that live games may be under and that this process does not have.
    """

    status: str
    log_position: int
    read_position: int
    projections: tuple[ProjectionState, ...]
    worker: WorkerState
    missing_keys: tuple[str, ...]


class NotReady(Problem, frozen=True, kw_only=True):
    """A problem that names the stopped or missing parts, with all fields of an answer of 200."""

    complaints: tuple[str, ...]
    failing: tuple[str, ...]
    log_position: int
    read_position: int
    projections: tuple[ProjectionState, ...]
    worker: WorkerState
    missing_keys: tuple[str, ...]


class ReadyQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The parts that have to be ready."""

    only: (
        Annotated[
            Literal["store"],
            Meta(description="`store`: ready as long as the store answers; read models do not count."),
        ]
        | None
    ) = None


@operation(id="get_liveness", method="GET", path="/livez", tag=TAG, answers={200: Answer(type=Alive, says="It lives.")})
async def liveness(call: Call[None, None]) -> Response[bytes]:
    """Tell that the process lives; the database is not asked."""
    return reply(Alive())


@operation(
    id="get_readiness", method="GET", path="/readyz", tag=TAG, query=ReadyQuery, problems=("not_ready",),
    answers={200: Answer(type=Ready, says="Ready.")},
)  # fmt: skip
async def readiness(call: Call[None, ReadyQuery]) -> Response[bytes]:
    """Tell whether all parts work: 503 once the store, a projection, the worker or a sealing key is missing.

    Also while nothing can be written, as on a full disk, and while another process cannot be reached. The problem names
    the stopped or missing parts. Games can still be played, except those under a missing key: a load balancer should
    ask with `only=store`.
    """
    state = await call.area(Health).standing()
    health = call.area(Health)
    ways = map(unreachable_text, call.area(ProcessGroup).leases.unreachable)
    complaints = () if call.query.only else (*await health.unwritable(), *health.complaints(state), *ways)
    if complaints:
        members: dict[str, Any] = asdict(problem("not_ready", " ".join(complaints)))
        return respond(fill_struct(NotReady, state, **members, complaints=complaints), Retry_After="5")
    return reply(fill_struct(Ready, state, status="ready"))


@operation(
    id="get_openapi_document", method="GET", path="/v1/openapi.json", tag=TAG,
    answers={200: Answer(type=dict[str, Any], says="The OpenAPI 3.1 document.")},
)  # fmt: skip
async def openapi_document(call: Call[None, None]) -> Response[bytes]:
    """Give the OpenAPI document of this service."""
    address = msgspec.json.encode(f"{call.request.scope['scheme']}://{call.header(b'host')}/oauth/")[1:-1]
    document = call.request.app.state.openapi.replace(EXAMPLE_OAUTH.encode(), address)
    return Response(document, media_type="application/json")


@operation(
    id="get_asyncapi_document", method="GET", path="/v1/asyncapi.json", tag=TAG,
    answers={200: Answer(type=dict[str, Any], says="The AsyncAPI 3 document.")},
)  # fmt: skip
async def asyncapi_document(call: Call[None, None]) -> Response[bytes]:
    """Give the AsyncAPI document of this service: streams and webhooks, message by message.

    Its schemas are those of the OpenAPI document, to which it refers as `openapi.json`.
    """
    return Response(call.request.app.state.asyncapi, media_type="application/json")


@operation(
    id="get_reference_page", method="GET", path="/v1/docs", tag=TAG,
    answers={200: Answer(type=str, says="A page to browse.", media_types=("text/html",))},
)  # fmt: skip
async def get_reference_page(call: Call[None, None]) -> Response[str]:
    """Show the OpenAPI document as a page to browse."""
    headers = {"Content-Security-Policy": REFERENCE_POLICY, **DOCUMENTS}
    return Response(call.request.app.state.reference_page, media_type="text/html; charset=utf-8", headers=headers)


class ProblemKind(Struct, frozen=True, omit_defaults=True):
    """A kind of problem: its name, its status, and when it happens. `rules`: those that an `illegal` one may name."""

    type: str
    status: int
    title: str
    when: str
    rules: tuple[Rule, ...] = ()


class ProblemKinds(Struct, frozen=True):
    """Every kind of problem a client may meet. The list is whole: it has no pages."""

    kinds: tuple[ProblemKind, ...]


def _kind(name: str) -> ProblemKind:
    return fill_struct(ProblemKind, problems.KINDS[name], type=f"/v1/problems/{name}", rules=())


@operation(
    id="list_problems", method="GET", path="/v1/problems", tag=TAG,
    answers={200: Answer(type=ProblemKinds, says="The kinds of problems.")},
)  # fmt: skip
async def list_problems(call: Call[None, None]) -> Response[bytes]:
    """List every kind of problem."""
    return reply(ProblemKinds(tuple(_kind(name) for name in problems.KINDS)))


@operation(
    id="get_problem", method="GET", path="/v1/problems/{kind:str}", tag=TAG,
    answers={200: Answer(type=ProblemKind, says="The kind of problem.")},
)  # fmt: skip
async def get_problem(call: Call[None, None]) -> Response[bytes]:
    """Explain a kind of problem; the `type` of a problem document is the address of this.

    `illegal` has every rule that a refusal may name, with a sentence and the game types where it can come up.
    """
    if call.request.path_params["kind"] not in problems.KINDS:
        raise Refused("no_such_thing", "There is no such kind of problem.")
    kind = _kind(call.request.path_params["kind"])
    return reply(replace(kind, rules=RULES) if call.request.path_params["kind"] == "illegal" else kind)


@operation(
    id="list_keys", method="GET", path="/v1/keys", tag="records", answers={200: Answer(
        type=JwkSet, says="The keys, the oldest first, as a JWK set.",
        headers={"Cache-Control": "How long the answer may be kept."},
    )},
)  # fmt: skip
async def list_keys(call: Call[None, None]) -> Response[bytes]:
    """List the public keys that sign finished games: Ed25519, as JSON Web Keys (RFC 8037).

    `kid` is the name that a record's signature bears. A key that was replaced stays here, with the time until which it
    signed. Signed is tag `kibitz/record/1` and a zero byte, the game's id (16 bytes), its version (8 bytes, big-endian)
    and the digest of that version (32 bytes). Keep this set: a record can then be checked without this service.
    """
    return reply(call.area(Ring).public(), Cache_Control="public, max-age=300")
