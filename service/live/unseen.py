"""A game that is hidden from the caller and one that does not exist: refused after the same work, at the same time."""

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from service.problems import Refused

if TYPE_CHECKING:
    from service.live.room import Room

PERIOD = 0.05
"""Seconds. A refusal comes a whole number of these after its request, mostly one: what it took does not show."""


class NoSuchGame(Refused):
    """There is no such game for this caller. `hidden`: there is one, which may have been at hand in memory."""

    def __init__(self, *, hidden: bool) -> None:
        super().__init__("no_such_thing", "There is no such game, or you may not see it.")
        self.hidden = hidden


async def even(room: "Room", refusal: Exception, began: float) -> None:
    """Before this refusal is told: ask the store what it would be asked for a missing game, and wait for the period.

    `began`: when the request did, by the monotonic clock. Other refusals are told at once.
    """
    if isinstance(refusal.__cause__, NoSuchGame):
        refusal = refusal.__cause__
    if isinstance(refusal, NoSuchGame):
        if refusal.hidden:
            await room.search_in_vain()
        await asyncio.sleep(remaining(monotonic() - began))


def remaining(passed: float) -> float:
    """Seconds until the next whole period, so many seconds after the beginning."""
    return PERIOD - passed % PERIOD
