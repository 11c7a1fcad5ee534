"""Passkeys by the API and by the pages' script: what is sent wrong is refused with a problem, and nothing is kept."""

import json
from base64 import urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from . import truth
from .browsing import OWN, Browser, signed_in
from .passkey_rows import passkey_of
from .problems import told
from .serving import Player, Service, registered, speaking


@pytest.fixture
def gus(service: Service) -> Player:
    return registered(service, "Gus")


def labels(player: Player) -> list[str]:
    return [one["label"] for one in player.get("/v1/passkeys").json()["passkeys"]]


def test_passkeys_are_listed_renamed_and_removed(service: Service, gus: Player) -> None:
    assert gus.get("/v1/passkeys").json() == {"passkeys": []}
    first, second = passkey_of(service, gus.id, "laptop"), passkey_of(service, gus.id, "phone")
    found = {one["id"]: one for one in gus.get("/v1/passkeys").json()["passkeys"]}
    assert found[str(first)] == {"id": str(first), "label": "laptop", "created_at": "2023-11-14T22:13:20Z"}
    renamed = gus.http.patch(f"/v1/passkeys/{first}", json={"label": "kitchen"})
    assert (renamed.status_code, renamed.json()) == (200, found[str(first)] | {"label": "kitchen"})
    assert set(labels(gus)) == {"kitchen", "phone"}
    for headers, status in (({"idempotency-key": "once"}, 204), ({"idempotency-key": "once"}, 204), ({}, 404)):
        assert gus.http.delete(f"/v1/passkeys/{second}", headers=headers).status_code == status
    assert labels(gus) == ["kitchen"]


def test_nobody_touches_the_passkey_of_another(service: Service, gus: Player, bob: Player) -> None:
    passkey = passkey_of(service, gus.id)
    path = f"/v1/passkeys/{passkey}"
    told(bob.http.patch(path, json={"label": "mine"}), 404, "no_such_thing")
    told(bob.http.delete(path), 404, "no_such_thing")
    with signed_in(service, bob) as browser:
        for deed, more in (("remove-passkey", {"sure": "on"}), ("relabel-passkey", {"label": "mine"})):
            assert browser.post(f"/account/{deed}", {"passkey": str(passkey), **more}).status_code == 404
    assert labels(gus) == ["laptop"]


def test_only_a_token_that_makes_tokens_sees_passkeys(service: Service, gus: Player) -> None:
    path = f"/v1/passkeys/{passkey_of(service, gus.id)}"
    small = gus.post("/v1/tokens", {"label": "small", "scopes": ["read", "play", "account:write"]}).json()
    reader = speaking(service, gus.id, small["secret"], small["id"])
    for answer in (reader.get("/v1/passkeys"), reader.http.patch(path, json={"label": "x"}), reader.http.delete(path)):
        told(answer, 403, "scope_missing")
    told(service.http.get("/v1/passkeys"), 401, "unauthenticated")
    with signed_in(service, gus) as browser:
        told(browser.http.delete(path, headers=OWN | {"accept": "application/json"}), 403, "scope_missing")
    assert labels(gus) == ["laptop"]


def test_a_bad_body_and_an_unknown_filter_are_told_so(service: Service, gus: Player) -> None:
    path = f"/v1/passkeys/{passkey_of(service, gus.id)}"
    bodies: list[Any] = [{}, {"label": ""}, {"label": "x" * 41}, {"label": 7}, {"label": "a", "more": 1}, []]
    for body in bodies:
        assert told(gus.http.patch(path, json=body), 400, "malformed")["errors"], body
    assert labels(gus) == ["laptop"]
    told(gus.http.delete("/v1/passkeys/nothing"), 404, "no_such_thing")
    assert told(gus.get("/v1/passkeys?label=x"), 400, "malformed")["errors"][0]["parameter"] == "label"


NAMED = {**OWN, "host": "localhost:8000"}
"""As if the browser had the service's name in its address line."""


def b64(text: str) -> str:
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def ask(browser: Browser, path: str, body: Any, **headers: str) -> httpx.Response:
    """JSON as the pages' script sends it."""
    return browser.http.post(path, json=body, headers={**NAMED, **headers})


def answer_to(challenge: str, kind: str = "webauthn.get", **more: Any) -> dict[str, Any]:
    """A credential that says it answers this challenge, and is signed by nobody."""
    data = json.dumps({"type": kind, "challenge": challenge, "origin": "http://localhost:8000"})
    response = {"clientDataJSON": b64(data), "authenticatorData": b64("x" * 37), "signature": b64("x")}
    return {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": response, **more}


def test_an_answer_that_is_none_is_refused(service: Service, gus: Player) -> None:
    responses = (None, {"clientDataJSON": 3}, {"clientDataJSON": "%%%"}, {"clientDataJSON": b64("[]")})
    credentials: list[Any] = [{}, *({"response": one} for one in responses), answer_to("")]
    credentials += [{"response": {"clientDataJSON": b64('{"challenge":"!"}')}}, answer_to(b64("nobody's challenge"))]
    with signed_in(service, gus) as browser:
        for credential in credentials:
            told(ask(browser, "/sign-in/passkey", {"credential": credential}), 401, "unauthenticated")
            body = {"label": "key", "credential": credential}
            told(ask(browser, "/account/passkeys", body), 401, "unauthenticated")
    assert truth.done(service, "SELECT FROM passkeys WHERE player = %s", gus.id) == 0


@pytest.mark.parametrize("more", [{}, {"rawId": "AAAB"}, {"rawId": 7}, {"id": None}, {"response": {}}])
def test_a_forged_answer_uses_its_challenge_up(more: dict[str, Any], service: Service, gus: Player) -> None:
    with signed_in(service, gus) as browser:
        made = ask(browser, "/account/passkeys/challenge", {}).json()
        forged = answer_to(made["challenge"], "webauthn.create", attestationObject="AAAA")
        for credential in ({**forged, "response": {**forged["response"], "attestationObject": "oA"}}, forged):
            body = {"label": "key", "credential": credential}
            told(ask(browser, "/account/passkeys", body), 401, "unauthenticated")
        used = ask(browser, "/sign-in/passkey/challenge", {}).json()
        credential = answer_to(used["challenge"], **more)
        for _ in range(2):
            told(ask(browser, "/sign-in/passkey", {"credential": credential}), 401, "unauthenticated")


def test_a_challenge_is_its_players_and_lasts_five_minutes(service: Service, gus: Player, eve: Player) -> None:
    with signed_in(service, gus) as browser, signed_in(service, eve) as other:
        made = ask(browser, "/account/passkeys/challenge", {}).json()
        body = {"label": "key", "credential": answer_to(made["challenge"], "webauthn.create")}
        assert "sent twice" in ask(other, "/account/passkeys", body).json()["detail"]
        assert "sent twice" in ask(other, "/sign-in/passkey", {"credential": body["credential"]}).json()["detail"]
        assert truth.done(service, "SELECT FROM challenges WHERE player = %s", gus.id) == 1
        truth.done(service, "UPDATE challenges SET expires_at = expires_at - 300000000 WHERE player = %s", gus.id)
        assert "too long" in ask(browser, "/account/passkeys", body).json()["detail"]
        ask(browser, "/sign-in/passkey/challenge", {})
        assert truth.done(service, "SELECT FROM challenges WHERE player = %s", gus.id) == 0


def test_a_body_that_is_none_is_refused(service: Service, gus: Player) -> None:
    bodies = [b"", b"{", b"[]", b"{}", b'{"credential":3}', b"\xff", b'{"label":"","credential":{}}']
    bodies += [b'{"label":"%s","credential":{}}' % (b"x" * 41), b'{"label":"a","credential":{},"more":1}']
    too_long = b'{"label":"' + b"x" * 300_000 + b'"}'
    with signed_in(service, gus) as browser:
        for media_type, statuses in (("application/json", (400, 413)), ("text/plain", (415, 415))):
            headers = {**NAMED, "content-type": media_type}
            for body, status in (*((body, statuses[0]) for body in bodies), (too_long, statuses[1])):
                answer = browser.http.post("/account/passkeys", content=body, headers=headers)
                assert answer.status_code == status, answer.text


def test_who_may_not_change_the_account_makes_no_passkey(service: Service, gus: Player) -> None:
    with Browser(service) as browser:
        for path, body in (
            ("/account/passkeys/challenge", {}), ("/account/passkeys", {"label": "key", "credential": {}}),
        ):  # fmt: skip
            told(ask(browser, path, body), 401, "unauthenticated")
    lent = gus.post("/v1/tokens", {"label": "lent", "scopes": ["read", "play"]}).json()
    with Browser(service) as browser:
        browser.post("/sign-in", {"token": lent["secret"]})
        told(ask(browser, "/account/passkeys/challenge", {}), 403, "scope_missing")
        assert browser.post("/account/recovery-codes").status_code == 403
    with signed_in(service, gus) as browser:
        for path in ("/account/passkeys/challenge", "/sign-in/passkey/challenge"):
            assert ask(browser, path, {}, **{"sec-fetch-site": "cross-site"}).status_code == 403


def test_an_address_without_a_name_has_no_passkeys(service: Service) -> None:
    with Browser(service) as browser:
        for host in ("127.0.0.1:8000", "[::1]:8000", "10.0.0.1"):
            answer = ask(browser, "/sign-in/passkey/challenge", {}, host=host)
            assert "http://localhost" in told(answer, 400, "malformed")["detail"]


def recovery_code(service: Service, player: Player) -> str:
    """The first of this player's new ones."""
    with signed_in(service, player) as browser:
        page = browser.post("/account/recovery-codes").text
    assert page.count("<li>") >= 10
    return page.partition('id="codes">')[2].partition("<li>")[2].partition("<")[0]


def test_a_code_that_many_use_at_once_signs_one_in(service: Service, gus: Player) -> None:
    code = recovery_code(service, gus)

    def use(_: int) -> int:
        with Browser(service) as one:
            return one.post("/sign-in/code", {"code": code}).status_code

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(use, range(6))) == [303, *[401] * 5]
    assert code.replace("-", "") not in service.log()


def test_a_code_that_is_none_signs_nobody_in(service: Service) -> None:
    with Browser(service) as browser:
        for code in ("", " ", "-", "0000-0000-0000-0000", "x" * 5_000, "\u00e9\U0001f600", "a\x00b"):
            assert browser.post("/sign-in/code", {"code": code}).status_code == 401
            assert browser.secret is None


def test_revoking_everything_ends_sessions_that_no_token_began(service: Service, gus: Player) -> None:
    with Browser(service) as browser:
        browser.post("/sign-in/code", {"code": recovery_code(service, gus)})
        made = browser.post("/account/tokens", {"label": "bot", "scope.read": "on", "days": "300"})
        assert made.status_code == 200
        token = next(one for one in gus.get("/v1/tokens").json()["tokens"] if one["label"] == "bot")
        assert "made_of_token_id" not in token
        assert browser.get("/account").status_code == 200
        assert gus.http.delete("/v1/tokens", params={"keep": "asking"}).status_code == 204
        assert browser.get("/account").status_code == 303
    assert [one["label"] for one in gus.get("/v1/tokens").json()["tokens"]] == ["first"]


def test_the_twenty_first_passkey_is_forbidden_by_a_rule(service: Service, gus: Player) -> None:
    for _ in range(20):
        passkey_of(service, gus.id)
    with signed_in(service, gus) as browser:
        told(ask(browser, "/account/passkeys/challenge", {}), 409, "illegal", "too_many_passkeys")
