"""The WebSocket `/v1/play` (RFC 6455): a GET whose answer, 101, lasts as long as the line.

So quotas, request ids, counts and the bound on streams are those of every request, and a refusal is a problem document.
"""

from typing import Any

from litestar import Response

from service.accounts import sessions
from service.http.connections.upgraded import SOCKET, Socket
from service.http.front import Origins
from service.http.line import Line
from service.http.line_messages import PROTOCOL
from service.http.operation import Answer, Call, NoQuery, operation
from service.problems import refused_header


@operation(
    id="open_line", method="GET", path="/v1/play", tag="play", access="optional", scope=None,
    answers={101: Answer(type=None, says="The line is open.")},
)  # fmt: skip
async def open_line(call: Call[None, NoQuery]) -> Response[Any]:
    """Play and watch any number of games over one WebSocket."""
    scope: Any = call.request.scope
    socket: Socket | None = scope.get(SOCKET)
    if socket is None:
        raise refused_header("Upgrade", "Expected the upgrade to a WebSocket.", "websocket")
    if PROTOCOL not in socket.subprotocols:
        raise refused_header("Sec-WebSocket-Protocol", "Expected the version of the messages.", PROTOCOL)
    return _Upgrade(Line(call, socket, cookie=_takes_cookie(call)))


def _takes_cookie(call: Call[Any, Any]) -> bool:
    """Whether a session counts: not for pages of allowed origins; raises Refused for those of other sites."""
    origin = call.named.get(b"origin")
    if Origins(call.services.settings.allowed_origins).allows(origin):
        return False
    if origin is not None or sessions.uses_cookie(call.request):
        sessions.check_own_origin(call.request)
    return True


class _Upgrade(Response[None]):
    """The answer 101, after which the line is served."""

    def __init__(self, line: Line) -> None:
        super().__init__(None)
        self._line = line

    def to_asgi_response(self, *given: Any, **named: Any) -> Any:
        """The line itself."""
        return self._line.serve
