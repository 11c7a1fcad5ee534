"""Forwarded requests, as bytes, and the requests that count as forwarded."""

import asyncio
import socket
import struct
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
import uvloop

from service.cluster.forwarding import (
    HOP,
    Answer,
    BrokenOff,
    Client,
    Request,
    RoutedRequest,
    TooLarge,
    Unreached,
    changed_game,
    forward_header,
    request_to_owner,
)
from tests.service.event_store.made import on_a_loop

GAME = "01890000-0000-7000-8000-000000000005"


def scope_of(path: str, method: str = "POST", headers: Sequence[tuple[bytes, bytes]] = ()) -> dict[str, Any]:
    """A request as a server gives it."""
    return {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"seat=1",
        "headers": list(headers), "client": ("10.0.0.9", 5000), "scheme": "https",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "game"),
    [
        (f"/v1/games/{GAME}/commands", GAME), (f"/v1/games/{GAME}", GAME), (f"/games/{GAME}/join", GAME),
        (f"/v1/games/{GAME.replace('-', '')}/join", GAME), ("/v1/games", None), ("/games/new/klondike", None),
        (f"/v1/records/{GAME}", None), ("/v1/players", None), (f"/x/games/{GAME}/", None),
    ],
)  # fmt: skip
def test_what_may_change_a_game_that_exists_is_known_by_its_path(path: str, game: str | None) -> None:
    assert changed_game(scope_of(path)) == (game and UUID(game))
    assert changed_game(scope_of(path, "GET")) is None


def test_the_owner_gets_the_request_with_its_secret_and_who_the_client_is() -> None:
    headers = [(b"host", b"kibitz.example"), (b"connection", b"close"), (HOP, b"forged"), (b"content-length", b"9")]
    request = request_to_owner(scope_of(f"/games/{GAME}/join", headers=headers), b"{}", "secret")
    assert request[:2] == ("POST", f"/games/{GAME}/join?seat=1".encode())
    assert request.headers == [
        (b"host", b"kibitz.example"), (b"content-length", b"2"), (b"kibitz-hop", b"secret https 10.0.0.9")
    ]  # fmt: skip
    assert request.body == b"{}"


def test_a_hop_that_cannot_be_read_is_none() -> None:
    for text in (b"", b"secret", b"secret https", b"a b c d"):
        assert forward_header(scope_of("/", headers=[(HOP, text)])) is None
    hop = forward_header(scope_of("/", headers=[(HOP, b"secret https ::1")]))
    assert hop is not None
    assert (hop.secret, hop.scheme, hop.client) == (b"secret", "https", "::1")


def routed(*parts: bytes, most: int = 100) -> tuple[RoutedRequest, list[Any]]:
    """A request whose body comes in these parts, and the messages of its answer."""
    left, sent = [{"type": "http.request", "body": part, "more_body": part != parts[-1]} for part in parts], list[Any]()

    async def receive() -> Any:
        return left.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    return RoutedRequest(UUID(GAME), receive, send, most), sent


@on_a_loop
async def test_a_body_can_be_read_again_and_an_answer_from_elsewhere_reaches_nobody() -> None:
    request, sent = routed(b"ab", b"cd")
    request.begin()
    assert (await request.receive())["body"] == b"ab"
    request.elsewhere = True
    await request.send({"type": "http.response.start"})
    assert sent == []
    assert await request.body() == await request.body() == b"abcd"
    await request.answer(Answer(204, [(b"etag", b"x")], b""))
    assert sent[0] == {"type": "http.response.start", "status": 204, "headers": [(b"etag", b"x")]}


@on_a_loop
async def test_a_body_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(TooLarge):
        await routed(b"a" * 60, b"b" * 60, b"c")[0].body()


REQUEST = Request("POST", b"/v1/a%20b?c=%2f", [(b"host", b"h"), (b"x-a", b"1"), (b"content-length", b"2")], b"{}")


async def answering(text: bytes, received: list[bytes] | None = None) -> tuple[Any, str]:
    """A server that answers every request with this text, and its address; `received`: the bytes of each connection."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        start = len(received or ())
        while part := await reader.read(65536):
            if received is not None:
                received[start:] = [b"".join(received[start:]) + part]
            if not part.endswith(b"{}"):
                continue
            writer.write(text)
            if not text:
                writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    return server, f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


@on_a_loop
async def test_the_client_reads_an_answer_and_keeps_the_connection() -> None:
    received: list[bytes] = []
    text = b"HTTP/1.1 200 OK\r\nDate: x\r\nETag: y\r\nContent-Length: 2\r\n\r\nok"
    server, address = await answering(text, received)
    client = Client()
    for _ in range(3):
        assert await client.ask(address, REQUEST, 60) == Answer(200, [(b"etag", b"y")], b"ok")
    request = b"POST /v1/a%20b?c=%2f HTTP/1.1\r\nhost: h\r\nx-a: 1\r\ncontent-length: 2\r\n\r\n{}"
    assert received == [3 * request]  # one connection, and every byte as it came
    client.close()
    server.close()


def test_a_process_that_dies_as_soon_as_it_was_reached_has_broken_off_or_was_not_reached() -> None:
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    threading.Thread(target=_reset_all, args=[listening], daemon=True).start()

    async def ask() -> None:
        client, address = Client(), f"127.0.0.1:{listening.getsockname()[1]}"
        for _ in range(150):
            together = [client.ask(address, REQUEST, 60) for _ in range(20)]
            results = await asyncio.gather(*together, return_exceptions=True)
            assert {type(error) for error in results} <= {BrokenOff, Unreached}, results
            time.sleep(0.001)  # the loop is busy, and hears of making and breaking at once
        client.close()

    with listening, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(ask())
        listening.shutdown(socket.SHUT_RDWR)


def _reset_all(listening: socket.socket) -> None:
    with suppress(OSError):
        while True:
            accepted, _ = listening.accept()
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            accepted.close()


@on_a_loop
async def test_the_client_tells_one_that_is_not_there_from_one_that_breaks_off() -> None:
    server, address = await answering(b"")
    client = Client()
    with pytest.raises(BrokenOff):
        await client.ask(address, REQUEST, 60)
    with pytest.raises(Unreached):
        await client.ask("127.0.0.1:1", REQUEST, 60)
    with pytest.raises(Unreached):
        await client.ask("", REQUEST, 60)
    client.close()
    server.close()


@on_a_loop
async def test_who_waits_for_a_process_that_is_gone_is_told_so_at_once() -> None:
    reached = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        reached.set()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    address, client = f"127.0.0.1:{server.sockets[0].getsockname()[1]}", Client()
    waiting = asyncio.create_task(client.ask(address, REQUEST, 60))
    await reached.wait()
    client.drop(address)
    later = asyncio.create_task(client.ask(address, REQUEST, 60))  # it has not heard yet that the process is gone
    with pytest.raises(BrokenOff):
        await asyncio.wait_for(waiting, 30)
    later.cancel()
    with pytest.raises(asyncio.CancelledError):
        await later
    client.close()
    server.close()
