"""The baseline of HTTP: the same server and middleware around handlers that answer constants.

`python -m tests.benchmarks.constants` reads the two answers from stdin (a JSON array) and tells its port on stdout.
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

from service import logs, refusals
from service.access import Access
from service.cli.garbage import settle_garbage_collector
from service.cli.listening import bound
from service.cli.server import configuration
from service.counting import count
from service.front import stand_before
from service.limits import limit, operations_quotas
from service.operation import JSON
from service.resources.play import Commands
from service.settings import Settings

_DECODER = msgspec.json.Decoder(Commands)


class Constant(uvicorn.Server):
    """The server, started as ours is: it tells its port when it is ready."""

    def __init__(self, config: uvicorn.Config, port: int) -> None:
        super().__init__(config)
        self._port = port

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        settle_garbage_collector()
        print(self._port, flush=True)


def command(answer: bytes) -> HTTPRouteHandler:
    """Decodes the body of a command and answers a constant."""

    async def play(request: Request[Any, Any, Any]) -> Response[bytes]:
        _DECODER.decode(await request.body())
        return Response(answer, media_type=JSON)

    return HTTPRouteHandler("/v1/games/{game_id:uuid}/commands", http_method="POST", name="play", status_code=200)(play)


def look(answer: bytes) -> HTTPRouteHandler:
    """Answers a constant."""

    async def look_at_game(request: Request[Any, Any, Any]) -> Response[bytes]:
        return Response(answer, media_type=JSON)

    return HTTPRouteHandler("/v1/games/{game_id:uuid}", http_method="GET", status_code=200)(look_at_game)


def main() -> None:
    """The program."""
    played, looked = json.loads(sys.stdin.readline())
    serve([command(played.encode()), look(looked.encode())])


def serve(routes: list[HTTPRouteHandler]) -> None:
    """These handlers behind what stands before ours, on a free port that is told."""
    settings, errors = Settings(rate_limit_per_minute=10**9), cast(Any, refusals.HANDLERS)
    handlers = limit(routes, operations_quotas(settings))
    app = Litestar(
        route_handlers=handlers, exception_handlers=errors, openapi_config=None, logging_config=None,
        request_max_body_size=settings.max_body_bytes,
    )  # fmt: skip
    stand_before(app, settings, Access(cast(Any, None)))  # it knows nobody by a token
    app.asgi_handler = count(app.asgi_handler)
    logs.configure("warning")
    with closing(bound("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        Constant(configuration(app), port).run(sockets=[listener])


if __name__ == "__main__":
    main()
