"""Games played with the Python client: alone, by two who follow each other, and with its synchronous twin."""

import asyncio
from random import Random

from kibitz_client import Game, Kibitz, sync, types
from msgspec.structs import replace

from tests.service.event_store.made import on_a_loop


async def registered(address: str, name: str) -> Kibitz:
    client = Kibitz(address)
    await client.register(name)
    return client


def at_no_position(frame: types.Frame) -> types.Frame:
    """The frame of a stream as a list has it."""
    assert frame.log_position > 0
    return replace(frame, log_position=None)


async def played_by_lot(game: Game, most: int) -> None:
    """Play alone until the game is over, and resign it after so many commands."""
    random = Random(game.id)
    for _ in range(most):
        moves = await game.legal()
        if game.over or not moves:
            break
        answer = await game.play(random.choice(moves))
        assert (answer.accepted, answer.version) == (1, game.version)
    if not game.over:
        await game.resign()


@on_a_loop
async def test_klondike_is_played_to_its_end_replayed_and_verified(address: str) -> None:
    async with await registered(address, "Ada") as ada:
        game = await ada.games.create("klondike", {"draw": 3})
        assert isinstance(game.look, types.KlondikeGame)
        assert game.look.options["draw"] == 3
        await played_by_lot(game, 40)
        assert game.status == "finished"
        assert game.result is not None
        look = await game.refresh()
        assert (look.status, look.result, look.version) == ("finished", game.result, game.version)
        frames = [frame async for frame in game.frames()]
        assert [frame.step for frame in frames] == list(range(look.step + 1))
        assert all(isinstance(frame, types.KlondikeFrame) for frame in frames)
        assert [at_no_position(frame) async for frame in game.follow()] == frames
        assert "stock" in await game.text(0)
        assert (await game.picture(0)).startswith(b"<svg")
        assert (await game.verification()).consistent
        record = await game.record()
        assert record == await ada.records.export(game.id)
        assert (await ada.records.verify(record)).signed == "yes"
        again = await ada.records.add(record)  # of a game of this very service: leads to it
        assert again.id == game.id
        assert (await game.proof()).server_seed


async def sit_and_play(client: Kibitz, game: Game) -> list[types.Frame]:
    """Follow the game and play by lot whenever it is one's turn; every frame that came."""
    random, seen = Random(client.token), []
    (seat,) = (await game.refresh()).your_seats
    async for frame in game.follow():
        seen.append(at_no_position(frame))
        while not game.over and game.view is not None and seat in game.view.to_act:
            commands = await game.legal()
            stock = [one for one in commands if isinstance(one, types.SpiteAndMalicePlay) and "stock" in one.source]
            await game.play(random.choice(stock or commands))
    return seen


@on_a_loop
async def test_two_clients_follow_and_play_each_other_to_the_end(address: str) -> None:
    ada, bob = await registered(address, "Ada"), await registered(address, "Bob")
    opened = await ada.games.create("spite_and_malice", {"preset": "snm_a_short"})
    joined = await bob.games.join(opened.id)
    assert opened.status == "waiting"
    assert joined.status == "playing"
    seen = await asyncio.gather(sit_and_play(ada, opened), sit_and_play(bob, joined))
    for frames, client, seat in ((seen[0], ada, 0), (seen[1], bob, 1)):
        assert frames[-1].status == "finished"
        assert frames[-1].result.reason != "resigned"
        again = await client.games.get(opened.id)
        assert frames == [frame async for frame in again.frames(seat=seat)]
    await ada.aclose()
    await bob.aclose()


def test_the_synchronous_twin_plays_the_same(address: str) -> None:
    with sync.Kibitz(address) as ada:
        me = ada.register("Ada").player
        assert ada.account.me() == me
        game = ada.games.create(types.OpenGolf(rated=False))
        random = Random(7)
        while not game.over:
            moves = game.legal()
            answer = game.play(random.choice(moves or [types.GameResign()]))
            assert answer.accepted == 1
        frames = list(game.frames())
        assert list(map(at_no_position, game.follow())) == frames
        assert len(frames) == game.refresh().step + 1
        listed = list(ada.games.list(player_id=me.id))
        assert [entry.id for entry in listed] == [game.id]
        assert any(line.game.id == game.id for line in ada.feed())


@on_a_loop
async def test_several_commands_go_at_once_and_end_at_the_first_refusal(address: str) -> None:
    async with await registered(address, "Ada") as ada:
        game = await ada.games.create("klondike")
        draw = types.KlondikeDraw()
        answer = await game.play_all([draw, {"type": "klondike/draw"}])
        assert (answer.accepted, answer.refusal, game.version) == (2, None, answer.version)
        answer = await game.play_all([draw, types.KlondikeRecycle(), draw])
        assert answer.accepted == 1
        assert answer.refusal is not None
        assert answer.refusal.rule
        before = game.version
        assert (await game.play(draw, dry_run=True)).frames == []
        assert (await game.refresh()).version == before
        assert (await game.undo()).accepted == 1
