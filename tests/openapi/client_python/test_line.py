"""The Python client over a WebSocket: the same answers, refusals and streams as by HTTP, which it falls back to."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from time import monotonic

import pytest
from kibitz_client import Kibitz, KibitzError, Refused, Retries, types
from kibitz_client.line import over_line

from tests.service.event_store.made import on_a_loop

from .between import Between, between

BRISK = Retries(patience=20, first=0.01, longest=0.05)
DRAW = types.KlondikeDraw()


@asynccontextmanager
async def over(address: str, token: str | None = None) -> AsyncIterator[Kibitz]:
    """A client whose commands and streams go over a line."""
    async with over_line() as http, Kibitz(address, token, retries=BRISK, http=http) as client:
        yield client


def asked(wire: Between, path: bytes) -> int:
    """How many requests went to a path that ends so."""
    return sum(head.split(b" ")[1].partition(b"?")[0].endswith(path) for head in wire.heads)


@on_a_loop
async def test_a_game_is_played_and_followed_over_one_line_and_nothing_of_it_by_http(address: str) -> None:
    with between(address) as wire:
        async with over(wire.address) as ada:
            await ada.register("Ada")
            game = await ada.games.create("klondike")
            steps = []
            async for frame in game.follow():
                steps.append(frame.step)
                if frame.step < 3:
                    assert (await game.play(DRAW)).version == game.version
                elif not game.over:
                    await game.resign()
            assert steps == [0, 1, 2, 3, 4]
            seen = {"game_id": game.id, "after": game.version}
            assert [event.name async for event in ada.events("stream_game", **seen)] == []
            assert (await game.verification()).consistent
        assert (asked(wire, b"/v1/play"), asked(wire, b"/commands"), asked(wire, b"/events")) == (1, 0, 0)


@on_a_loop
async def test_what_is_refused_over_a_line_is_refused_as_by_http(address: str) -> None:
    async def told(client: Kibitz, game_id: str) -> list[tuple[object, ...]]:
        refusals = []
        for body, more in (
            ({"type": "klondike/recycle"}, {}),
            ({"type": "klondike/draw"}, {"version": 7}),
            ({"type": "klondike/draw", "wrong": 1}, {}),
            ({"type": "klondike/draw"}, {"seat": 3}),
            ({"type": "golf/draw"}, {}),
            (b"not JSON", {}),
        ):
            with pytest.raises(Refused) as refused:
                await client.request("post_command", body, game_id=game_id, **more)
            error = refused.value
            refusals.append((type(error), error.kind, error.rule, error.version, error.detail, error.errors))
        with pytest.raises(Refused) as refused:
            await anext(client.events("stream_game", game_id=game_id, after=99))
        return [*refusals, (type(refused.value), refused.value.kind, refused.value.detail)]

    async with AsyncExitStack() as stack:
        plain = await stack.enter_async_context(Kibitz(address, retries=BRISK))
        await plain.register("Ada")
        game = await plain.games.create("klondike")
        lined = await stack.enter_async_context(over(address, plain.token))
        assert await told(lined, game.id) == await told(plain, game.id)
        stranger = await stack.enter_async_context(over(address, "kbz_unknown"))
        with pytest.raises(KibitzError, match="token"):
            await stranger.request("post_command", DRAW, game_id=game.id)


@on_a_loop
async def test_a_command_whose_answer_the_line_lost_is_sent_again_with_its_key_and_done_once(address: str) -> None:
    with between(address) as wire:
        async with over(wire.address) as ada:
            await ada.register("Ada")
            game = await ada.games.create("klondike")
            await game.play(DRAW)
            wire.path, wire.drop = b"/v1/play ", 1
            assert (await game.play(DRAW)).accepted == 1
            assert (wire.drop, (await game.refresh()).step) == (0, 2)
        assert asked(wire, b"/v1/play") == 2


@on_a_loop
async def test_a_stream_over_a_line_that_was_cut_goes_on_behind_the_last_frame(address: str) -> None:
    with between(address) as wire:
        async with Kibitz(address) as ada, over(wire.address) as onlooker:
            await ada.register("Ada")
            game = await ada.games.create("klondike")
            seen = []
            async for frame in (await onlooker.games.get(game.id)).follow():
                seen.append(frame.step)
                wire.cut()
                if frame.step == 4:
                    await game.resign()
                elif not game.over:
                    await game.play(DRAW)
            assert seen == [0, 1, 2, 3, 4, 5]


@on_a_loop
async def test_where_no_line_can_be_had_everything_goes_by_http(address: str) -> None:
    with between(address) as wire:
        wire.path, wire.drop = b"/v1/play ", 9
        async with over(wire.address) as ada:
            await ada.register("Ada")
            game = await ada.games.create("klondike")
            for _ in range(3):
                await game.play(DRAW)
            await game.resign()
            assert [frame.step async for frame in game.follow()] == [0, 1, 2, 3, 4]
        assert (asked(wire, b"/v1/play"), asked(wire, b"/commands"), asked(wire, b"/events")) == (1, 4, 1)


@on_a_loop
async def test_a_line_that_could_not_be_had_is_asked_for_after_one_second_then_two_and_after_success_one(
    address: str,
) -> None:
    with between(address) as wire:
        wire.path, wire.drop = b"/v1/play ", 2
        async with over(wire.address) as ada:
            await ada.register("Ada")
            game = await ada.games.create("klondike")

            async def next_asked() -> tuple[float, float]:
                """Play until a line is asked for again: between which times that was."""
                before, began = asked(wire, b"/v1/play"), monotonic()
                while asked(wire, b"/v1/play") == before:
                    assert monotonic() - began < 10
                    await asyncio.sleep(0.4)
                    last = monotonic()
                    await game.play(DRAW)
                return last, monotonic()

            first, second, third = [await next_asked() for _ in range(3)]
            assert second[1] - first[0] >= 1
            assert third[1] - second[0] >= 2
            by_http = asked(wire, b"/commands")
            await game.play(DRAW)
            assert asked(wire, b"/commands") == by_http, "there is a line"
            wire.cut()
            await asyncio.sleep(0.2)  # what the old line had to say is gone
            wire.drop = 1
            lost, found = [await next_asked() for _ in range(2)]
            assert found[1] - lost[0] >= 1
            assert found[0] - lost[1] < 4


def test_what_is_no_message_goes_through_the_proxy_of_the_environment(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        async with over(address) as ada:
            await ada.register("Ada")
            game = await ada.games.create("klondike")
            assert (await game.refresh()).step == 0

    with between(address) as proxy:
        for name in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "HTTP_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("http_proxy", proxy.address)
        asyncio.run(ask())
        lines = [head.partition(b" HTTP/1.1")[0].decode() for head in proxy.heads]
    assert lines[:2] == [f"POST {address}/v1/players", f"POST {address}/v1/games"]
    assert lines[-1].startswith(f"GET {address}/v1/games/")


@pytest.mark.parametrize("game_id", ["no-game", "-" * 36])
@on_a_loop
async def test_an_id_that_is_none_is_missing_over_a_line_as_by_http(address: str, game_id: str) -> None:
    async def told(client: Kibitz) -> list[tuple[int, str]]:
        refusals = []
        with pytest.raises(Refused) as command:
            await client.request("post_command", DRAW, game_id=game_id)
        with pytest.raises(Refused) as stream:
            await anext(client.events("stream_game", game_id=game_id))
        for refused in (command, stream):
            refusals.append((refused.value.status, refused.value.kind))
        return refusals

    async with over(address) as lined:
        await lined.register("Ada")
        async with Kibitz(address, lined.token, retries=BRISK) as plain:
            assert await told(lined) == await told(plain) == [(404, "no_such_thing")] * 2
