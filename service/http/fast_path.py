"""The straight way: what is asked most, a command and a look, does not pass the framework's router and its layers.

Everything else does, and everything of these that is out of the ordinary: another method, an id that is none. What
stands around the operations (limits, their own checks, refusals) is the same either way.
"""

import re
from collections.abc import Awaitable, Iterable
from typing import Any, cast
from uuid import UUID

from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Send

from service.http.ready_response import answer
from service.http.refusals import refused

OPERATIONS = {"play": "/commands", "look_at_game": ""}
"""The path of each behind that of its game."""
_GAME = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(/commands)?")
Way = tuple[HTTPRouteHandler, ASGIApp]


class Straight:
    """The application, but for these operations of it."""

    def __init__(self, app: ASGIApp, handlers: Iterable[HTTPRouteHandler]) -> None:
        self._app = app
        self._ways: dict[tuple[str, str], Way] = {
            (str(method), OPERATIONS[name]): (handler, _behind_its_layers(handler))
            for handler in handlers
            if (name := str(handler.name)) in OPERATIONS
            for method in handler.http_methods
        }

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """The same as the application's own."""
        found = _GAME.fullmatch(scope["path"]) if scope["type"] == "http" else None
        way = None if found is None else self._ways.get((scope["method"], found[2] or ""))
        if found is None or way is None:
            await self._app(scope, receive, send)
        else:
            scope["route_handler"], straight = way
            scope["path_params"] = {"game_id": UUID(found[1])}
            await self._gone(straight, scope, receive, send)

    async def _gone(self, straight: ASGIApp, scope: Any, receive: Receive, send: Send) -> None:
        """An error before the answer has begun is told as anywhere; one after it breaks the connection off."""
        begun = False

        def noting(message: Any) -> Awaitable[None]:
            nonlocal begun
            begun = True
            return send(message)

        try:
            await straight(scope, receive, noting)
        except Exception as error:
            if begun:
                raise
            request: Request[Any, Any, Any] = Request(scope, receive, send)
            await answer(refused(request, error), request)


def _behind_its_layers(handler: HTTPRouteHandler) -> ASGIApp:
    app: Any = None
    for layer in reversed(handler.middleware or ()):
        app = cast(Any, layer)(app)
    return cast(ASGIApp, app)
