"""Webhooks: signed by the standard, sent until they are taken, and sent nowhere that is not public."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook

from service.outbox.sending import check_url, is_public
from service.postgres import Server
from service.problems import Refused

from . import truth
from .boxes import begun, done, running
from .holding import announced, close_all, entered, resign
from .playing import of, opened, say
from .problems import told
from .receiving import Receiver
from .serving import Player, Service, database_of, moderating, registered, serving
from .test_account_events import listed
from .watching import metric, until

RESIGN = {"type": "game/resign"}
DAY = 86_400_000_000


NEAR = {"webhooks_by_http": True, "webhooks_to_private": True, "webhook_pause": 0.05}


@pytest.fixture(scope="module")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server whose operator lets webhooks go to this machine."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **NEAR) as running:
        yield running


@pytest.fixture
def impatient(postgres: Server, template_database: str) -> Iterator[Service]:
    """Another that waits for an answer for two seconds instead of fifteen."""
    hurried = {"environment": {"SERVED_WEBHOOK_SECONDS": "2"}}
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **NEAR, **hurried) as running:
        yield running


@pytest.fixture(scope="module")
def receiver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    made = Receiver(tmp_path_factory.mktemp("receiver"))
    yield made
    made.kill()


@pytest.fixture
def ann(service: Service) -> Player:
    """A player of whom nothing is known."""
    return registered(service, "Ann")


def hooked(player: Player, url: str, *types: str) -> Any:
    """A new webhook."""
    answer = player.post("/v1/webhooks", {"url": url, "types": types or ["finished"]})
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"/v1/webhooks/{answer.json()['id']}"
    return answer.json()


def shown(player: Player, webhook: Any) -> Any:
    return player.get(f"/v1/webhooks/{webhook['id']}").json()


def patched(player: Player, webhook: Any, **change: Any) -> httpx.Response:
    return player.http.patch(f"/v1/webhooks/{webhook['id']}", json=change)


def delivered(player: Player, webhook: Any) -> list[Any]:
    deliveries: list[Any] = player.get(f"/v1/webhooks/{webhook['id']}/deliveries").json()["deliveries"]
    return deliveries


def finish(player: Player) -> Any:
    """An event: a game that is given up."""
    say(player, opened(player), RESIGN)
    return listed(player)[0]


def of_event(receiver: Receiver, event: Any, wish: str = "") -> list[Any]:
    return [one for one in receiver.received(wish) if one.get("headers", {}).get("webhook-id") == event["id"]]


def verified(one: Any, secret: str) -> Any:
    """What came, if the signature is right by the standard's own package."""
    return Webhook(secret).verify(one["body"], one["headers"])


def test_an_event_is_sent_signed_and_is_the_one_of_the_list(ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("204"))
    event = finish(ann)
    until(lambda: of_event(receiver, event) != [])  # it came
    (one,) = of_event(receiver, event)
    assert verified(one, webhook["secret"]) == event
    until(lambda: delivered(ann, webhook)[0]["status"] == "taken")  # the answer is kept
    (delivery,) = delivered(ann, webhook)
    assert (delivery["event_id"], delivery["attempts"], delivery["answer_status"]) == (event["id"], 1, 204)


def test_a_void_a_changed_table_and_a_revealed_attempt_are_sent(service: Service, receiver: Receiver) -> None:
    ann, ben, mo = registered(service, "Ann"), registered(service, "Ben"), moderating(service)
    webhook = hooked(ann, receiver.url("204"), "voided", "table_changed", "attempt_revealed")
    league = running(ann, ann, ben)
    game = begun(league, ann, ben)
    done(mo.post(of(game, "/void"), {"reason": "A fault."}))
    contest = announced(service.conninfo, "golf")
    resign(ann, entered(ann, contest))
    close_all(service.conninfo)  # by a clock a day ahead, by which the delivery is due
    truth.done(service, "UPDATE webhook_deliveries SET due = 1 WHERE webhook = %s AND due IS NOT NULL", webhook["id"])
    events = {event["type"]: event for event in listed(ann)}
    for kind in ("voided", "table_changed", "attempt_revealed"):
        until(lambda: of_event(receiver, events[kind]) != [])  # noqa: B023
        assert verified(of_event(receiver, events[kind])[0], webhook["secret"]) == events[kind]
    assert (events["voided"]["game_id"], events["table_changed"]["league_id"]) == (game["id"], league["id"])
    assert events["attempt_revealed"]["contest_id"] == str(contest)
    assert {one["type"] for one in delivered(ann, webhook)} == {"voided", "table_changed", "attempt_revealed"}


def test_attempts_and_what_is_due_are_counted(service: Service, ann: Player, receiver: Receiver) -> None:
    def counted(outcome: str) -> float:
        return metric(service, "kibitz_webhook_attempts_total", outcome=outcome)

    before = {outcome: counted(outcome) for outcome in ("taken", "refused", "unanswered")}
    hooked(ann, receiver.url("204"))
    refusing, nobody = hooked(ann, receiver.url("500")), hooked(ann, "http://127.0.0.1:9/")
    truth.done(service, "UPDATE webhooks SET verified_at = 1, paused_until = 0 WHERE id = %s", nobody["id"])
    finish(ann)
    until(lambda: all(delivered(ann, one)[0]["attempts"] > 1 for one in (refusing, nobody)))
    until(lambda: all(counted(outcome) > count for outcome, count in before.items()))
    truth.done(service, "UPDATE webhooks SET paused_until = %s WHERE id = %s", 2**62, refusing["id"])
    truth.done(service, "UPDATE webhook_deliveries SET due = 1 WHERE webhook = %s", refusing["id"])
    until(lambda: metric(service, "kibitz_webhook_deliveries_due") >= 1)


def test_only_the_wanted_types_are_sent(ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("204"), "voided")
    finish(ann)
    assert delivered(ann, webhook) == []


def test_what_is_not_taken_is_sent_again_under_the_same_id(ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("third"))
    event = finish(ann)
    until(lambda: delivered(ann, webhook)[0]["status"] == "taken")  # the third attempt is taken
    came = of_event(receiver, event)
    assert len(came) == delivered(ann, webhook)[0]["attempts"] == 3
    assert [verified(one, webhook["secret"]) for one in came] == [event] * 3
    assert shown(ann, webhook)["failing_since"] is None


def test_a_redirect_is_a_failure_and_is_not_followed(ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("away"))
    finish(ann)
    until(lambda: delivered(ann, webhook)[0]["answer_status"] == 302)  # the redirect is told
    until(lambda: shown(ann, webhook)["failing_since"] is not None)  # noted after the answer
    assert [one for one in receiver.received() if "elsewhere" in one["path"]] == []


def test_a_flood_and_a_hanging_receiver_hold_up_nobody(impatient: Service, receiver: Receiver) -> None:
    ann, good = registered(impatient, "Ann"), registered(impatient, "Ben")
    hanging = [hooked(ann, receiver.url("hang")) for _ in range(9)]
    flooding = hooked(ann, receiver.url("flood"))
    events = [finish(ann) for _ in range(3)]
    until(lambda: len(of_event(receiver, events[0], "hang")) >= 9)
    webhook = hooked(good, receiver.url("204"))
    finish(good)
    until(lambda: delivered(good, webhook)[0]["status"] == "taken")  # the good one has it
    assert all(one["status"] == "pending" for one in delivered(ann, hanging[0]))
    until(lambda: delivered(ann, flooding)[0]["status"] == "taken")  # the flood is cut off
    assert len(delivered(ann, flooding)[0]["answer"]) == 1_000


def test_a_secret_is_shown_once_sealed_and_rotated_with_an_overlap(
    service: Service, ann: Player, receiver: Receiver
) -> None:
    webhook = hooked(ann, receiver.url("204"))
    assert "secret" not in shown(ann, webhook) or shown(ann, webhook)["secret"] is None
    stored = [value for table, value in truth.everything(service) if table == "webhooks"]
    assert stored
    assert not any(webhook["secret"].removeprefix("whsec_").encode() in value for value in stored)
    rotated = ann.post(f"/v1/webhooks/{webhook['id']}/rotate").json()
    assert rotated["secret"] not in (None, webhook["secret"])
    event = finish(ann)
    until(lambda: of_event(receiver, event) != [])  # it came
    for secret in webhook["secret"], rotated["secret"]:
        assert verified(of_event(receiver, event)[0], secret) == event
    truth.done(service, "UPDATE webhooks SET both_until = 1 WHERE id = %s", webhook["id"])
    event = finish(ann)
    until(lambda: of_event(receiver, event) != [])  # it came
    assert verified(of_event(receiver, event)[0], rotated["secret"]) == event
    with pytest.raises(Exception, match="No matching signature"):
        verified(of_event(receiver, event)[0], webhook["secret"])


def test_after_two_days_without_success_it_is_disabled_with_a_notice_and_enabled_it_gets_what_is_pending(
    service: Service, ann: Player, receiver: Receiver
) -> None:
    webhook = hooked(ann, receiver.url("500"))
    first = finish(ann)
    until(lambda: shown(ann, webhook)["failing_since"] is not None)  # it fails
    truth.done(service, "UPDATE webhooks SET failing_since = failing_since - %s", 2 * DAY)
    until(lambda: shown(ann, webhook)["disabled"] == "failing")  # it is disabled
    assert listed(ann)[0]["type"] == "webhook_disabled"
    assert [event["type"] for event in listed(ann)].count("webhook_disabled") == 1
    assert patched(ann, webhook, enabled=True, url=receiver.url("204")).json()["enabled"] is True
    until(lambda: delivered(ann, webhook)[0]["status"] == "taken")  # what was pending is taken
    assert delivered(ann, webhook)[0]["event_id"] == first["id"]


def test_gone_disables_at_once_and_a_replay_needs_an_enabled_webhook(ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("410"))
    event = finish(ann)
    until(lambda: shown(ann, webhook)["disabled"] == "gone")  # it is disabled
    (delivery,) = delivered(ann, webhook)
    assert delivery["status"] == "failed"
    replay = f"/v1/webhooks/{webhook['id']}/deliveries/{delivery['id']}/replay"
    told(ann.post(replay), 409, "illegal", "webhook_disabled")
    patched(ann, webhook, enabled=True, url=receiver.url("200"))
    for times in (1, 2):
        assert ann.post(replay).status_code == 202
        until(lambda: len(of_event(receiver, event, "200")) >= times)  # noqa: B023
        until(lambda: delivered(ann, webhook)[0]["status"] == "taken")  # it is taken
    assert delivered(ann, webhook)[0]["answer"] == "told 200"


def test_a_replay_while_the_delivery_is_under_way_is_not_lost(ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("slow"))
    event = finish(ann)
    until(lambda: of_event(receiver, event) != [])  # it came, and is not answered yet
    (delivery,) = delivered(ann, webhook)
    assert ann.post(f"/v1/webhooks/{webhook['id']}/deliveries/{delivery['id']}/replay").status_code == 202
    until(lambda: len(of_event(receiver, event)) >= 2)
    until(lambda: delivered(ann, webhook)[0]["status"] == "taken")


def test_deliveries_have_pages(ann: Player, receiver: Receiver) -> None:
    webhook = hooked(ann, receiver.url("204"))
    ids = [finish(ann)["id"] for _ in range(3)]
    path, query, found = f"/v1/webhooks/{webhook['id']}/deliveries", {"limit": 2}, list[str]()
    while query.get("cursor", "") is not None:
        page = ann.get(path, params=query).json()
        found += [one["event_id"] for one in page["deliveries"]]
        query["cursor"] = page["next"]
    assert found == ids[::-1]
    told(ann.get(path, params={"cursor": "nonsense"}), 400, "malformed")


def test_webhooks_are_their_owners_alone(service: Service, ann: Player, receiver: Receiver) -> None:
    webhook, eve = hooked(ann, receiver.url("204")), registered(service, "Eve")
    finish(ann)
    (delivery,) = delivered(ann, webhook)
    path = f"/v1/webhooks/{webhook['id']}"
    for answer in (
        eve.get(path),
        eve.http.patch(path, json={"enabled": False}),
        eve.http.delete(path),
        eve.post(path + "/rotate"),
        eve.get(path + "/deliveries"),
        eve.post(f"{path}/deliveries/{delivery['id']}/replay"),
    ):
        told(answer, 404, "no_such_thing")
    assert eve.get("/v1/webhooks").json() == {"webhooks": []}
    minted = ann.post("/v1/tokens", {"label": "bot", "scopes": ["read", "play"]}).json()["secret"]
    asked = httpx.get(f"{service.url}/v1/webhooks", headers={"authorization": f"Bearer {minted}"})
    told(asked, 403, "scope_missing")
    assert ann.http.delete(path).status_code == 204
    told(ann.get(path), 404, "no_such_thing")


def test_an_account_has_ten_webhooks_at_most(ann: Player, receiver: Receiver) -> None:
    for _ in range(10):
        hooked(ann, receiver.url("204"))
    refused = ann.post("/v1/webhooks", {"url": receiver.url("204")})
    told(refused, 409, "illegal", "too_many_webhooks")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": 1},
        {"url": ""},
        {"url": "ftp://example.org/"},
        {"url": "https://"},
        {"url": "https://user:word@example.org/"},
        {"url": "https://example.org/#part"},
        {"url": "https://example.org/ä"},
        {"url": "https://exa mple.org/"},
        {"url": "https://example.org:99999/"},
        {"url": "https://example.org/" + "x" * 2_000},
        {"url": "https://example.org/", "types": []},
        {"url": "https://example.org/", "types": ["party"]},
        {"url": "https://example.org/", "secret": "mine"},
    ],
    ids=json.dumps,
)
def test_bad_webhooks_are_refused(strict: Service, body: Any) -> None:
    told(registered(strict, "Ann").post("/v1/webhooks", body), 400, "malformed")


PRIVATE = (
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.100.100.200", "0.0.0.0",
    "168.63.129.16", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1",
    "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "ff02::1",
    "::127.0.0.1", "64:ff9b:1::1", "2001:0:7f00:1::",
)  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_told_from_public_ones(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "2606:4700::1111", "::ffff:1.1.1.1", "2002:101:101::"])
def test_public_addresses_are(address: str) -> None:
    assert is_public(address)


@pytest.fixture(scope="module")
def strict(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server whose operator allows plain http, and nothing private."""
    quick = {"webhooks_by_http": True, "webhook_pause": 0.05}
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **quick) as running:
        yield running


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost", "10.0.0.1", "[::ffff:127.0.0.1]", "LOCALHOST."])
def test_private_urls_are_refused_at_once(strict: Service, host: str) -> None:
    player = registered(strict, "Ann")
    told(player.post("/v1/webhooks", {"url": f"http://{host}:8000/"}), 400, "malformed")


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1", "127.1"])
def test_a_name_that_leads_to_a_private_address_gets_nothing(strict: Service, receiver: Receiver, host: str) -> None:
    player = registered(strict, "Ann")
    webhook = hooked(player, "https://example.org/")
    url = f"http://{host}:{receiver.port}/200"
    until(lambda: shown(player, webhook)["verification_error"] is not None)  # another name than that which is asked
    truth.done(
        strict, "UPDATE webhooks SET url = %s, verified_at = 1, paused_until = 0 WHERE id = %s", url, webhook["id"]
    )
    event = finish(player)
    until(lambda: delivered(player, webhook)[0]["answer"] is not None)  # an attempt was made
    (delivery,) = delivered(player, webhook)
    assert delivery["answer"] == "the name leads to a private address"
    assert of_event(receiver, event) == []


@pytest.mark.parametrize("url", ["http://example.org/", "https://127.0.0.1/", "https://[fd00::1]/"])
def test_without_the_operators_leave_only_https_to_the_open_internet(url: str) -> None:
    with pytest.raises(Refused):
        check_url(url, http=False, private=False)
