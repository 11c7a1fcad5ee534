"""The baseline of HTTP: handlers that answer constants, on the very path that the service's own go.

The same server, layers, way past the framework's router, and answer whose head and body leave in one write. What is
left out is what the service does: whose token it is, the game, the rules, the log.
`python -m tests.benchmarks.constants` reads two answers from stdin (a JSON array) and tells its port on stdout.
"""

import json
import socket
import sys
from contextlib import closing
from typing import Any, cast

import msgspec
import uvicorn
from litestar import Litestar, Request, Response
from litestar.handlers import HTTPRouteHandler

from service.accounts.access import Access
from service.cli.children import settle_garbage_collector
from service.cli.server import bound_socket, configuration
from service.http import refusals
from service.http.connections.answers import with_whole_answers
from service.http.front import FastPath, install_front
from service.http.limits import limit, operations_quotas
from service.http.operation import Endpoint, direct_layer
from service.http.replies import JSON, Reply
from service.live import shapes
from service.settings import Settings
from service.telemetry import logs

COMMANDS = "/v1/games/{game_id:uuid}/commands"
_DECODER = msgspec.json.Decoder(shapes.AnyPlayCommand)


class Constant(uvicorn.Server):
    """The server, started as ours is: it tells its port when it is ready."""

    def __init__(self, config: uvicorn.Config, port: int) -> None:
        super().__init__(config)
        self._port = port

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        settle_garbage_collector()
        print(self._port, flush=True)


def handler(name: str, method: str, path: str, asked: Endpoint) -> HTTPRouteHandler:
    """A handler of this operation's name that is asked as the service's own are."""

    async def endpoint(request: Request[Any, Any, Any]) -> Response[Any]:
        return await asked(request)

    return HTTPRouteHandler(path, http_method=method, name=name, status_code=200, middleware=[direct_layer(asked)])(
        endpoint
    )


def command(answer: bytes) -> HTTPRouteHandler:
    """Decodes the body of a command and answers a constant."""

    async def play(request: Request[Any, Any, Any]) -> Response[bytes]:
        _DECODER.decode(await request.body())
        return _reply(answer, Log_Position="4711")

    return handler("post_command", "POST", COMMANDS, play)


def look(answer: bytes) -> HTTPRouteHandler:
    """Answers a constant."""

    async def look_at_game(request: Request[Any, Any, Any]) -> Response[bytes]:
        return _reply(answer)

    return handler("get_game", "GET", "/v1/games/{game_id:uuid}", look_at_game)


def page(answer: bytes) -> HTTPRouteHandler:
    """Answers a constant where the service itself goes through the framework's router: a board's page."""

    async def get_scoreboard(request: Request[Any, Any, Any]) -> Response[bytes]:
        return _reply(answer)

    return handler("get_scoreboard", "GET", "/v1/scoreboards/{game_type:str}", get_scoreboard)


def _reply(answer: bytes, **more: str) -> Reply:
    """With the headers that a command and a look have, too."""
    return Reply(answer, 200, JSON, {"ETag": '"42"', **{name.replace("_", "-"): text for name, text in more.items()}})


def main() -> None:
    """The program."""
    played, looked = json.loads(sys.stdin.readline())
    serve([command(played.encode()), look(looked.encode()), page(looked.encode())])


def serve(routes: list[HTTPRouteHandler]) -> None:
    """These handlers behind what stands before ours, on a free port that is told."""
    app = application(routes)
    logs.configure("warning")
    with closing(bound_socket("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        Constant(configuration(app), port).run(sockets=[listener])


def application(routes: list[HTTPRouteHandler]) -> Litestar:
    """These handlers within the layers that `service.app` puts around its own, in the same order."""
    settings, errors = Settings(rate_limit_per_minute=10**9), cast(Any, refusals.HANDLERS)
    handlers = limit(routes, operations_quotas(settings))
    app = Litestar(
        route_handlers=handlers, exception_handlers=errors, openapi_config=None, logging_config=None,
        request_max_body_size=settings.max_body_bytes,
    )  # fmt: skip
    app.asgi_handler = FastPath(app.asgi_handler, handlers)
    install_front(app, settings, Access(cast(Any, None)))  # it knows nobody by a token
    app.asgi_handler = with_whole_answers(app.asgi_handler)
    return app


if __name__ == "__main__":
    main()
