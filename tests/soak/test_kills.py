"""kill -9 of every process, at random instants under load: nothing acknowledged is lost or doubled."""

from functools import partial
from random import Random
from time import sleep

import pytest

from tests.faults import faults
from tests.faults.load import Load
from tests.faults.test_kills import Fault, through
from tests.faults.world import World, until


@pytest.mark.parametrize(
    ("fault", "times"), [(faults.kill_worker, 3), (faults.kill_postmaster, 1)],
    ids=["worker", "postmaster"],
)  # fmt: skip
def test_a_killed_process_loses_nothing_and_doubles_nothing(
    world: World, lots: Random, fault: Fault, times: int
) -> None:
    through(world, fault, lots, times)


def test_killed_backends_lose_nothing_and_double_nothing(world: World, lots: Random) -> None:
    through(world, partial(faults.kill_backend, lots=lots), lots, times=2)


@pytest.mark.parametrize("fault", [faults.restart_fast, faults.cut_connections])
def test_a_restarted_postgresql_costs_nobody_a_command(world: World, lots: Random, fault: Fault) -> None:
    through(world, fault, lots)


def test_without_a_connection_to_be_had_commands_wait_and_then_go_on(world: World, lots: Random) -> None:
    def taken(world: World) -> None:
        with faults.no_connections_left(world):
            sleep(1.5)
            until(lambda: repeated(world.loads[-1]) > 0, "somebody notices")
        world.await_ready()

    assert repeated(through(world, taken, lots)) > 0, "nobody noticed"


def repeated(load: Load) -> int:
    """How often its clients had to ask again."""
    return sum(client.repeated for client in load.clients)
