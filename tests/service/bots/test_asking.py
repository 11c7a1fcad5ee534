"""A service that is busy, away or in trouble is asked again, and hears the same thing."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from service.bots.asking import Answer, Gone, Refused, Service

SAID = b"HTTP/1.1 %d Said\r\ncontent-type: application/json\r\ncontent-length: %d\r\n%sconnection: close\r\n\r\n%s"
SLIPPED = b""
"""Closes the connection without an answer."""


def said(status: int, body: bytes = b"{}", **headers: int) -> bytes:
    """An answer in full."""
    lines = b"".join(f"{name.replace('_', '-')}: {value}\r\n".encode() for name, value in headers.items())
    return SAID % (status, len(body), lines, body)


def asked(answers: Sequence[bytes], path: str = "/v1/games/7/commands") -> tuple[Answer, list[str], list[str]]:
    """What comes of one POST with version 12 to a server that gives these answers, its heads, and what is said."""
    heads: list[str] = []
    sentences: list[str] = []

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode().lower())
        writer.write(answers[len(heads) - 1])
        await writer.drain()
        writer.close()

    async def asking() -> Answer:
        server = await asyncio.start_server(answering, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        service = Service(f"http://127.0.0.1:{port}", "kbz_x", sentences.append)
        async with server:
            return await service.say(path, {"type": "megiddo/place"}, version=12)

    return asyncio.run(asking()), heads, sentences


def _header(head: str, name: str) -> str:
    return next(line.partition(": ")[2] for line in head.splitlines() if line.startswith(name))


def test_it_is_the_same_command_with_the_same_key_until_there_is_an_answer() -> None:
    troubles = [SLIPPED, said(503, retry_after=0), said(429, retry_after=1), said(500), said(502, b"<html>")]
    answer, heads, _ = asked([*troubles, said(200, b'{"accepted": 1}')])
    assert (answer.accepted, answer.body) == (True, {"accepted": 1})
    assert len(heads) == 6
    assert len({_header(head, "idempotency-key") for head in heads}) == 1
    assert {_header(head, "if-match") for head in heads} == {'"12"'}


def test_it_says_once_that_the_service_is_away_and_once_that_it_is_back() -> None:
    _, _, sentences = asked([SLIPPED, SLIPPED, said(412)])
    assert sentences == ["The service is away; waiting for it.", "The service is back."]


@pytest.mark.parametrize("status", [404, 409, 412, 422])
def test_an_answer_that_is_a_no_is_an_answer(status: int) -> None:
    answer, heads, _ = asked([said(status)])
    assert (answer.status, answer.accepted, len(heads)) == (status, False, 1)


@pytest.mark.parametrize(("status", "kind"), [(401, "unauthenticated"), (403, "scope_missing")])
def test_a_token_that_is_not_good_enough_ends_it(status: int, kind: str) -> None:
    body = b'{"type": "/v1/problems/%s", "detail": "No such luck."}' % kind.encode()
    with pytest.raises(Refused, match="No such luck"):
        asked([said(status, body)])


def test_each_command_has_a_key_of_its_own() -> None:
    first, second = (_header(asked([said(200)])[1][0], "idempotency-key") for _ in range(2))
    assert first != second


def test_what_is_not_to_be_seen_is_gone(service: Any) -> None:
    async def looking() -> None:
        await Service(service.url, None, print).look("/v1/games/00000000-0000-7000-8000-000000000000")

    with pytest.raises(Gone):
        asyncio.run(looking())


def test_at_first_nobody_is_waited_for() -> None:
    async def asking() -> None:
        await Service("http://127.0.0.1:9", None, print).once("GET", "/v1/players/me")

    with pytest.raises(Refused, match="does not answer"):
        asyncio.run(asking())
