"""The problem document for every exception that ends a request."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import Send
from msgspec.structs import replace

from domain.game_type import Forbidden, Illegal, Missing
from service.event_store.errors import NotLeased, StaleVersion, StoreUnavailable
from service.http.negotiation import allow_header
from service.keys.sealing import SealingKeyMissing
from service.problems import KINDS, InputFault, Problem, Refused, ScopeMissing, problem
from service.telemetry import request_ids

MEDIA_TYPE = "application/problem+json"
_LOG = structlog.get_logger("requests")
_BROKE_OFF = "client disconnected prematurely"
"""Litestar's words, with status 500, for a client that left, or was cut off, within its body."""
_SECOND = ("cross_site", "not_your_seat", "forbidden", "unsupported_encoding")
KIND_OF_STATUS = {kind.status: name for name, kind in KINDS.items() if name not in _SECOND}


def encode_problem(told: Problem) -> bytes:
    """The problem document as JSON, with the id of the request under way."""
    return msgspec.json.encode(replace(told, request_id=request_ids.current() or None))


def respond(told: Problem, **headers: str) -> Response[bytes]:
    """The response of a problem document."""
    return Response(
        encode_problem(told), status_code=told.status, media_type=MEDIA_TYPE,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )  # fmt: skip


async def send_problem(send: Send, told: Problem, seconds: int | None = None) -> None:
    """Answer with this problem; `seconds`: Retry-After."""
    body = encode_problem(told)
    headers: Any = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body))]
    if seconds is not None:
        headers.append((b"retry-after", b"%d" % seconds))
    await send({"type": "http.response.start", "status": told.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _refused_response(request: Request[Any, Any, Any], error: Refused) -> Response[bytes]:
    headers = dict(_HEADERS.get(error.kind, {}))
    if isinstance(error, ScopeMissing):
        headers["WWW_Authenticate"] += f', scope="{error.scope}"'
    elif error.kind == "unauthenticated" and "authorization" in request.headers:
        headers["WWW_Authenticate"] += ', error="invalid_token"'
    return respond(error.problem, **headers)


def _illegal_response(request: Request[Any, Any, Any], error: Illegal) -> Response[bytes]:
    return respond(problem_of_rule(error))


def problem_of_rule(error: Illegal) -> Problem:
    """What the rules forbid to all now is 409, what they allow others only 403, what they do not find 404."""
    kind = "forbidden" if isinstance(error, Forbidden) else "no_such_thing" if isinstance(error, Missing) else "illegal"
    errors = (InputFault(error.message, pointer=error.pointer),) if error.pointer else ()
    return problem(kind, error.message, rule=error.rule, errors=errors)


def _unavailable_response(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    return respond(problem("unavailable", "The store cannot be reached; try again soon."), Retry_After="2")


def _not_leased_response(request: Request[Any, Any, Any], error: NotLeased) -> Response[bytes]:
    """The game moved to another process meanwhile: the request is forwarded, if it can be read again."""
    if (routed := cast(Any, request.scope).get("routed")) is not None:
        routed.elsewhere = True
    return _unavailable_response(request, error)


def _key_missing_response(request: Request[Any, Any, Any], error: SealingKeyMissing) -> Response[bytes]:
    """The game cannot be read until its key comes back; the log names the key once."""
    detail = f"What is hidden in the game is sealed under the key {error.key.hex()}, which the service does not have."
    return respond(problem("key_missing", detail), Retry_After="60")


def _stale_response(request: Request[Any, Any, Any], error: StaleVersion) -> Response[bytes]:
    return respond(problem("stale_version", "Somebody was faster; look again and repeat."))


def _framework_response(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Litestar's own refusals: unknown paths, methods, bodies too large."""
    kind = KIND_OF_STATUS.get(error.status_code, "malformed" if error.status_code < 500 else "broken")
    if error.detail == _BROKE_OFF:  # the client's doing, and nobody reads the answer
        kind = "too_slow"
    headers = _headers(error)
    return respond(problem(kind, _detail(kind, error.detail, headers)), **headers)


def _detail(kind: str, said: str, headers: Mapping[str, str]) -> str:
    """The framework's sentence where it is useful, else ours."""
    if "allow" in headers:
        return f"This path is for {headers['allow']}."
    return said if said and kind not in ("no_such_thing", "broken", "body_too_large") else KINDS[kind].when


def _headers(error: HTTPException) -> dict[str, str]:
    """The framework's headers, with HEAD added to `Allow`."""
    return {
        name: allow_header(value.split(", ")) if name == "allow" else value
        for name, value in (error.headers or {}).items()
    }


def _broken_response(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """A bug of ours: logged with its traceback (hidden cards have redacted reprs), answered without detail."""
    _LOG.error("request failed", method=request.method, path=request.url.path, exc_info=error)
    return respond(problem("broken", "A fault of the service; it has been logged."))


_HEADERS = {
    "busy": {"Retry_After": "5"},
    "not_acceptable": {"Vary": "Accept"},
    "unauthenticated": {"WWW_Authenticate": 'Bearer realm="kibitz"'},
    "unsupported_encoding": {"Accept_Encoding": "identity"},
    "upgrade_required": {"Upgrade": "websocket", "Connection": "Upgrade"},
    "scope_missing": {"WWW_Authenticate": 'Bearer realm="kibitz", error="insufficient_scope"'},
}

HANDLERS: dict[Any, Callable[..., Response[Any]]] = {
    Refused: _refused_response,
    Illegal: _illegal_response,
    StoreUnavailable: _unavailable_response,
    NotLeased: _not_leased_response,
    SealingKeyMissing: _key_missing_response,
    StaleVersion: _stale_response,
    HTTPException: _framework_response,
    Exception: _broken_response,
}


def error_response(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """The response for this error, by the handler that the framework would choose."""
    return next(HANDLERS[kind] for kind in type(error).__mro__ if kind in HANDLERS)(request, error)
