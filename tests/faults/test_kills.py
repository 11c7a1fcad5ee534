"""A kill and a restart at random instants under load: nothing acknowledged is lost or doubled."""

from collections.abc import Callable
from random import Random
from time import sleep

import pytest

from . import faults
from .judge import judge
from .load import Load, load
from .world import World

Fault = Callable[[World], None]


def through(world: World, fault: Fault, lots: Random, times: int = 1) -> Load:
    """A load, and the fault several times at random instants in it; judged afterwards with all loads before."""
    with load(world, seed=lots.randrange(10**6)) as running:
        for _ in range(times):
            running.grow(40)
            sleep(lots.random() * 0.1)
            fault(world)
        running.grow(40)
    judge(world).hold()
    return running


@pytest.mark.parametrize("fault", [faults.kill_api, faults.restart_immediate])
def test_a_kill_of_the_service_and_a_restart_of_postgresql_lose_and_double_nothing(
    world: World, lots: Random, fault: Fault
) -> None:
    through(world, fault, lots)
