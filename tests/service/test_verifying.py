"""Verifying beside the event loop: a few at a time, and no more than a short queue."""

import asyncio
from threading import Event

import pytest

from service.problems import Refused
from service.records.imports import Verifiers
from tests.service.event_store.made import on_a_loop


@on_a_loop
async def test_what_the_work_returns_or_raises_comes_back() -> None:
    assert await Verifiers().ask(pow, 2, 5) == 32
    with pytest.raises(ZeroDivisionError):
        await Verifiers().ask(divmod, 1, 0)


@on_a_loop
async def test_more_than_fits_the_queue_is_refused_and_fits_again_later() -> None:
    release = Event()

    verifiers = Verifiers(at_once=1, queue=1)
    asked = [asyncio.ensure_future(verifiers.ask(release.wait)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Refused, match="ask again soon"):
        await verifiers.ask(release.wait)
    release.set()
    assert await asyncio.gather(*asked) == [True, True]
    assert await verifiers.ask(pow, 2, 3) == 8


@on_a_loop
async def test_the_loop_goes_on_while_something_is_verified() -> None:
    release = Event()

    asked = asyncio.ensure_future(Verifiers().ask(release.wait))
    await asyncio.sleep(0.01)
    assert not asked.done()
    release.set()
    assert await asked
