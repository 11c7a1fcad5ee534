"""The baseline of HTTP: the same server and middleware around handlers that answer constants.

`python -m tests.benchmarks.constants` reads the two answers from stdin (a JSON array) and tells its port on stdout.
"""

import json
import sys
from contextlib import closing
from typing import Any

import msgspec
from litestar import Litestar, Request, Response
from litestar.handlers import HTTPRouteHandler

from service import logs, refusals
from service.cli.listening import bound
from service.cli.server import Server, configuration
from service.counting import count
from service.operation import JSON
from service.resources.play import Commands

_DECODER = msgspec.json.Decoder(Commands)


def command(answer: bytes) -> HTTPRouteHandler:
    """Decodes the body of a command and answers a constant."""

    async def play(request: Request[Any, Any, Any]) -> Response[bytes]:
        _DECODER.decode(await request.body())
        return Response(answer, media_type=JSON)

    return HTTPRouteHandler("/v1/games/{game_id:uuid}/commands", http_method="POST", status_code=200)(play)


def look(answer: bytes) -> HTTPRouteHandler:
    """Answers a constant."""

    async def look_at_game(request: Request[Any, Any, Any]) -> Response[bytes]:
        return Response(answer, media_type=JSON)

    return HTTPRouteHandler("/v1/games/{game_id:uuid}", http_method="GET", status_code=200)(look_at_game)


def main() -> None:
    """The program."""
    played, looked = json.loads(sys.stdin.readline())
    handlers: Any = refusals.HANDLERS
    app = Litestar(
        route_handlers=[command(played.encode()), look(looked.encode())], exception_handlers=handlers,
        middleware=[count], openapi_config=None, request_max_body_size=262_144,
    )  # fmt: skip
    logs.configure("warning")
    with closing(bound("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        Server(configuration(app), lambda: print(port, flush=True)).run(sockets=[listener])


if __name__ == "__main__":
    main()
