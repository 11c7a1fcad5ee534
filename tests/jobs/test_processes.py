"""Heavy work is done in a process beside the event loop: one at a time, few in the queue, and few of one sender."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.game_type import Illegal
from domain.kit.patience import check_in_suit
from service.api.play.play import decode_partial
from service.event_store.errors import StoreUnavailable
from service.jobs.process import WorkerPool
from service.jobs.stored_games import GameRef, record_of
from service.problems import Refused
from service.settings import Settings

NO_DATABASE = "host=/nowhere dbname=none"


def heavily(check: Callable[[WorkerPool], Awaitable[None]], search_niceness: int = 19, **more: Any) -> None:
    """Run this with a process of heavy work, which is ended."""

    async def run() -> None:
        settings = Settings(sealing_keys=Path("/nowhere"), search_niceness=search_niceness)
        heavy = WorkerPool(NO_DATABASE, settings, **more)
        try:
            await check(heavy)
        finally:
            await heavy.close()

    asyncio.run(run())


def test_what_the_work_returns_or_raises_comes_back() -> None:
    async def check(heavy: WorkerPool) -> None:
        assert await heavy.ask(b"ada", pow, 2, 5) == 32
        with pytest.raises(ZeroDivisionError):
            await heavy.ask(b"ada", divmod, 1, 0)
        with pytest.raises(Refused, match="like: ") as refusal:
            await heavy.ask(b"ada", decode_partial, "{")
        assert refusal.value.kind == "malformed"
        assert [fault.parameter for fault in refusal.value.problem.errors] == ["like"]
        with pytest.raises(StoreUnavailable):
            await heavy.ask(b"ada", record_of, GameRef(UUID(int=1), 1))
        with pytest.raises(Illegal) as illegal:
            await heavy.ask(b"ada", check_in_suit, "AS", "2H")
        assert illegal.value.rule == "in_suit"

    heavily(check)


def test_nobody_fills_the_queue_alone_and_beyond_it_all_are_refused() -> None:
    several = (b"ada", b"ada", b"bob")

    async def check(heavy: WorkerPool) -> None:
        asked = [asyncio.ensure_future(heavy.ask(who, time.sleep, 0.1 + n / 1000)) for n, who in enumerate(several)]
        await asyncio.sleep(0)
        for who in (b"ada", b"cid"):
            with pytest.raises(Refused, match="ask again soon"):
                await heavy.ask(who, pow, 2, 3)
        assert await asyncio.gather(*asked) == [None] * len(several)
        assert await heavy.ask(b"ada", pow, 2, 3) == 8

    heavily(check, most=3, of_one=2)


def test_one_sender_leaves_room_for_others() -> None:
    async def check(heavy: WorkerPool) -> None:
        asked = [asyncio.ensure_future(heavy.ask(b"ada", time.sleep, 0.1 + n / 1000)) for n in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refused):
            await heavy.ask(b"ada", pow, 2, 3)
        assert await heavy.ask(b"bob", pow, 2, 3) == 8
        await asyncio.gather(*asked)

    heavily(check, of_one=2)


def test_who_asks_for_the_same_waits_for_the_same_and_bytes_are_kept() -> None:
    async def check(heavy: WorkerPool) -> None:
        found = await asyncio.gather(*(heavy.ask(b"ada", os.urandom, 16) for _ in range(9)))
        assert len(set(found)) == 1
        assert await heavy.ask(b"bob", os.urandom, 16) == found[0]
        assert await heavy.ask(b"ada", os.urandom, 17) != found[0]

    heavily(check, of_one=1)


def test_the_loop_goes_on_and_a_process_that_dies_is_started_again() -> None:
    async def check(heavy: WorkerPool) -> None:
        number = await heavy.ask(b"ada", os.getpid)
        asked = asyncio.ensure_future(heavy.ask(b"ada", time.sleep, 60))
        await asyncio.sleep(0.01)
        assert not asked.done()
        os.kill(number, signal.SIGKILL)
        with pytest.raises(Refused, match="took too long or too much"):
            await asked
        assert await heavy.ask(b"ada", pow, 2, 3) == 8
        assert await heavy.ask(b"ada", os.getppid) == os.getpid()

    heavily(check)


@pytest.mark.parametrize(
    ("bounds", "lower"), [({}, 5), ({"niceness": 15}, 15), ({"niceness": 15, "search_niceness": 2}, 2)]
)
def test_the_process_gives_way_as_far_as_its_kind_and_the_setting_say(bounds: dict[str, int], lower: int) -> None:
    async def check(heavy: WorkerPool) -> None:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert await heavy.ask(b"ada", os.getpriority, os.PRIO_PROCESS, 0) == min(own + lower, 19)

    heavily(check, **bounds)


def test_work_has_so_much_time_of_a_processor_however_long_it_waits_for_one() -> None:
    async def check(heavy: WorkerPool) -> None:
        for _ in range(3):
            assert await heavy.ask(b"ada", time.sleep, 0.6) is None
        with pytest.raises(Refused, match="took too long or too much"):
            await heavy.ask(b"ada", sum, range(10**12))
        assert await heavy.ask(b"ada", pow, 2, 3) == 8

    heavily(check, seconds=0.5)


def test_at_the_end_what_is_under_way_is_given_up_and_no_process_is_left() -> None:
    async def check(heavy: WorkerPool) -> None:
        number = await heavy.ask(b"ada", os.getpid)
        asked = [asyncio.ensure_future(heavy.ask(b"ada", time.sleep, 60 + n)) for n in range(3)]
        await asyncio.sleep(0.01)
        await heavy.close()
        assert all(
            isinstance(one, asyncio.CancelledError) for one in await asyncio.gather(*asked, return_exceptions=True)
        )
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)

    heavily(check)


def test_what_is_printed_on_the_way_is_no_answer() -> None:
    async def check(heavy: WorkerPool) -> None:
        assert await heavy.ask(b"ada", print, "some warning") is None
        assert await heavy.ask(b"ada", os.write, 1, b"another") == 7
        assert await heavy.ask(b"ada", pow, 2, 3) == 8

    heavily(check)
