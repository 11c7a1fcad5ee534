"""What a slow receiver takes of the others' deliveries: its share, and no more."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic

import pytest

from service.postgres import Server

from . import truth
from .receiving import Receiver
from .serving import Service, database_of, registered, serving
from .test_webhooks import NEAR, delivered, finish, hooked, of_event, shown
from .watching import until

OF_HOST, OF_WEBHOOK = 8, 3


@pytest.fixture
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server whose operator lets webhooks go to this machine, and whose backlog is its own."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **NEAR) as running:
        yield running


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Receiver]:
    """A receiver that nobody else sends to, for the slow."""
    (tmp_path / "slow").mkdir()
    made = Receiver(tmp_path / "slow")
    yield made
    made.kill()


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Receiver]:
    (tmp_path / "quick").mkdir()
    made = Receiver(tmp_path / "quick")
    yield made
    made.kill()


def hold_back(service: Service) -> None:
    """Nothing is sent until `let_go`, all challenges are answered."""
    until(lambda: truth.done(service, "SELECT FROM webhooks WHERE verified_at IS NULL") == 0)
    truth.done(service, "UPDATE webhooks SET paused_until = %s", 2**62)


def let_go(service: Service) -> None:
    """At once in every process: they are woken by an event of somebody's."""
    truth.done(service, "UPDATE webhooks SET paused_until = 0")
    truth.done(service, "SELECT pg_notify('kibitz_account', gen_random_uuid()::text)")


def most_at_once(receiver: Receiver) -> int:
    return max(entry["at_once"] for entry in receiver.received())


def test_a_slow_host_has_its_connections_and_no_more_while_others_pass(
    service: Service, slow: Receiver, quick: Receiver
) -> None:
    crowd, ben = [registered(service, f"Slow {n}") for n in range(5)], registered(service, "Ben")
    for player in crowd:
        for _ in range(5):
            hooked(player, slow.url("slow"))
    good = hooked(ben, quick.url("204"))
    hold_back(service)
    for player in crowd:
        finish(player)
    event = finish(ben)  # the newest of all
    let_go(service)
    until(lambda: of_event(quick, event) != [])
    assert len(slow.received()) <= 2 * OF_HOST, "it did not wait until the slow ones had theirs"
    until(lambda: len(slow.received()) == 25)
    assert most_at_once(slow) == OF_HOST
    until(lambda: delivered(ben, good)[0]["status"] == "taken")


def test_an_account_has_its_connections_however_many_webhooks_and_hosts(
    service: Service, slow: Receiver, quick: Receiver
) -> None:
    ann = registered(service, "Ann")
    first = [hooked(ann, slow.url("slow")) for _ in range(5)]
    other = [hooked(ann, quick.url("slow")) for _ in range(5)]
    hold_back(service)
    event = finish(ann)
    let_go(service)
    until(lambda: len(of_event(slow, event)) + len(of_event(quick, event)) == 10)
    until(lambda: all(delivered(ann, webhook)[0]["status"] == "taken" for webhook in first + other))
    answers = [datetime.fromisoformat(delivered(ann, webhook)[0]["answered_at"]) for webhook in first + other]
    assert max(answers) - min(answers) > timedelta(seconds=1.9), "four, four and two, one after the other"


def test_a_slow_webhook_leaves_room_for_another_of_its_account(
    service: Service, slow: Receiver, quick: Receiver
) -> None:
    ann = registered(service, "Ann")
    hooked(ann, slow.url("slow"))
    hold_back(service)
    for _ in range(8):
        finish(ann)
    let_go(service)
    until(lambda: len(slow.received()) >= OF_WEBHOOK)
    good = hooked(ann, quick.url("204"))
    event = finish(ann)
    until(lambda: of_event(quick, event) != [])
    assert len(slow.received()) <= 2 * OF_WEBHOOK
    until(lambda: len(slow.received()) == 9)
    assert most_at_once(slow) == OF_WEBHOOK
    assert delivered(ann, good)[0]["attempts"] == 1


def test_a_full_host_does_not_hold_up_the_other_webhooks_of_its_account(
    service: Service, slow: Receiver, quick: Receiver
) -> None:
    """Deliveries to a full host stand before all others of Ann, and take no place of hers."""
    crowd, ann = [registered(service, f"Slow {n}") for n in range(2)], registered(service, "Ann")
    for player in crowd:
        for _ in range(4):
            hooked(player, slow.url("hang"))
    for _ in range(5):
        hooked(ann, slow.url("hang"))
    for player in crowd:
        finish(player)
    until(lambda: len(slow.received()) == OF_HOST)
    finish(ann)
    hooked(ann, quick.url("204"))
    event = finish(ann)
    until(lambda: of_event(quick, event) != [])
    assert len(slow.received()) == OF_HOST


def test_the_oldest_goes_first(service: Service, slow: Receiver) -> None:
    ann = registered(service, "Ann")
    webhook = hooked(ann, slow.url("slow"))
    hold_back(service)
    newest_last = [finish(ann)["id"] for _ in range(9)]
    due = "UPDATE webhook_deliveries d SET due = %s FROM account_events e WHERE e.number = d.event AND e.id = %s"
    for place, event in enumerate(reversed(newest_last)):
        truth.done(service, due, place + 1, event)
    let_go(service)
    until(lambda: len(slow.received()) == 9)
    came = [entry["headers"]["webhook-id"] for entry in slow.received()]
    wanted = newest_last[::-1]
    for start in range(0, 9, OF_WEBHOOK):
        assert set(came[start : start + OF_WEBHOOK]) == set(wanted[start : start + OF_WEBHOOK])
    until(lambda: {one["status"] for one in delivered(ann, webhook)} == {"taken"})


def test_two_processes_send_each_delivery_once(service: Service, quick: Receiver) -> None:
    players = [registered(service, f"Player {n}") for n in range(3)]
    for player in players:
        for _ in range(5):
            hooked(player, quick.url("204"))
    hold_back(service)
    for player in players:
        for _ in range(10):
            finish(player)
    with serving(service.conninfo, **NEAR):
        let_go(service)
        until(lambda: len(quick.received()) >= 150)
        began = monotonic()
        until(lambda: monotonic() > began + 1)
    came = Counter(entry["headers"]["webhook-id"] for entry in quick.received())
    assert (len(came), set(came.values())) == (30, {5}), "each event once to each of five webhooks"


@pytest.mark.parametrize(("url", "host"), [
    ("http://127.0.0.1:9/x?y", "127.0.0.1:9"), ("http://LocalHost.", "localhost:80"),
    ("HTTP://localhost:/x:1/", "localhost:80"), ("https://localhost:0443?x", "localhost:443"),
    ("https://Example.ORG/http://other.org:5/", "example.org:443"), ("http://[::1]/", "[::1]:80"),
    ("https://[::1]:8443", "[::1]:8443"),
])  # fmt: skip
def test_a_host_is_one_however_its_url_is_written(strict_rows: Service, url: str, host: str) -> None:
    ann = registered(strict_rows, "Ann")
    webhook = hooked(ann, url)
    same = "UPDATE webhooks SET types = types WHERE id = %s AND host = %s"
    assert truth.done(strict_rows, same, webhook["id"], host)
    ann.http.patch(f"/v1/webhooks/{webhook['id']}", json={"url": "https://another.org/"})
    assert truth.done(strict_rows, same, webhook["id"], "another.org:443")


@pytest.fixture(scope="module")
def strict_rows(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server whose rows are looked at."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **NEAR) as running:
        yield running


def test_of_challenges_two_are_under_way_to_one_host_and_one_of_one_account(
    service: Service, slow: Receiver, quick: Receiver
) -> None:
    crowd = [registered(service, f"Mute {n}") for n in range(3)]
    for player in crowd:
        hooked(player, slow.url("mute"))
    until(lambda: len(slow.challenges()) == 2)
    second, other = hooked(crowd[0], slow.url("204")), hooked(crowd[0], quick.url("200"))
    ben = registered(service, "Ben")
    good = hooked(ben, quick.url("204"))
    until(lambda: shown(ben, good)["verification"] == "verified")
    assert {shown(crowd[0], one)["verification"] for one in (second, other)} == {"pending"}
    assert (len(slow.challenges()), len(quick.challenges())) == (2, 1)
    finish(crowd[0])
    event = finish(ben)
    until(lambda: of_event(quick, event) != [])
    assert delivered(crowd[0], other)[0]["attempts"] == 0
