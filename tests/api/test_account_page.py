"""The account's page: tokens made, relabelled, seen in use and revoked; sessions seen and ended."""

import re
from datetime import UTC, datetime
from typing import get_args
from uuid import uuid4

import httpx
import pytest

from domain.player import PlayerScope

from . import truth
from .browsing import OWN, Browser, said, signed_in
from .problems import told
from .serving import Player, Service, player_fixture, registered, speaking
from .watching import until

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def tokens(player: Player) -> dict[str, dict[str, object]]:
    """The player's tokens by label."""
    return {token["label"]: token for token in player.get("/v1/tokens").json()["tokens"]}


def made(browser: Browser, **form: str) -> httpx.Response:
    """A token asked for on the page."""
    return browser.post("/account/tokens", {"label": "my bot", "scope.read": "on", "days": "30", **form})


def secret_of(page: str) -> str:
    """The token that the page shows."""
    return page.partition('id="secret">')[2].partition("<")[0]


gus = player_fixture("Gus", "function")


def test_a_token_is_made_on_the_page_and_shown_once(service: Service, gus: Player) -> None:
    with signed_in(service, gus) as browser:
        answer = made(browser)
        secret = secret_of(answer.text)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
        page = browser.shown("/account")
        assert secret not in page
        assert "my bot" in said(page)
        assert re.findall(r'name="scope\.([a-z:]+)" value="on" checked', page) == ["read", "play"]
        assert set(re.findall(r'name="scope\.([a-z:]+)"', page)) == set(get_args(PlayerScope))
        answer = browser.post("/account/tokens", {"label": "organiser", "scope.leagues:organise": "on"})
        assert answer.status_code == 200
        assert "one may found leagues and run yours, until" in said(answer.text)
    token = tokens(gus)["my bot"]
    assert (token["scopes"], token["made_of_token_id"]) == (["read"], gus.token_id)
    assert tokens(gus)["organiser"]["scopes"] == ["leagues:organise"]
    bot = speaking(service, gus.id, secret, str(token["id"]))
    assert bot.get("/v1/players/me").json()["name"] == "Gus"
    told(bot.post("/v1/games", {"game_type": "golf"}), 403, "scope_missing")


def test_a_form_that_says_nonsense_makes_no_token(service: Service, gus: Player) -> None:
    with signed_in(service, gus) as browser:
        for form in ({"label": ""}, {"label": "x" * 41}, {"days": "0"}, {"days": "367"}, {"days": "soon"}):
            assert made(browser, **form).status_code == 409, form
        assert "Tick at least one" in browser.post("/account/tokens", {"label": "idle", "days": "3"}).text
        assert list(tokens(gus)) == ["first", "browser"]
        assert made(browser, more="x").status_code == 200
    assert "my bot" in tokens(gus)


def test_a_label_is_changed_by_its_owner_alone(service: Service, gus: Player, eve: Player) -> None:
    path = f"/v1/tokens/{gus.token_id}"
    with signed_in(service, gus) as browser:
        form = {"token": gus.token_id, "label": "kitchen <tablet>"}
        assert browser.post("/account/relabel", form).headers["location"] == "/account"
        assert "kitchen &lt;tablet&gt;" in browser.shown("/account")
    answer = gus.http.patch(path, json={"label": "phone"})
    assert (answer.status_code, answer.json()["label"], "secret" in answer.json()) == (200, "phone", False)
    told(eve.http.patch(path, json={"label": "mine"}), 404, "no_such_thing")
    told(gus.http.patch(f"/v1/tokens/{uuid4()}", json={"label": "mine"}), 404, "no_such_thing")
    for body in ({}, {"label": ""}, {"label": "x" * 41}, {"label": "a", "scopes": ["read"]}, {"label": 3}):
        told(gus.http.patch(path, json=body), 400, "malformed")
    with signed_in(service, eve) as browser:
        for deed in ("relabel", "revoke"):
            assert browser.post(f"/account/{deed}", {"token": gus.token_id, "label": "mine"}).status_code in (404, 409)
    assert next(iter(tokens(gus))) == "phone"


def test_the_last_day_of_use_is_told(service: Service, gus: Player) -> None:
    minted = gus.post("/v1/tokens", {"label": "idle"}).json()
    until(lambda: "last_used_on" in tokens(gus)["first"])
    assert tokens(gus)["first"]["last_used_on"] == f"{datetime.now(UTC):%Y-%m-%d}"
    assert "last_used_on" not in tokens(gus)["idle"]
    truth.done(service, "UPDATE tokens SET used_on = '2026-01-31' WHERE token = %s", minted["id"])
    with signed_in(service, gus) as browser:
        assert "Last used 31 Jan 2026" in said(browser.shown("/account"))


def test_sessions_are_seen_and_ended_singly_or_all_others(service: Service, gus: Player) -> None:
    with signed_in(service, gus) as here, Browser(service) as there, signed_in(service, gus) as third:
        there.post("/sign-in", {"token": gus.token}, **{"user-agent": FIREFOX})
        words = said(here.shown("/account"))
        assert "Firefox on Linux" in words
        assert "this browser" in words
        other = tokens(gus)["Firefox on Linux"]
        assert other["session"] is True
        assert here.post("/account/revoke", {"token": str(other["id"])}).status_code == 303
        assert there.get("/account").headers["location"] == "/sign-in?back=/account"
        there.post("/sign-in", {"token": gus.token})
        assert [browser.get("/account").status_code for browser in (here, there, third)] == [200, 200, 200]
        assert here.post("/account/end-others").headers["location"] == "/account"
        assert [browser.get("/account").status_code for browser in (here, there, third)] == [200, 303, 303]
    assert gus.get("/v1/players/me").status_code == 200


def test_one_is_found_by_name_while_the_page_says_so(service: Service) -> None:
    player = registered(service, "Findable By Page")
    with signed_in(service, player) as browser:
        for deed, sentence, findable in (
            ("be-found", "Others can find you", True),
            ("hide", "Nobody can find you", False),
        ):
            assert browser.post(f"/account/{deed}").headers["location"] == "/account"
            assert sentence in said(browser.shown("/account"))
            listed = player.get("/v1/players", params={"name": "findable by page"}).json()["players"]
            assert [row["id"] for row in listed] == [player.id] * findable


def test_a_session_may_no_more_than_its_token(service: Service, gus: Player) -> None:
    lent, clerk, narrow = (
        gus.post("/v1/tokens", {"label": label, "scopes": scopes, "days": 2}).json()
        for label, scopes in (
            ("lent", ["read", "play"]), ("clerk", ["read", "play", "account"]), ("narrow", ["read", "account"])
        )
    )  # fmt: skip
    with signed_in(service, speaking(service, gus.id, lent["secret"], lent["id"])) as browser:
        assert "may not change your account" in browser.shown("/account")
        assert made(browser).status_code == 403
        for deed in ("relabel", "revoke", "end-others"):
            assert browser.post(f"/account/{deed}", {"token": gus.token_id, "label": "mine"}).status_code == 403
    with signed_in(service, speaking(service, gus.id, narrow["secret"], narrow["id"])) as browser:
        assert made(browser, label="wide", **{"scope.play": "on"}).status_code == 403
    assert not {"my bot", "wide"} & set(tokens(gus))
    with signed_in(service, speaking(service, gus.id, clerk["secret"], clerk["id"])) as browser:
        assert made(browser, days="300").status_code == 200
    assert tokens(gus)["my bot"]["expires_at"] == clerk["expires_at"]


@pytest.mark.parametrize("by_session", [False, True])
def test_a_token_is_worth_no_more_on_the_pages(by_session: bool, service: Service, gus: Player) -> None:
    if by_session:  # what a person makes who has signed in without a token stands by itself
        with signed_in(service, gus) as browser:
            codes = browser.post("/account/recovery-codes").text.partition('id="codes">')[2]
        with Browser(service) as browser:
            browser.post("/sign-in/code", {"code": codes.partition("<li>")[2].partition("<")[0]})
            secret = secret_of(made(browser, label="reader").text)
    else:
        secret = gus.post("/v1/tokens", {"label": "reader", "scopes": ["games:read"]}).json()["secret"]
    forms = {
        "/account/tokens": {"label": "wide", "scope.account": "on"}, "/account/recovery-codes": {},
        "/account/rename": {"name": "Eve"}, "/account/revoke": {"token": gus.token_id}, "/account/end-others": {},
        "/account/webhooks": {"url": "https://example.org/", "type.turn": "on"},
    }  # fmt: skip
    with Browser(service) as program:
        program.http.headers["authorization"] = f"Bearer {secret}"
        assert program.get("/account").headers["location"] == "/sign-in?back=/account"
        assert program.get("/account/webhooks").status_code == 403
        for path, form in forms.items():
            assert program.post(path, form).status_code == 403, path
        challenge = program.http.post("/account/passkeys/challenge", json={}, headers=OWN)
        told(challenge, 403, "scope_missing")
    assert "wide" not in tokens(gus)
    assert gus.get("/v1/players/me").json()["name"] == "Gus"


def test_nobody_changes_an_account_without_signing_in_or_from_elsewhere(service: Service, gus: Player) -> None:
    with Browser(service) as browser:
        assert browser.get("/account").headers["location"] == "/sign-in?back=/account"
        for path in ("/account/tokens", "/account/revoke", "/account/end-others"):
            assert browser.post(path, {"token": gus.token_id}).status_code in (303, 401)
    with signed_in(service, gus) as browser:
        assert browser.post("/account/tokens", {"label": "x"}, **{"sec-fetch-site": "cross-site"}).status_code == 403
        assert browser.post("/account/erase-everything").status_code == 404
    assert next(iter(tokens(gus))) == "first"


def test_a_browsers_own_token_goes_only_for_sure(service: Service, gus: Player) -> None:
    with Browser(service) as browser:
        browser.post("/register", {"guest": "on", "back": "/days"})
        assert "Sign out for good?" in browser.post("/sign-out").text
        assert browser.get("/account").status_code == 200
        assert browser.post("/sign-out", {"sure": "on"}).status_code == 303
        assert browser.get("/account").status_code == 303
    with signed_in(service, gus) as browser:
        answer = browser.post("/account/revoke", {"token": gus.token_id})
        assert (answer.status_code, "say that you are sure" in answer.text) == (409, True)
        assert gus.get("/v1/players/me").status_code == 200
        assert browser.post("/account/revoke", {"token": gus.token_id, "sure": "on"}).status_code == 303
    told(gus.get("/v1/players/me"), 401, "unauthenticated")
