"""A receiver of webhooks that is killed again and again: nothing is lost, and every double can be told by its id."""

import os
from collections.abc import Iterator
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
from tests.api.watching import until

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
        until(lambda: {one["headers"]["webhook-id"] for one in receiver.received()} == set(events))
        for one in receiver.received():
            told = Webhook(made["secret"]).verify(one["body"], one["headers"])
            assert told == events[one["headers"]["webhook-id"]]
    finally:
        receiver.kill()
