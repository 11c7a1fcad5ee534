"""Players, leagues, contests and rulings kept through the eventsourcing library, over the running store."""

import asyncio
import re
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from eventsourcing.application import Application

from domain import player as pl
from domain import rulings as rl
from domain.player import Player
from service.accounts.access import Access
from service.accounts.players import Accounts
from service.event_store.aggregates import Aggregates
from service.event_store.errors import StoreUnavailable
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.leagues.commands import rule, site_rulings
from service.problems import Refused
from tests.api.serving import KEYS, registered, serving

from .made import on_a_loop

README = Path(__file__).parents[3] / "service/event_store/README.md"


def players(store: EventStore, cached: int = 0) -> Aggregates[Player]:
    return Aggregates(store, pl.STREAM_TYPE, pl.fold, pl.player_record, cached=cached)


def minted(number: int) -> pl.TokenMinted:
    return pl.TokenMinted(UUID(int=number), b"hash", ("read",), now())


@on_a_loop
@pytest.mark.parametrize("cached", [0, 10])
async def test_of_many_who_decide_at_once_every_one_is_recorded_on_what_was_there(database: str, cached: int) -> None:
    async with EventStore(database) as store:
        kept, player = players(store, cached), uuid7()
        await kept.open(player, [pl.Registered()], player)
        seen: list[int] = []

        def mint(number: int) -> Any:
            def decide(known: Player) -> list[pl.TokenMinted]:
                seen.append(len(known.tokens))
                return [minted(number)]

            return decide

        await asyncio.gather(*(kept.act(player, mint(number), player) for number in range(12)))
        found = await kept.of(player)
        assert sorted(token.token_id.int for token in found.tokens) == list(range(12))
        assert (found.version, set(seen)) == (13, set(range(12)))
        assert pl.fold(await store.records(player)) == found


@on_a_loop
async def test_a_kept_aggregate_takes_up_what_others_have_recorded(database: str) -> None:
    async with EventStore(database) as store, EventStore(database) as elsewhere:
        kept, others, player = players(store, cached=10), players(elsewhere), uuid7()
        await kept.open(player, [pl.Registered(bot=True)], player)
        for number in range(3):
            await others.act(player, lambda known, number=number: [minted(number)], player)
            assert (await kept.of(player)).version == number + 2
        assert (await kept.of(player)).bot


@on_a_loop
async def test_a_stream_of_another_kind_and_one_that_is_not_there_are_refused(database: str) -> None:
    async with EventStore(database) as store:
        player = uuid7()
        await players(store).open(player, [pl.Registered()], player)
        leagues: Aggregates[Player] = Aggregates(store, "league", pl.fold, pl.player_record, cached=10)
        for missing in (player, uuid4()):
            with pytest.raises(Refused, match="There is no such league"):
                await leagues.of(missing)


@on_a_loop
async def test_rulings_begin_with_none(database: str) -> None:
    async with EventStore(database) as store:
        site = site_rulings(store)
        made = [await rule(site, rl.GamesVoided((uuid4(),), reason), uuid4()) for reason in ("first", "second")]
        assert made == await store.records(rl.SITE)
        assert [record.version for record in made] == [1, 2]


@on_a_loop
async def test_a_database_that_is_gone_is_said_at_once_and_in_the_stores_words(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with EventStore(database, patience=0.2) as store:
        kept, ask, asked = players(store), store._pool.connection, list[str]()
        monkeypatch.setattr(store._pool, "connection", lambda *how, **more: asked.append("once") or ask(*how, **more))
        await store._pool.close()
        with pytest.raises(StoreUnavailable):
            await kept.of(uuid4())
        assert asked == ["once"], "the library's own readers would have tried ten times"


@on_a_loop
async def test_accounts_are_saved_by_the_librarys_application(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[Any] = []
    monkeypatch.setattr(Application, "save", lambda self, *pending, **_: saved.extend(pending))
    async with EventStore(database) as store:
        player, _ = await Accounts(store, Access(store)).register("Ada", 1)
        assert await store.records(player) == []
    assert [type(record.event) for pending in saved for record in pending.records] == [pl.Registered, pl.TokenMinted]


def test_the_readme_opens_the_log_of_a_running_service(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code = re.search(r"```python\n(from service\.event_store\.library .*?)```", README.read_text(), re.DOTALL)
    assert code is not None
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("SEALING_KEYS", str(KEYS))
    with serving(database) as service:
        ada = registered(service, "Ada")
        game = ada.post("/v1/games", {"game_type": "golf"}).json()["id"]
        printed: list[Any] = []
        exec(code[1], {"GAME": UUID(game), "print": lambda *words: printed.append(words)})
    told, events, *log = printed
    assert told == ("golf", "playing", 3)
    assert events == (["Opened", "Sealed", "Dealt"],)
    assert [topic for _, topic, _ in log[:2]] == ["player/registered", "player/token_minted"]
    assert [position for position, *_ in log] == [1, 2, 3, 4, 5]
