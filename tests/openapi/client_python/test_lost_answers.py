"""Answers that are lost, connections that break, a service that is restarted: nothing is missed or done twice."""

import asyncio
import math
import signal
import time
from collections.abc import Sequence

import httpx
import pytest
from kibitz_client import Kibitz, KibitzError, RateLimited, Retries, Unavailable, Unreachable, sync, types
from kibitz_client.calls import prepare
from kibitz_client.operations import OPERATIONS
from kibitz_client.retries import Attempts

from service.http.limits import MINUTE
from service.postgres import Server
from tests.api.serving import Service, database_of, serving
from tests.service.event_store.made import on_a_loop

from .between import between

BRISK = Retries(patience=20, first=0.01, longest=0.05)
DRAW = types.KlondikeDraw()
SAID = b"HTTP/1.1 %d Said\r\ncontent-type: application/json\r\ncontent-length: %d\r\n%sconnection: close\r\n\r\n%s"
SLIPPED = b""
"""Closes the connection without an answer."""


def test_a_command_whose_answer_was_lost_is_sent_again_with_its_key_and_done_once(address: str) -> None:
    with between(address) as wire, sync.Kibitz(wire.address, retries=BRISK) as ada:
        ada.register("Ada")
        game = ada.games.create("klondike")
        wire.path, wire.drop = b"/commands", 3
        answer = game.play(DRAW)
        assert wire.drop == 0
        assert len(wire.keys()) == 4
        assert len(set(wire.keys())) == 1
        assert (answer.accepted, game.refresh().step) == (1, 1)
        game.play(DRAW)
        assert len(set(wire.keys())) == 2
        wire.path, wire.drop = b"/v1/games", 1
        ada.games.create("golf")
        assert len(list(ada.games.list(player_id=ada.account.me().id, game_type="golf"))) == 1


def test_what_takes_no_key_is_not_sent_twice(address: str) -> None:
    with between(address) as wire, sync.Kibitz(wire.address, retries=BRISK) as ada:
        wire.path, wire.drop = b"/v1/players", 1
        with pytest.raises(Unreachable):
            ada.register("Ada")
        assert (wire.drop, len(wire.heads)) == (0, 1)
        assert ada.register("Ada").player.name == "Ada"


@on_a_loop
async def test_a_stream_that_was_cut_goes_on_behind_the_last_frame(address: str) -> None:
    with between(address) as wire:
        async with Kibitz(address) as ada, Kibitz(wire.address, retries=BRISK) as onlooker:
            await ada.register("Ada")
            game = await ada.games.create("klondike")
            seen: list[types.Frame] = []
            async for frame in (await onlooker.games.get(game.id)).follow():
                seen.append(frame)
                wire.cut()
                if frame.step == 6:
                    await game.resign()
                elif not game.over:
                    await game.play(DRAW)
            assert [frame.step for frame in seen] == list(range(8))
            asked = [head for head in wire.heads if b"/events" in head]
            assert len([head for head in asked if b"last-event-id" in head.lower()]) >= 6


def test_streams_go_on_over_a_restart_of_the_service(postgres: Server, template_database: str) -> None:
    """Killed, and another one is started on the same database; the game, the account and the feed are followed."""

    async def follow(address: str, conninfo: str, first: Service) -> None:
        async with Kibitz(address, retries=BRISK) as ada:
            await ada.register("Ada")
            game = await ada.games.create("klondike")
            await game.play(DRAW)
            frames: list[types.Frame] = []
            lines: list[types.FeedLine] = []

            async def read_frames() -> None:
                async for frame in (await ada.games.get(game.id)).follow():
                    frames.append(frame)

            async def read_feed() -> None:
                async for line in ada.feed(follow=True):
                    lines.append(line)
                    return

            reading = asyncio.gather(read_frames(), read_feed())
            while len(frames) < 2:
                await asyncio.sleep(0.01)
            first.end(signal.SIGKILL)
            resigning = asyncio.create_task(game.resign())
            await asyncio.sleep(0.2)
            assert not resigning.done()
            with serving(conninfo) as second:
                wire.target = second.url
                assert (await resigning).accepted == 1
                await reading
        assert [frame.step for frame in frames] == [0, 1, 2]
        assert frames[-1].status == "finished"
        assert [line.game.id for line in lines] == [game.id]

    with database_of(postgres, template_database) as conninfo, serving(conninfo) as first, between(first.url) as wire:
        asyncio.run(follow(wire.address, conninfo, first))


def said(status: int, body: bytes = b"{}", **headers: int) -> bytes:
    """An answer in full."""
    lines = b"".join(f"{name.replace('_', '-')}: {value}\r\n".encode() for name, value in headers.items())
    return SAID % (status, len(body), lines, body)


def asked(answers: Sequence[bytes], retries: Retries) -> tuple[object, list[str]]:
    """What comes of one command to a service that gives these answers, and what it was asked."""
    heads: list[str] = []

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode().lower())
        writer.write(answers[len(heads) - 1])
        await writer.drain()
        writer.close()

    async def asking() -> object:
        server = await asyncio.start_server(answering, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, Kibitz(f"http://127.0.0.1:{port}", "kbz_x", retries=retries) as client:
            return await client.request("post_command", DRAW, version=12, game_id="7")

    return asyncio.run(asking()), heads


def header(head: str, name: str) -> str:
    return next(line.partition(": ")[2] for line in head.splitlines() if line.startswith(name))


def test_it_is_the_same_command_with_the_same_key_until_there_is_an_answer() -> None:
    heard: list[KibitzError | None] = []
    troubles = [SLIPPED, said(503, retry_after=0), said(429, retry_after=1), said(502, b"<html>")]
    before = time.monotonic()
    answer, heads = asked([*troubles, said(200, b'{"accepted": 1}')], Retries(first=0.01, notice=heard.append))
    assert time.monotonic() - before >= 1
    assert answer == {"accepted": 1}
    assert len(heads) == 5
    assert len({header(head, "idempotency-key") for head in heads}) == 1
    assert {header(head, "if-match") for head in heads} == {'"12"'}
    assert [type(error) for error in heard] == [Unreachable, Unavailable, RateLimited, Unavailable, type(None)]


def test_a_client_that_has_used_up_its_minute_waits_for_the_next() -> None:
    spent = httpx.Response(429, headers={"retry-after": str(MINUTE)}, content=b"{}")
    call = prepare(OPERATIONS["list_frames"], {"game_id": "7"})
    assert Attempts(Retries(), call, "http://127.0.0.1:9").pause_after(spent) == MINUTE


def test_who_has_no_patience_is_told_at_once_what_is_wrong() -> None:
    impatient = Retries(patience=0.3, first=0.01)
    with pytest.raises(RateLimited) as limited:
        asked([said(429, retry_after=7)], impatient)
    assert limited.value.retry_after == 7
    with pytest.raises(Unavailable) as busy:
        asked([said(503)] * 100, impatient)
    assert busy.value.retry_after is None
    with pytest.raises(Unreachable):
        asked([SLIPPED] * 100, impatient)
    with pytest.raises(Unavailable):
        asked([said(500)], Retries(patience=math.inf))
