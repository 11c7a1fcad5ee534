"""The WebSocket `/v1/play` (RFC 6455) begins: a GET passes the whole application, and its answer lasts as long as it.

So quotas, request ids, counts and the bound on streams are those of every request, and a refusal is a problem document.
"""

from collections.abc import Awaitable
from typing import Any

from litestar import Response
from litestar.types import ASGIApp, Receive, Send

from service.accounts import sessions
from service.http.front import Origins
from service.http.line import Line, Socket
from service.http.line_messages import PROTOCOL
from service.http.operation import Answer, Call, NoQuery, operation
from service.problems import refused_header

_SOCKET = "socket"
"""The key in the scope of such a GET of its socket."""
_KEPT = frozenset((b"authorization", b"cookie", b"host", b"origin", b"sec-fetch-site", b"user-agent"))
_SCHEMES = {"ws": "http", "wss": "https"}


def with_lines(app: ASGIApp) -> ASGIApp:
    """The application, to which a WebSocket begins as a GET."""

    def serve(scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] != "websocket":
            return app(scope, receive, send)
        plain: Any = {**scope, "type": "http", "method": "GET", "scheme": _SCHEMES[scope["scheme"]], "extensions": {}}
        kept = [header for header in scope["headers"] if header[0] in _KEPT]
        socket = Socket(receive, send, app, plain | {"headers": kept, "state": dict(scope["state"])})
        return app(plain | {_SOCKET: socket}, receive, _upgrading(send))

    return serve


def _upgrading(send: Send) -> Send:
    async def answer(message: Any) -> None:
        if message["type"] == "http.response.start" and message["status"] == 101:
            message = {"type": "websocket.accept", "subprotocol": PROTOCOL, "headers": message["headers"]}
        else:
            message = {**message, "type": f"websocket.{message['type']}"}
        await send(message)

    return answer


@operation(
    id="open_line", method="GET", path="/v1/play", tag="play", access="optional", scope=None,
    answers={101: Answer(type=None, says="The line is open.")},
)  # fmt: skip
async def open_line(call: Call[None, NoQuery]) -> Response[Any]:
    """Play and watch any number of games over one WebSocket."""
    scope: Any = call.request.scope
    socket: Socket | None = scope.get(_SOCKET)
    if socket is None:
        raise refused_header("Upgrade", "Expected the upgrade to a WebSocket.", "websocket")
    if PROTOCOL not in socket.scope["subprotocols"]:
        raise refused_header("Sec-WebSocket-Protocol", "Expected the version of the messages.", PROTOCOL)
    _check_origin(call, socket)
    return _Upgrade(Line(call, socket))


def _check_origin(call: Call[Any, Any], socket: Socket) -> None:
    """Raises Refused for pages of other sites; to those of allowed origins a session's cookie is of no use."""
    origin = call.named.get(b"origin")
    if Origins(call.services.settings.allowed_origins).allows(origin):
        socket.scope["headers"] = [header for header in socket.scope["headers"] if header[0] != b"cookie"]
    elif origin is not None or sessions.uses_cookie(call.request):
        sessions.check_own_origin(call.request)


class _Upgrade(Response[None]):
    """The answer 101, after which the line is served."""

    def __init__(self, line: Line) -> None:
        super().__init__(None)
        self._line = line

    def to_asgi_response(self, *given: Any, **named: Any) -> Any:
        """The line itself."""
        return self._line.serve
