"""What a webhook's owner sees: its receiver answers a challenge before any event, and pages show and change it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.outbox.delivery import TRIES
from service.postgres import Server

from . import truth
from .browsing import said, signed_in
from .receiving import Receiver
from .serving import Player, Service, database_of, registered, serving, speaking
from .test_account_events import listed
from .test_webhooks import NEAR, delivered, finish, hooked, of_event, patched, shown, verified
from .watching import until


@pytest.fixture(scope="module")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server whose operator lets webhooks go to this machine."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **NEAR) as running:
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


PAGE = "/account/webhooks"


def test_a_webhook_is_added_and_its_secret_shown_once(service: Service, ann: Player, receiver: Receiver) -> None:
    with signed_in(service, ann) as browser:
        assert "Nothing is sent anywhere." in said(browser.shown(PAGE))
        made = browser.post(PAGE, {"url": receiver.url("200"), "type.finished": "on"})
        secret = re.search(r'id="secret">(whsec_[^<]*)<', made.text)
        assert secret is not None
        assert (made.status_code, made.headers["cache-control"]) == (200, "no-store")
        (webhook,) = ann.get("/v1/webhooks").json()["webhooks"]
        assert (webhook["url"], webhook["types"]) == (receiver.url("200"), ["finished"])
        event = finish(ann)
        until(lambda: delivered(ann, webhook)[0]["status"] == "taken")
        assert verified(receiver.received("200")[0], secret[1]) == event
        words = browser.shown(f"{PAGE}/{webhook['id']}")
        assert secret[1] not in words + browser.shown(PAGE)
        assert f"a game of yours is over taken {event['id']} Tried once, last" in said(words)


def test_a_delivery_is_sent_again_by_its_button(service: Service, ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("204"))
    finish(ann)
    until(lambda: delivered(ann, webhook)[0]["status"] == "taken")
    (delivery,) = delivered(ann, webhook)
    with signed_in(service, ann) as browser:
        answer = browser.post(f"{PAGE}/{webhook['id']}/replay", {"delivery": delivery["id"]})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}/{webhook['id']}")
        until(lambda: len(receiver.received("204")) >= 2)
    assert {one["headers"]["webhook-id"] for one in receiver.received("204")} == {delivery["event_id"]}


def test_a_long_list_of_deliveries_has_a_second_page(service: Service, ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("201"))
    events = {finish(ann)["id"] for _ in range(52)}
    assert len(events) == 52
    with signed_in(service, ann) as browser:
        first = browser.shown(f"{PAGE}/{webhook['id']}")
        further = re.search(r'rel="next" href="([^"]*)"', first)
        assert further is not None
        second = browser.shown(further[1])
        pages = [{event for event in events if event in page} for page in (first, second)]
        assert [len(one) for one in pages] == [50, 2]
        assert pages[0] | pages[1] == events
        assert browser.get(f"{PAGE}/{webhook['id']}?cursor=mine").status_code == 400


def test_the_page_tells_of_the_challenge_and_sends_it_again(service: Service, ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("deaf"))
    one = f"{PAGE}/{webhook['id']}"
    until(lambda: shown(ann, webhook)["verification_error"] is not None)
    with signed_in(service, ann) as browser:
        assert "not verified" in said(browser.shown(PAGE))
        words = said(browser.shown(one))
        assert "Not verified: events are sent once the receiver has answered a challenge." in words
        assert "The last challenge: The receiver answered 200 without the challenge: told 200" in words
        assert "Send the challenge again" in words
        truth.done(service, "UPDATE webhooks SET paused_until = %s, failures = 1 WHERE id = %s", 2**62, webhook["id"])
        asked = len(receiver.challenges("deaf"))
        assert browser.post(f"{one}/enable").headers["location"] == one
        until(lambda: len(receiver.challenges("deaf")) > asked)
        until_disabled(service, ann, webhook)
        words = said(browser.shown(one))
        assert "Nothing is sent: the receiver did not answer its challenge." in words
        assert "Send the challenge again" not in words


def test_a_webhook_is_switched_off_and_on_given_a_secret_and_removed(service: Service, ann: Player) -> None:
    webhook = hooked(ann, "http://127.0.0.1:9/")
    one = f"{PAGE}/{webhook['id']}"
    with signed_in(service, ann) as browser:
        browser.post(f"{one}/disable")
        assert shown(ann, webhook)["disabled"] == "by_owner"
        assert "you have switched it off" in said(browser.shown(one))
        browser.post(f"{one}/enable")
        assert shown(ann, webhook)["enabled"]
        assert "whsec_" in browser.post(f"{one}/rotate").text
        assert "The secret before signs as well until" in said(browser.shown(one))
        assert browser.post(f"{one}/remove").headers["location"] == PAGE
        assert browser.get(one).status_code == 404


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"url": "", "type.turn": "on"}, "url"),
        ({"url": "ftp://example.org", "type.turn": "on"}, "http"),
        ({"url": "https://example.org"}, "Tick at least one"),
        ({"url": "https://example.org", "type.fly": "on"}, "There is no field type.fly"),
        ({"url": "https://example.org", "type.turn": "on", "more": "x"}, "There is no field more"),
    ],
)
def test_a_form_that_says_nonsense_adds_nothing(form: dict[str, str], says: str, service: Service, ann: Player) -> None:
    with signed_in(service, ann) as browser:
        answer = browser.post(PAGE, form)
        assert answer.status_code == 409
        assert says in said(answer.text)
    assert ann.get("/v1/webhooks").json()["webhooks"] == []


def test_nobody_sees_or_touches_the_webhook_of_another(service: Service, ann: Player) -> None:
    webhook = hooked(ann, "http://127.0.0.1:9/")
    one = f"{PAGE}/{webhook['id']}"
    with signed_in(service, registered(service, "Eve")) as browser:
        assert browser.get(one).status_code == 404
        assert {browser.post(f"{one}/{deed}").status_code for deed in ("disable", "remove", "rotate")} == {404}
        assert browser.post(f"{one}/fly").status_code == 404
    assert shown(ann, webhook)["enabled"]


def test_a_session_of_a_small_token_and_nobody_at_all_are_kept_out(service: Service, ann: Player) -> None:
    small = ann.post("/v1/tokens", {"label": "small", "scopes": ["read", "play"]}).json()
    with signed_in(service, speaking(service, ann.id, small["secret"], small["id"])) as browser:
        assert browser.get(PAGE).status_code == 403
        assert browser.post(PAGE, {"url": "https://example.org", "type.turn": "on"}).status_code == 403
    assert service.http.get(PAGE).headers["location"] == f"/sign-in?back={PAGE}"
