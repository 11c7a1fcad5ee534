"""Hidden and missing games are refused alike: after the same work and after the same time."""

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from service.problems import Refused

if TYPE_CHECKING:
    from service.live.room import Room

PERIOD = 0.05
"""Seconds. A refusal comes a whole number of periods after its request, mostly one, to hide the time it took."""


class NoSuchGame(Refused):
    """There is no such game for this caller. `hidden`: it exists, and may have been in memory."""

    def __init__(self, *, hidden: bool) -> None:
        super().__init__("no_such_thing", "There is no such game, or you may not see it.")
        self.hidden = hidden


async def delay_refusal(room: "Room", refusal: Exception, began: float) -> None:
    """Delay a NoSuchGame: query the store as for a missing game, and wait for the end of the period.

    `began`: the request's begin by the monotonic clock. Other refusals are not delayed.
    """
    if isinstance(refusal.__cause__, NoSuchGame):
        refusal = refusal.__cause__
    if isinstance(refusal, NoSuchGame):
        if refusal.hidden:
            await room.query_missing_game()
        await asyncio.sleep(seconds_to_period(monotonic() - began))


def seconds_to_period(passed: float) -> float:
    """Seconds until the period ends, `passed` seconds after the request's begin."""
    return PERIOD - passed % PERIOD
