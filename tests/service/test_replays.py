"""A replay's own reading of a game: the game as it stood after any step, and the step of the deal."""

import asyncio
from collections.abc import Sequence
from itertools import groupby
from typing import Any, cast
from uuid import UUID

from domain.play.aggregate import AnyRecord, fold
from service.live.replay import AT_ONCE, GameCache, Replay, Replays
from tests.domain.played import duel, solitaire
from tests.service.event_store.made import on_a_loop


def test_the_game_after_every_step_is_the_fold_of_the_records_so_far() -> None:
    for records in (duel(moves=45), solitaire(moves=70)):
        replay = Replay()
        replay.extend(records)
        assert len(replay.steps) > 45
        for number in range(len(replay.steps)):
            assert replay.after(number) == fold(record for record in records if record.step <= number)


def test_a_replay_that_grows_step_by_step_knows_the_deal() -> None:
    for records, dealt in ((duel(moves=5), 1), (solitaire(moves=5), 0)):
        replay = Replay()
        for number, (_, step) in enumerate(groupby(records, key=lambda record: record.step)):
            replay.extend(list(step))
            assert replay.dealt == (dealt if number >= dealt else 0)


class Stored:
    """A store of one game."""

    def __init__(self, records: Sequence[AnyRecord]) -> None:
        self._records = records

    async def records(self, stream: UUID, after: int = 0) -> list[AnyRecord]:
        return [record for record in self._records if record.version > after]


@on_a_loop
async def test_a_long_game_is_gone_through_in_turns_and_several_may_want_it_at_once() -> None:
    records = duel(moves=5 * AT_ONCE)
    game = fold(records)

    replays, served = Replays(cast(Any, Stored(records)), GameCache(10)), 0
    asked = [asyncio.ensure_future(replays.of(game)) for _ in range(3)]
    while not all(one.done() for one in asked):
        await asyncio.sleep(0)
        served += 1
    assert served >= 3 * 5, "others were served between two turns"
    for one in asked:
        assert one.result().after(game.step) == game


def test_a_game_and_its_replay_are_kept_together_and_forgotten_together() -> None:
    records = duel(moves=45)
    game, replay, games = fold(records), Replay(), GameCache(10)
    replay.extend(records)
    games.keep_replay(game, replay)
    assert games.replay(game) is None, "a replay is kept with its game"
    games.keep(game)
    games.keep_replay(game, replay)
    assert games.keep(fold(records[:-1])) is game
    assert games.replay(game) is replay
    games.forget([game.id])
    assert games.game(game.id) is None
    assert games.replay(game) is None


def test_a_replay_that_is_too_long_to_be_kept_leaves_its_game_where_it_is() -> None:
    records = duel(moves=45)
    game, replay = fold(records), Replay()
    replay.extend(records)
    for capacity, kept in ((4, replay), (3, None)):
        games = GameCache(capacity)
        games.keep(game)
        games.keep_replay(game, replay)
        assert games.game(game.id) is game
        assert games.replay(game) is kept
