"""kill -9 of every process and of a receiver, at random instants: nothing acknowledged is lost or doubled."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from time import sleep

import pytest
from standardwebhooks import Webhook

from service.postgres import Server
from tests.api.playing import opened, say
from tests.api.receiving import Receiver
from tests.api.serving import Service, database_of, registered, serving
from tests.api.test_account_events import listed
from tests.faults import faults
from tests.faults.load import Load
from tests.faults.test_kills import Fault, through
from tests.faults.world import World, until

ONCE = (faults.kill_postmaster, faults.restart_fast, faults.cut_connections)


@pytest.mark.parametrize(("fault", "times"), [(faults.kill_worker, 3), *((fault, 1) for fault in ONCE)])
def test_what_is_killed_restarted_or_cut_off_loses_and_doubles_nothing(
    world: World, lots: Random, fault: Fault, times: int
) -> None:
    through(world, fault, lots, times)


def test_killed_backends_lose_nothing_and_double_nothing(world: World, lots: Random) -> None:
    through(world, partial(faults.kill_backend, lots=lots), lots, times=2)


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


_KILLS = int(os.environ.get("RECEIVER_KILLS", "5"))
_RESIGN = {"type": "game/resign"}


@pytest.fixture
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server that repeats quickly."""
    quick = {"webhooks_by_http": True, "webhooks_to_private": True, "webhook_pause": 0.05}
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **quick) as running:
        yield running


def test_a_receiver_that_is_killed_gets_everything(service: Service, tmp_path: Path, lots: Random) -> None:
    receiver, player = Receiver(tmp_path), registered(service, "Ann")
    try:
        made = player.post("/v1/webhooks", {"url": receiver.url("204"), "types": ["finished"]}).json()
        for _ in range(_KILLS):
            for _ in range(3):
                say(player, opened(player), _RESIGN)
            sleep(lots.random() / 20)
            receiver.kill()
            say(player, opened(player), _RESIGN)
            receiver.start()
        events = {event["id"]: event for event in listed(player, limit=200)}
        assert len(events) == 4 * _KILLS
        until(lambda: {one["headers"]["webhook-id"] for one in receiver.received()} == set(events), "all came")
        for one in receiver.received():
            told = Webhook(made["secret"]).verify(one["body"], one["headers"])
            assert told == events[one["headers"]["webhook-id"]]
    finally:
        receiver.kill()
