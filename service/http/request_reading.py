"""What is read of a request before its handler runs: the caller, the query, the body."""

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Request

from service.accounts import sessions
from service.accounts.access import Access, Caller
from service.http.bodies import check_encoding, media_type_of, read_body
from service.http.json_depth import WITH_INTEGERS, check_depth, check_members
from service.http.limits import weigh
from service.http.query import reader
from service.http.ready_response import JSON
from service.http.texts import read_text
from service.problems import Refused
from service.problems.patterns import in_words
from service.settings import Settings

if TYPE_CHECKING:
    from service.http.operation import Operation

_QUERIES = 1_000  # decoded queries kept for each operation


def header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str | None:
    """The first header of this name, in lower case, among those of a request."""
    for found, value in headers:
        if found == name:
            return value.decode("latin-1")
    return None


def query_reader(described: "Operation") -> Callable[[Request[Any, Any, Any]], Any]:
    """A reader of queries with a cache: the struct is immutable, so equal texts share it."""
    read, lately = reader(described.query), dict[bytes, Any]()

    def read_query(request: Request[Any, Any, Any]) -> Any:
        text = request.scope["query_string"]
        if (query := lately.get(text)) is None:
            if len(lately) >= _QUERIES:
                lately.clear()
            query = lately[text] = read(request.query_params.multi_items())
        return query

    return read_query


async def caller_of(
    request: Request[Any, Any, Any], authorization: str | None, described: "Operation"
) -> Caller | None:
    if described.access == "open":
        return None
    caller = await _find_caller(request, authorization)
    if caller is None:
        if described.access == "optional":
            return None
        raise Refused("unauthenticated", "This needs a token: Authorization: Bearer kbz_...")
    if described.scope not in caller.scopes:
        raise Refused("scope_missing", f"The token does not carry the scope `{described.scope}`.")
    return caller


async def _find_caller(request: Request[Any, Any, Any], authorization: str | None) -> Caller | None:
    if authorization is None:
        return await sessions.caller(request)
    access: Access = request.app.state.services.access
    return await access.caller(authorization)


def body_reader(described: "Operation") -> Callable[[Request[Any, Any, Any]], Awaitable[Any]]:
    if described.texts:
        return lambda request: read_text(request, tuple(described.texts))
    if described.body is None:
        return _no_body
    decoder = msgspec.json.Decoder(described.body)
    nothing = b"{}" if described.body_optional else b""

    async def read(request: Request[Any, Any, Any]) -> Any:
        _check_kind(request.scope["headers"])
        settings: Settings = request.app.state.services.settings
        body = await _read_json_bytes(request, settings.max_body_bytes, nothing)
        check_depth(body, settings.max_json_depth)
        found = decoded(decoder, body)
        check_members(body)
        return found

    return read


def _check_kind(headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Raises Refused for a body that is encoded or not JSON; the media type of an empty body is ignored."""
    check_encoding(headers)
    if media_type_of(headers) != JSON and _has_body(headers):
        raise Refused("unsupported_media_type", "The body must be application/json.")


def _has_body(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether the head announces a body that is not empty."""
    length = header(headers, b"content-length")
    return length != "0" if length is not None else header(headers, b"transfer-encoding") is not None


async def _read_json_bytes(request: Request[Any, Any, Any], most: int, nothing: bytes) -> bytes:
    """The body's bytes, or `nothing` for an empty body; also kept in the scope under `body`."""
    announced = header(request.scope["headers"], b"content-length")
    body = await read_body(request.receive, announced, most) or nothing
    if not body or body.isspace():
        raise Refused("malformed", "Body: it is empty, and this operation needs one of JSON.")
    weigh(request.scope, len(body))
    request.scope["body"] = body  # type: ignore[typeddict-unknown-key]
    return body


async def _no_body(request: Request[Any, Any, Any]) -> None:
    return None


def decoded(decoder: "msgspec.json.Decoder[Any]", body: bytes) -> Any:
    """The decoded body; raises Refused, which names the place of the error."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        if "got `float`" in str(error):
            return _with_integers(decoder, body)
        raise Refused("malformed", f"Body: {in_words(error)}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("malformed", f"Body: {in_words(error)}.") from error


def _with_integers(decoder: "msgspec.json.Decoder[Any]", body: bytes) -> Any:
    """The body decoded with `7.0` as an integer, as JSON Schema has it."""
    try:
        return msgspec.convert(WITH_INTEGERS.decode(body), decoder.type)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("malformed", f"Body: {in_words(error)}.") from error
