"""A receiver answers a challenge before it gets any event."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.outbox.delivery import TRIES
from service.postgres import Server

from . import truth
from .receiving import Receiver
from .serving import Player, Service, database_of, registered, serving
from .test_account_events import listed
from .test_webhooks import delivered, finish, hooked, of_event, patched, shown, verified
from .watching import until


@pytest.fixture(scope="module")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server whose operator lets webhooks go to this machine."""
    quick = {"webhooks_by_http": True, "webhooks_to_private": True, "webhook_pause": 0.05}
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **quick) as running:
        yield running


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[Receiver]:
    made = Receiver(tmp_path)
    yield made
    made.kill()


@pytest.fixture
def ann(service: Service) -> Player:
    return registered(service, "Ann")


def until_disabled(service: Service, player: Player, webhook: object) -> None:
    """All its tries, without the pauses between them and between looks."""

    def disabled() -> bool:
        truth.done(service, "UPDATE webhooks SET paused_until = least(paused_until, 1) WHERE failures < %s", TRIES)
        truth.done(service, "SELECT pg_notify('kibitz_account', gen_random_uuid()::text)")
        return bool(shown(player, webhook)["disabled"] == "unverified")

    until(disabled)


def test_what_happens_before_the_challenge_is_answered_comes_after_it(ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("204"))
    assert (webhook["verification"], webhook["verification_error"], webhook["enabled"]) == ("pending", None, True)
    event = finish(ann)
    until(lambda: of_event(receiver, event) != [])
    (challenge,) = receiver.challenges()
    asked = verified(challenge, webhook["secret"])
    assert asked == json.loads(challenge["body"])
    assert (asked["type"], asked["id"]) == ("webhook.verification", challenge["headers"]["webhook-id"])
    assert len(asked["challenge"]) > 40
    assert shown(ann, webhook)["verification"] == "verified"
    until(lambda: delivered(ann, webhook)[0]["status"] == "taken")


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ("deaf", "The receiver answered 200 without the challenge: told 200"),
        ("wrong", 'The receiver answered 200 without the challenge: {"challenge"'),
        ("503", 'The receiver answered 503 without the challenge: {"challenge"'),
        ("", "All connection attempts failed"),
    ],
)
def test_without_the_right_answer_nothing_but_challenges_is_sent(
    service: Service, ann: Player, receiver: Receiver, wish: str, error: str
) -> None:
    webhook = hooked(ann, receiver.url(wish) if wish else "http://127.0.0.1:9/")
    finish(ann)
    until_disabled(service, ann, webhook)
    assert error in shown(ann, webhook)["verification_error"]
    assert shown(ann, webhook)["verification"] == "failed"
    assert [event["type"] for event in listed(ann)] == ["webhook_disabled", "finished"]
    assert "did not answer its challenge" in listed(ann)[0]["summary"]
    assert delivered(ann, webhook)[0]["attempts"] == 0
    challenges = [json.loads(entry["body"])["challenge"] for entry in receiver.challenges()]
    assert len(set(challenges)) == len(challenges) == (TRIES if wish else 0)
    assert receiver.received() == []


def test_enabled_again_it_is_asked_anew_and_disabled_anew(service: Service, ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("deaf"))
    for times in (1, 2):
        until_disabled(service, ann, webhook)
        assert len(receiver.challenges()) == times * TRIES
        assert [event["type"] for event in listed(ann)].count("webhook_disabled") == times
        assert patched(ann, webhook, enabled=True).json()["verification"] == "pending"
    until_disabled(service, ann, webhook)
    assert patched(ann, webhook, url=receiver.url("204")).json()["enabled"]
    event = finish(ann)
    until(lambda: of_event(receiver, event) != [])
    assert {entry["path"] for entry in receiver.received()} == {"/204"}


def test_tries_have_growing_pauses(ann: Player, receiver: Receiver) -> None:
    hooked(ann, receiver.url("deaf"))
    until(lambda: len(receiver.challenges()) == 3)
    times = [entry["headers"]["webhook-timestamp"] for entry in receiver.challenges()]
    until(lambda: len(receiver.challenges()) == 4)  # after 3.2 s
    assert int(receiver.challenges()[-1]["headers"]["webhook-timestamp"]) - int(times[-1]) >= 3


def test_another_url_is_asked_and_the_same_one_is_not(ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("204"))
    until(lambda: shown(ann, webhook)["verification"] == "verified")
    same = patched(ann, webhook, url=receiver.url("204"), types=["finished", "turn"], enabled=True).json()
    assert same["verification"] == "verified"
    moved = patched(ann, webhook, url=receiver.url("deaf")).json()
    assert (moved["verification"], moved["types"]) == ("pending", ["finished", "turn"])
    event = finish(ann)
    until(lambda: shown(ann, webhook)["verification_error"] is not None)
    assert of_event(receiver, event) == []
    patched(ann, webhook, url=receiver.url("200"))
    until(lambda: of_event(receiver, event, "200") != [])
    assert len(receiver.challenges("204")) == len(receiver.challenges("200")) == 1


def test_a_receiver_that_is_gone_is_asked_once(ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("gone"))
    until(lambda: shown(ann, webhook)["disabled"] == "gone")
    assert (len(receiver.challenges()), shown(ann, webhook)["verification"]) == (1, "failed")


def test_webhooks_of_before_are_verified(service: Service, ann: Player, receiver: Receiver) -> None:
    """A row as a program of before has left it, by the migration's own statements."""
    webhook = hooked(ann, receiver.url("deaf"))
    until(lambda: receiver.challenges() != [])
    file = Path(__file__).parents[2] / "service/event_store/migrations/0038_webhook_verification.sql"
    undo = "DROP INDEX webhooks_unverified; ALTER TABLE webhooks DROP verified_at, DROP verification_error"
    for statement in f"{undo};{file.read_text()}".split(";")[:-1]:
        truth.done(service, statement)
    until(lambda: truth.done(service, "UPDATE webhooks SET paused_until = 0, failures = 0") >= 1)
    assert shown(ann, webhook)["verification"] == "verified"
    event = finish(ann)
    until(lambda: of_event(receiver, event) != [])
