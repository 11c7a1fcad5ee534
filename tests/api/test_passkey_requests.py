"""What the pages' script sends for passkeys, sent wrong: each is refused with a problem, and nothing is kept."""

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
from .serving import Player, Service, registered

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


@pytest.fixture
def gus(service: Service) -> Player:
    return registered(service, "Gus")


@pytest.mark.parametrize(
    "credential",
    [
        {}, {"response": None}, {"response": {"clientDataJSON": 3}}, {"response": {"clientDataJSON": "%%%"}},
        {"response": {"clientDataJSON": b64("[]")}}, {"response": {"clientDataJSON": b64('{"challenge":"!"}')}},
        answer_to(b64("nobody's challenge")), answer_to(""),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_refused(credential: dict[str, Any], service: Service, gus: Player) -> None:
    with signed_in(service, gus) as browser:
        told(ask(browser, "/sign-in/passkey", {"credential": credential}), 401, "unauthenticated")
        body = {"label": "key", "credential": credential}
        told(ask(browser, "/account/passkeys", body), 401, "unauthenticated")
    assert truth.done(service, "SELECT FROM passkeys WHERE player = %s", gus.id) == 0


@pytest.mark.parametrize("more", [{}, {"rawId": "AAAB"}, {"rawId": 7}, {"id": None}, {"response": {}}])
def test_a_forged_answer_to_a_real_challenge_is_refused_and_the_challenge_is_gone(
    more: dict[str, Any], service: Service, gus: Player
) -> None:
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


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400), (b"{", 400), (b"[]", 400), (b"{}", 400), (b'{"credential":3}', 400), (b"\xff", 400),
        (b'{"label":"","credential":{}}', 400), (b'{"label":"%s","credential":{}}' % (b"x" * 41), 400),
        (b'{"label":"a","credential":{},"more":1}', 400), (b'{"label":"' + b"x" * 300_000 + b'"}', 413),
    ],
)  # fmt: skip
def test_a_body_that_is_none_is_refused(body: bytes, status: int, service: Service, gus: Player) -> None:
    with signed_in(service, gus) as browser:
        headers = {**NAMED, "content-type": "application/json"}
        answer = browser.http.post("/account/passkeys", content=body, headers=headers)
        assert answer.status_code == status, answer.text
        answer = browser.http.post("/account/passkeys", content=body, headers={**NAMED, "content-type": "text/plain"})
        assert answer.status_code in (413, 415)


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
        foreign = {"sec-fetch-site": "cross-site"}
        assert ask(browser, "/account/passkeys/challenge", {}, **foreign).status_code == 403
        assert ask(browser, "/sign-in/passkey/challenge", {}, **foreign).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "[::1]:8000", "10.0.0.1"])
def test_an_address_without_a_name_has_no_passkeys(host: str, service: Service) -> None:
    with Browser(service) as browser:
        answer = ask(browser, "/sign-in/passkey/challenge", {}, host=host)
        assert "http://localhost" in told(answer, 400, "malformed")["detail"]


def test_a_code_that_many_use_at_once_signs_one_in(service: Service, gus: Player) -> None:
    with signed_in(service, gus) as browser:
        page = browser.post("/account/recovery-codes").text
        assert page.count("<li>") >= 10
    code = page.partition('id="codes">')[2].partition("<li>")[2].partition("<")[0]

    def use(_: int) -> int:
        with Browser(service) as one:
            return one.post("/sign-in/code", {"code": code}).status_code

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(use, range(6))) == [303, *[401] * 5]
    assert code.replace("-", "") not in service.log()


@pytest.mark.parametrize("code", ["", " ", "-", "0000-0000-0000-0000", "x" * 5_000, "\u00e9\U0001f600", "a\x00b"])
def test_a_code_that_is_none_signs_nobody_in(code: str, service: Service) -> None:
    with Browser(service) as browser:
        assert browser.post("/sign-in/code", {"code": code}).status_code == 401
        assert browser.secret is None


def test_revoking_everything_ends_sessions_that_no_token_began(service: Service, gus: Player) -> None:
    with signed_in(service, gus) as browser:
        page = browser.post("/account/recovery-codes").text
    code = page.partition('id="codes">')[2].partition("<li>")[2].partition("<")[0]
    with Browser(service) as browser:
        browser.post("/sign-in/code", {"code": code})
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
