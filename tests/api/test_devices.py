"""Sign-in on devices without a browser (RFC 8628): Authlib's own client asks, a browser's forms answer."""

import re
from typing import Any

import httpx
import pytest
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import OAuth2Client

from service.oauth.apps import DEVICE_CODE, TERMINAL

from . import truth
from .browsing import Browser, said, signed_in
from .problems import told
from .serving import Player, Service, done, registered
from .test_oauth import UNKNOWN, fault, together, works

USER_CODE = re.compile(r"[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}")


def device_app(maker: Player, **more: Any) -> dict[str, Any]:
    """An app for devices that this player makes known."""
    return done(maker.post("/v1/apps", {"name": "Club Bot", "redirect_uris": [], "devices": True, **more}), 201)


def codes_of(service: Service, app: dict[str, Any], scope: str = "games:read") -> dict[str, Any]:
    """The codes of a device of this app."""
    form = {"client_id": app["client_id"], "scope": scope}
    form |= {"client_secret": app["client_secret"]} if "client_secret" in app else {}
    return done(service.http.post("/oauth/device_authorization", data=form))


def poll(service: Service, app: dict[str, Any], codes: dict[str, Any], **changed: str) -> httpx.Response:
    """The answer to a device that asks."""
    form = {"grant_type": DEVICE_CODE, "client_id": app["client_id"], "device_code": codes["device_code"]}
    return service.http.post("/oauth/token", data=form | changed)


def renew(service: Service, app: dict[str, Any], tokens: dict[str, Any]) -> httpx.Response:
    """The answer to a device that wants new tokens for these."""
    form = {"grant_type": "refresh_token", "client_id": app["client_id"], "refresh_token": tokens["refresh_token"]}
    return service.http.post("/oauth/token", data=form)


def answer(service: Service, player: Player, code: str, choice: str = "allow") -> httpx.Response:
    """The page after this player's answer."""
    with signed_in(service, player) as browser:
        return browser.post("/device/answer", {"user_code": code, "choice": choice})


def allowed(service: Service, player: Player, app: dict[str, Any], scope: str = "games:read") -> dict[str, Any]:
    """The codes of a device that this player has allowed, and the tokens that it has got."""
    codes = codes_of(service, app, scope)
    answer(service, player, codes["user_code"])
    return codes | done(poll(service, app, codes))


@pytest.mark.parametrize("confidential", [False, True])
def test_a_stock_client_signs_in_by_a_typed_code(
    service: Service, ada: Player, bob: Player, confidential: bool
) -> None:
    about = service.http.get("/.well-known/oauth-authorization-server").json()
    assert DEVICE_CODE in about["grant_types_supported"]
    app = device_app(bob, confidential=confidential)
    codes = codes_of(service, app, "games:read games:play")
    assert USER_CODE.fullmatch(codes["user_code"])
    assert (codes["expires_in"], codes["interval"]) == (600, 5)
    assert codes["verification_uri"] == f"{service.url}/device"
    assert codes["verification_uri_complete"] == f"{service.url}/device?user_code={codes['user_code']}"
    method = "client_secret_basic" if confidential else "none"
    client = OAuth2Client(app["client_id"], app.get("client_secret"), token_endpoint_auth_method=method, timeout=60)
    grant = {"grant_type": DEVICE_CODE, "device_code": codes["device_code"]}
    with pytest.raises(OAuthError, match="authorization_pending"):
        client.fetch_token(about["token_endpoint"], **grant)
    with signed_in(service, ada) as browser:
        typed = f"  {codes['user_code'].lower().replace('-', ' ')} "
        page = said(browser.post("/device", {"user_code": typed}).text)
        for words in ("Club Bot asks", "Bob", "Ada", codes["user_code"], "See your games", "Open games", "tokens"):
            assert words in page
        assert "Join and leave leagues" not in page
        assert "Allowed" in browser.post("/device/answer", {"user_code": typed, "choice": "allow"}).text
    client.fetch_token(about["token_endpoint"], **grant)
    assert client.get(f"{service.url}/v1/players/me").json()["id"] == ada.id
    assert client.post(f"{service.url}/v1/games", json={"game_type": "golf"}).status_code == 201
    told(client.post(f"{service.url}/v1/leagues", json={}), 403, "scope_missing")
    first = client.token["access_token"]
    client.refresh_token(about["token_endpoint"])
    assert (works(service, first), works(service, client.token["access_token"])) == (False, True)


def test_a_link_brings_the_code_and_allows_nothing(service: Service, ada: Player, bob: Player) -> None:
    codes = codes_of(service, app := device_app(bob))
    path = codes["verification_uri_complete"].removeprefix(service.url)
    with Browser(service) as browser:
        assert browser.get(path).headers["location"] == f"/sign-in?next={path.replace('?', '%3F').replace('=', '%3D')}"
        again = browser.get(path, headers={"sec-fetch-site": "cross-site"})
        assert f'content="0;url={path}"' in again.text
    with signed_in(service, ada) as browser:
        page = browser.shown(path)
        assert f'value="{codes["user_code"]}"' in page
        assert "Club Bot" not in page
        assert 'value=""' in browser.shown("/device?user_code=%3Cscript%3E")
    fault(poll(service, app, codes), "authorization_pending")


def test_a_no_is_told_and_is_the_last_word(service: Service, ada: Player, bob: Player) -> None:
    codes = codes_of(service, app := device_app(bob))
    assert "Not allowed" in answer(service, ada, codes["user_code"], "refuse").text
    fault(poll(service, app, codes), "access_denied")
    assert answer(service, bob, codes["user_code"]).status_code == 404
    fault(poll(service, app, codes), "access_denied")


def test_who_asks_too_often_waits_longer_each_time(service: Service, ada: Player) -> None:
    codes = codes_of(service, app := device_app(ada))
    for error in ("authorization_pending", "slow_down", "slow_down"):
        fault(poll(service, app, codes), error)
    assert truth.done(service, "SELECT FROM device_codes WHERE pause = 15") == 1
    truth.done(service, "UPDATE device_codes SET polled_at = polled_at - 14000000 WHERE pause = 15")
    fault(poll(service, app, codes), "slow_down")
    truth.done(service, "UPDATE device_codes SET polled_at = polled_at - 20000000 WHERE pause = 20")
    fault(poll(service, app, codes), "authorization_pending")
    answer(service, ada, codes["user_code"])
    assert poll(service, app, codes).status_code == 200  # what is allowed is told at once


def test_codes_end_after_ten_minutes_allowed_or_not(service: Service, ada: Player) -> None:
    app = device_app(ada)
    early, late = codes_of(service, app), codes_of(service, app)
    answer(service, ada, early["user_code"])
    truth.done(service, "UPDATE device_codes SET expires_at = expires_at - 600000000 WHERE app = %s", app["client_id"])
    assert answer(service, ada, late["user_code"]).status_code == 404
    for codes in (early, late):
        fault(poll(service, app, codes), "expired_token")


def test_a_replay_of_a_code_ends_what_it_gave_and_none_is_logged(service: Service, ada: Player) -> None:
    tokens = allowed(service, ada, app := device_app(ada))
    assert works(service, tokens["access_token"])
    fault(poll(service, app, tokens), "invalid_grant")
    assert not works(service, tokens["access_token"])
    fault(renew(service, app, tokens), "invalid_grant")
    secrets = [tokens[name] for name in ("device_code", "user_code", "access_token", "refresh_token")]
    assert not [secret for secret in secrets if secret in service.log()]


def test_of_several_pollers_or_answers_at_once_one_counts(service: Service, ada: Player, bob: Player) -> None:
    codes = codes_of(service, app := device_app(ada))
    answer(service, ada, codes["user_code"])
    answers = together(lambda: poll(service, app, codes))
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400]
    (tokens,) = (answer.json() for answer in answers if answer.status_code == 200)
    assert not works(service, tokens["access_token"])
    codes = codes_of(service, app)
    with signed_in(service, bob) as browser:
        form = {"user_code": codes["user_code"], "choice": "allow"}
        answers = together(lambda: browser.post("/device/answer", form))
    assert sorted(answer.status_code for answer in answers) == [200, 404, 404, 404]
    assert poll(service, app, codes).status_code == 200


def test_codes_are_one_devices_app_and_need_its_secret(service: Service, ada: Player) -> None:
    app, other = device_app(ada, confidential=True), device_app(ada)
    browsers = ada.post("/v1/apps", {"name": "Site", "redirect_uris": ["https://a.example/"]}).json()
    form = {"client_id": browsers["client_id"]}
    fault(service.http.post("/oauth/device_authorization", data=form), "unauthorized_client")
    codes = codes_of(service, app)
    answer(service, ada, codes["user_code"])
    fault(poll(service, browsers, codes), "unauthorized_client")
    fault(poll(service, other, codes), "invalid_grant")
    fault(poll(service, app, codes), "invalid_client", 401)
    fault(poll(service, app, codes, client_secret="kbz_wrong"), "invalid_client", 401)
    fault(poll(service, app, codes, client_id=UNKNOWN), "invalid_client")
    assert poll(service, app, codes, client_secret=app["client_secret"]).status_code == 200
    form = {"grant_type": "authorization_code", "client_id": other["client_id"], "code": "x"}
    fault(service.http.post("/oauth/token", data=form), "unauthorized_client")
    refused = told(ada.post("/v1/apps", {"name": "Neither", "redirect_uris": []}), 400, "malformed")
    assert refused["errors"][0]["pointer"] == "/redirect_uris"


def test_bad_requests_for_codes_and_tokens_are_told_so(service: Service, ada: Player) -> None:
    app, path = device_app(ada), "/oauth/device_authorization"
    for changed, error, status in (
        ({"scope": "games:read account:write"}, "invalid_scope", 400),
        ({"scope": "moderate"}, "invalid_scope", 400),
        ({"client_id": ""}, "invalid_client", 401),
        ({"client_id": UNKNOWN}, "invalid_client", 400),
        ({"client_secret": "kbz_guessed"}, "invalid_client", 401),
    ):
        form = {"client_id": app["client_id"], "scope": "games:read"}
        fault(service.http.post(path, data=form | changed), error, status)
    headers = {"content-type": "application/x-www-form-urlencoded"}
    for body in (b"", b"%", b"a&b", b"client_id=x&client_id=x", b"\xff=1", b"a=1&" * 30):
        refused = service.http.post(path, content=body, headers=headers)
        assert refused.status_code in (400, 401), refused.text
        assert refused.json()["error"] in ("invalid_request", "invalid_client")
    for code, error in (("", "invalid_request"), ("kbz_wrong", "invalid_grant"), ("x" * 100_000, "invalid_grant")):
        fault(poll(service, app, {"device_code": code}), error)
    told(service.http.post(path, json={}), 415, "unsupported_media_type")


def test_guesses_are_limited_even_for_the_right_code(service: Service, bob: Player) -> None:
    eve = registered(service, "Eve")
    codes = codes_of(service, app := device_app(bob))
    with signed_in(service, eve) as browser:
        for text in ("", "BCDF", "AEIO-UUUU", "BCDF-GHJ1", "B" * 5000, "\0", "BCDFGHJK" * 2):
            for path in ("/device", "/device/answer"):
                page = browser.post(path, {"user_code": text, "choice": "allow"})
                assert (page.status_code, "A code has eight letters" in page.text) == (400, True)
        assert truth.done(service, "SELECT FROM device_guesses WHERE player = %s", eve.id) == 0, "that is no guess"
        for _ in range(3):
            assert browser.post("/device", {"user_code": codes["user_code"]}).status_code == 200  # right ones are free
        pages = together(lambda: browser.post("/device", {"user_code": "BBBB-BBBB"}))
        pages += [browser.post("/device", {"user_code": "BBBB-BBBB"}) for _ in range(6)]
        assert {page.status_code for page in pages} == {404}
        for path in ("/device", "/device/answer"):
            page = browser.post(path, {"user_code": codes["user_code"], "choice": "allow"})
            assert (page.status_code, "Too many codes were wrong" in page.text) == (429, True)
        truth.done(service, "UPDATE device_guesses SET until = 0 WHERE player = %s", eve.id)
        assert browser.post("/device", {"user_code": codes["user_code"]}).status_code == 200
    fault(poll(service, app, codes), "authorization_pending")


def test_nobody_allows_anything_without_a_session_or_from_another_site(service: Service, ada: Player) -> None:
    codes = codes_of(service, app := device_app(ada))
    form, own = {"user_code": codes["user_code"], "choice": "allow"}, {"sec-fetch-site": "same-origin"}
    for path in ("/device", "/device/answer"):
        for headers in (own, own | {"authorization": f"Bearer {ada.token}"}):
            sent = service.http.post(path, data=form, headers=headers)
            assert (sent.status_code, sent.headers["location"]) == (303, "/sign-in?next=/device")
        with signed_in(service, ada) as browser:
            assert browser.post(path, form, **{"sec-fetch-site": "cross-site"}).status_code == 403
    fault(poll(service, app, codes), "authorization_pending")


def test_an_app_gets_no_more_than_the_browser_had(service: Service, ada: Player, bob: Player) -> None:
    small = ada.post("/v1/tokens", {"label": "guest book", "scopes": ["read"], "days": 1}).json()
    reader = Player(ada.id, small["secret"], small["id"], ada.http)
    codes = codes_of(service, app := device_app(bob), "games:read games:play")
    with signed_in(service, reader) as browser:
        assert "Open games" not in browser.post("/device", {"user_code": codes["user_code"]}).text
    tokens = allowed(service, reader, app, "games:read games:play")
    assert tokens["scope"] == "games:read"
    later = codes_of(service, app)
    answer(service, reader, later["user_code"])
    grants = [token for token in ada.get("/v1/tokens").json()["tokens"] if token.get("made_of_token_id") == small["id"]]
    (grant,) = (token for token in grants if token["label"] == "Club Bot")
    assert grant["expires_at"] <= small["expires_at"]
    assert ada.http.delete(f"/v1/tokens/{small['id']}").status_code == 204
    assert not works(service, tokens["access_token"])
    fault(renew(service, app, tokens), "invalid_grant")
    fault(poll(service, app, later), "invalid_grant")


def test_erased_players_and_deleted_apps_leave_devices_nothing(service: Service, bob: Player) -> None:
    eve = registered(service, "Eve")
    codes = codes_of(service, app := device_app(bob))
    answer(service, eve, codes["user_code"])
    token = allowed(service, eve, app)["access_token"]
    assert eve.http.delete("/v1/players/me").status_code == 204
    assert not works(service, token)
    fault(poll(service, app, codes), "invalid_grant")
    for table in ("device_codes", "device_guesses"):
        assert truth.done(service, f"SELECT FROM {table} WHERE player = %s", eve.id) == 0
    waiting = codes_of(service, app)
    assert bob.http.delete(f"/v1/apps/{app['client_id']}").status_code == 204
    assert answer(service, bob, waiting["user_code"]).status_code == 404
    fault(poll(service, app, waiting), "invalid_client")


def test_the_terminal_of_kibitz_is_known_everywhere_and_is_nobodys(service: Service, ada: Player) -> None:
    codes = codes_of(service, app := {"client_id": str(TERMINAL.id)})
    with signed_in(service, ada) as browser:
        page = said(browser.post("/device", {"user_code": codes["user_code"]}).text)
    assert "Kibitz in a terminal asks" in page
    assert "anybody can run it" in page
    told(ada.http.delete(f"/v1/apps/{TERMINAL.id}"), 404, "no_such_thing")
    assert works(service, allowed(service, ada, app)["access_token"])
    assert service.http.get("/oauth/authorize", params={"client_id": str(TERMINAL.id)}).status_code == 400
