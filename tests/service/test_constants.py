"""The constants that commands and looks are measured against go the way of commands and looks."""

import asyncio
import socket
from contextlib import closing
from typing import Any
from uuid import UUID

import httpx
import pytest

from service.http.connections.answers import with_whole_answers
from tests.api.playing import of, opened
from tests.api.serving import registered, serving
from tests.benchmarks import constants
from tests.benchmarks.asking import Asking, Table
from tests.benchmarks.running import constants as serving_constants
from tests.benchmarks.running import stock
from tests.benchmarks.scripts import script

DRAW = {"type": "klondike/draw"}
PATH = f"/v1/games/{UUID(int=1)}"


def heads(answer: httpx.Response) -> list[str]:
    """Its headers' names in their order, but for what only one who is known is told."""
    return [name for name in answer.headers if name not in ("vary",)]


def test_the_constants_are_answered_with_the_same_bytes_and_headers(database: str) -> None:
    with serving(database) as service:
        player = registered(service, "Ada")
        game = opened(player)
        played, looked = player.post(of(game, "/commands"), DRAW), player.get(of(game))
    with serving_constants(played.content, looked.content) as served, httpx.Client(base_url=served.url) as http:
        for path, ours, theirs in (
            ("/commands", played, http.post(f"{PATH}/commands", json=DRAW)),
            ("", looked, http.get(PATH)),
        ):
            assert theirs.content == ours.content, path
            assert heads(theirs) == heads(ours), path
            assert abs(len(str(theirs.headers.raw)) - len(str(ours.headers.raw))) < 200, path


def test_an_answer_of_a_constant_leaves_in_one_write() -> None:
    with (
        serving_constants(b"{}", b'{"id":1}') as served,
        closing(socket.create_connection(("127.0.0.1", served.port))) as line,
    ):
        line.sendall(f"GET {PATH} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        assert line.recv(65_536).endswith(b'\r\n\r\n{"id":1}')


def test_a_constant_passes_the_router_by_as_commands_and_looks_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("the framework's router was asked")

    app = constants.application([constants.command(b"{}"), constants.look(b"{}")])
    monkeypatch.setattr(type(app.asgi_router), "__call__", refuse)
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b'{"type":"klondike/draw"}', "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    for method, path in (("GET", PATH), ("POST", f"{PATH}/commands")):
        scope: Any = {
            "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"", "app": app,
            "headers": [(b"host", b"a")], "client": ("127.0.0.1", 1), "scheme": "http", "state": {},
        }  # fmt: skip
        asyncio.run(with_whole_answers(app.asgi_handler)(scope, receive, send))
    assert [message["status"] for message in sent if "status" in message] == [200, 200]


def test_the_librarys_own_way_answers_a_command_as_ours_does(database: str) -> None:
    """It is one of the peers; what it refuses or cannot answer is not counted, and would only look slow."""
    with stock(database) as served, closing(Asking(served.port)) as asking:
        table = Table(served.port, "nobody")
        played = script("klondike", 0)
        answers = [asking.ask(one) for one in table.commands(table.opened(played), played)[:5]]
    assert [answer.status for answer in answers] == [200] * 5
