"""The fast path: commands and looks, the most frequent requests, skip the framework's router and its layers.

All other requests take the framework's way, also those with an unusual method or an unreadable id. Limits, the
operations' own checks and refusals are the same on both ways.
"""

import re
from collections.abc import Iterable
from typing import Any, cast
from uuid import UUID

from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Send

from service.http.front import BEGUN
from service.http.ready_response import answer
from service.http.refusals import error_response

OPERATIONS = {"post_command": "/commands", "get_game": ""}
"""Operation id -> its path after `/v1/games/{id}`."""
_GAME = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(/commands)?")
Way = tuple[HTTPRouteHandler, ASGIApp]


class FastPath:
    """The application with a fast path for OPERATIONS."""

    def __init__(self, app: ASGIApp, handlers: Iterable[HTTPRouteHandler]) -> None:
        self._app = app
        self._ways: dict[tuple[str, str], Way] = {
            (str(method), OPERATIONS[name]): (handler, _with_middleware(handler))
            for handler in handlers
            if (name := str(handler.name)) in OPERATIONS
            for method in handler.http_methods
        }

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Serve on the fast path if the request fits, else by the application.

        An error is answered as the framework does; once the answer has begun it is raised: the connection breaks off.
        """
        found = _GAME.fullmatch(scope["path"]) if scope["type"] == "http" else None
        way = None if found is None else self._ways.get((scope["method"], found[2] or ""))
        if found is None or way is None:
            await self._app(scope, receive, send)
            return
        scope["route_handler"], straight = way
        scope["path_params"] = {"game_id": UUID(found[1])}
        try:
            await straight(scope, receive, send)
        except Exception as error:
            if BEGUN in scope:
                raise
            request: Request[Any, Any, Any] = Request(scope, receive, send)
            await answer(error_response(request, error), request)


def _with_middleware(handler: HTTPRouteHandler) -> ASGIApp:
    app: Any = None
    for layer in reversed(handler.middleware or ()):
        app = cast(Any, layer)(app)
    return cast(ASGIApp, app)
