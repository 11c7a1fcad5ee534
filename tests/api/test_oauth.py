"""Sign-in for apps: Authlib's own client signs in against a real server, with a browser's forms for the consent."""

import re
from html import unescape
from threading import Barrier, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from authlib.integrations.httpx_client import OAuth2Client
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from .browsing import Browser, said, signed_in
from .playing import of, opened
from .problems import told
from .serving import Player, Service, registered
from .watching import until

BACK = "https://scores.example.org/back"
VERIFIER = "v" * 43
CHALLENGE = create_s256_code_challenge(VERIFIER)
UNKNOWN = "01890000-0000-7000-8000-000000000000"


def made_app(maker: Player, *uris: str, confidential: bool = False) -> dict[str, Any]:
    """An app that this player makes known."""
    body = {"name": "Score Club", "redirect_uris": uris or [BACK], "confidential": confidential}
    answer = maker.post("/v1/apps", body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def client_of(service: Service, app: dict[str, Any], back: str = BACK, scope: str = "games:read") -> OAuth2Client:
    """Authlib's client, set up as its documentation says."""
    return OAuth2Client(
        app["client_id"], app.get("client_secret"), scope=scope, redirect_uri=back, code_challenge_method="S256",
        token_endpoint_auth_method="client_secret_basic" if app.get("client_secret") else "none",
        token_endpoint=f"{service.url}/oauth/token", timeout=60,
    )  # fmt: skip


def answered(browser: Browser, address: str, choice: str = "allow") -> str:
    """Where the browser is sent to after this choice on the page of consent."""
    path = re.sub(r"^http://[^/]*", "", address)
    page = browser.shown(path)
    hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page)
    answer = browser.post("/oauth/authorize", {unescape(k): unescape(v) for k, v in hidden} | {"choice": choice})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def allowed(service: Service, player: Player, app: dict[str, Any], **more: Any) -> tuple[OAuth2Client, str]:
    """Authlib's client, and where it is sent back to when this player has allowed it."""
    client = client_of(service, app, **more)
    address, _ = client.create_authorization_url(f"{service.url}/oauth/authorize", code_verifier=VERIFIER)
    with signed_in(service, player) as browser:
        return client, answered(browser, address)


def signed(service: Service, player: Player, app: dict[str, Any], **more: Any) -> OAuth2Client:
    """Authlib's client with the tokens of this player."""
    client, back = allowed(service, player, app, **more)
    client.fetch_token(authorization_response=back, code_verifier=VERIFIER)
    return client


def code_for(service: Service, player: Player, app: dict[str, Any], **more: Any) -> str:
    """A code that this player has allowed."""
    return parse_qs(urlsplit(allowed(service, player, app, **more)[1]).query)["code"][0]


def exchanged(service: Service, app: dict[str, Any], code: str, /, **changed: str) -> httpx.Response:
    """The answer to a code."""
    form = {
        "grant_type": "authorization_code", "client_id": app["client_id"], "code": code, "redirect_uri": BACK,
        "code_verifier": VERIFIER, **changed,
    }  # fmt: skip
    return service.http.post("/oauth/token", data=form)


def refreshed(service: Service, app: dict[str, Any], token: str, **more: str) -> httpx.Response:
    """The answer to a refresh token."""
    form = {"grant_type": "refresh_token", "client_id": app["client_id"], "refresh_token": token, **more}
    return service.http.post("/oauth/token", data=form)


def fault(answer: httpx.Response, error: str, status: int = 400) -> None:
    """This answer is this error of RFC 6749."""
    assert (answer.status_code, answer.json().get("error")) == (status, error), answer.text
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.headers["cache-control"] == "no-store"


def works(service: Service, token: str) -> bool:
    """Whether this access token is good."""
    answer = service.http.get("/v1/players/me", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


@pytest.mark.parametrize("confidential", [False, True])
def test_a_stock_client_signs_in_and_leaves(service: Service, ada: Player, bob: Player, confidential: bool) -> None:
    about = service.http.get("/.well-known/oauth-authorization-server").json()
    assert (about["issuer"], about["code_challenge_methods_supported"]) == (service.url, ["S256"])
    app = made_app(bob, confidential=confidential)
    client = signed(service, ada, app, scope="games:read games:play")
    assert client.get(f"{service.url}/v1/players/me").json()["id"] == ada.id
    assert client.post(f"{service.url}/v1/games", json={"game_type": "golf"}).status_code == 201
    told(client.post(f"{service.url}/v1/leagues", json={}), 403, "scope_missing")
    told(client.get(f"{service.url}/v1/tokens"), 403, "scope_missing")

    grant = grant_of(ada, app)
    assert (grant["scopes"], grant["made_of_token_id"]) == (["games:read", "games:play"], ada.token_id)

    first = client.token["access_token"]
    client.refresh_token(about["token_endpoint"])
    assert client.token["access_token"] != first
    assert (works(service, first), works(service, client.token["access_token"])) == (False, True)
    client.revoke_token(about["revocation_endpoint"], client.token["refresh_token"], "refresh_token")
    assert not works(service, client.token["access_token"])
    secrets = [app.get("client_secret"), first, client.token["access_token"], client.token["refresh_token"], VERIFIER]
    assert not [secret for secret in secrets if secret is not None and secret in service.log()]


def test_the_browser_is_told_who_asks_for_what(service: Service, ada: Player, bob: Player) -> None:
    client = client_of(service, made_app(bob), scope="leagues:join contests:enter")
    address, state = client.create_authorization_url(f"{service.url}/oauth/authorize", code_verifier=VERIFIER)
    path = address.removeprefix(service.url)
    with Browser(service) as browser:
        sent = browser.get(path)
        assert sent.status_code == 303
        where = parse_qs(urlsplit(sent.headers["location"]).query)["next"][0]
        assert where == path
        assert f'value="{path.replace("&", "&amp;")}"' in browser.shown(sent.headers["location"])
        answer = browser.post("/sign-in", {"token": ada.token, "back": where})
        assert answer.headers["location"] == path
        page = browser.get(path)
        for words in ("Score Club", "Bob", "Ada", "Join and leave leagues.", "Enter contests", "scores.example.org"):
            assert words in page.text
        assert "Open games" not in page.text
        assert "form-action 'self' https://scores.example.org;" in page.headers["content-security-policy"]
        back = parse_qs(urlsplit(answered(browser, address, "refuse")).query)
        assert (back["error"], back["state"], back["iss"]) == (["access_denied"], [state], [service.url])


def test_a_link_from_another_site_is_opened_again_from_here(service: Service, ada: Player) -> None:
    address, _ = client_of(service, made_app(ada)).create_authorization_url("/oauth/authorize", code_verifier=VERIFIER)
    page = service.http.get(address, headers={"sec-fetch-site": "cross-site"})
    assert page.status_code == 200
    assert f'content="0;url={address.replace("&", "&amp;")}"' in page.text
    wrong = address.replace("games%3Aread", "moderate")
    page = service.http.get(wrong, headers={"sec-fetch-site": "cross-site"})
    assert (page.status_code, page.headers.get("location")) == (200, None)
    assert f'content="0;url={wrong.replace("&", "&amp;")}"' in page.text


def consent(app: dict[str, Any], **changed: str) -> dict[str, str]:
    """The fields of a request for consent."""
    return {
        "response_type": "code", "client_id": app["client_id"], "redirect_uri": BACK, "state": "s",
        "code_challenge": CHALLENGE, "code_challenge_method": "S256", **changed,
    }  # fmt: skip


def test_whoever_comes_without_an_app_is_told_what_the_page_is_for(service: Service) -> None:
    answer = service.http.get("/oauth/authorize", headers={"accept": "text/html"})
    assert (answer.status_code, answer.headers.get("location")) == (400, None)
    assert "No app asks you for anything" in answer.text
    assert 'href="/account#apps"' in answer.text


def asking(service: Service, **fields: str) -> httpx.Response:
    """The answer to a request for consent, which is none of an app's: nobody is sent anywhere."""
    answer = service.http.get("/oauth/authorize", params=fields, headers={"accept": "text/html"})
    assert (answer.status_code, answer.headers.get("location")) == (400, None)
    assert "This app cannot ask" in answer.text
    return answer


NEAR = {
    BACK: [
        BACK + "/", BACK + "?x=1", BACK + "#x", BACK.replace("https", "http"), BACK.replace("scores.", "scores.evil."),
        BACK.replace(".org/", ".org:444/"), BACK.replace("https://", "https://a@"), BACK.upper(),
        BACK.replace("/back", "/x/../back"), "javascript:alert(1)",
    ],
    "http://127.0.0.1/back": [
        "http://127.0.0.1:8080/other", "http://127.0.0.1.evil.example/back", "http://127.0.0.1:80@evil.example/back",
        "http://localhost/back",
    ],
    "http://localhost/back": ["http://localhost:8080/back"],
    "org.example.app:/back": ["org.example.app:/back/"],
}  # fmt: skip


def test_an_address_that_almost_matches_is_never_gone_to(service: Service, ada: Player) -> None:
    for known, others in NEAR.items():
        app = made_app(ada, known)
        for near in others:
            asking(service, **consent(app, redirect_uri=near))
    for client_id in ("", UNKNOWN, "x", UNKNOWN.upper(), "\0"):
        asking(service, **consent(app, client_id=client_id))


def test_a_terminal_may_listen_at_any_port(service: Service, ada: Player) -> None:
    for host, port in (("127.0.0.1", ""), ("[::1]", ":1")):
        app = made_app(ada, f"http://{host}{port}/back")
        client = signed(service, ada, app, back=f"http://{host}:49152/back")
        assert works(service, client.token["access_token"])


WRONG = [
    ("response_type", "token", "unsupported_response_type"), ("code_challenge", "", "invalid_request"),
    ("code_challenge", "short", "invalid_request"), ("code_challenge_method", "", "invalid_request"),
    ("code_challenge_method", "plain", "invalid_request"), ("scope", "games:read account:write", "invalid_scope"),
    ("scope", "tokens:write", "invalid_scope"), ("scope", "moderate", "invalid_scope"),
    ("scope", "play", "invalid_scope"),
]  # fmt: skip


def test_the_app_is_told_faults_and_strangers_sent_nowhere(service: Service, ada: Player) -> None:
    app, own = made_app(ada), {"sec-fetch-site": "same-origin", "accept": "text/html"}
    bearer = own | {"authorization": f"Bearer {ada.token}"}
    with signed_in(service, ada) as browser:
        for name, value, error in WRONG:
            fields = consent(app, **{name: value})
            asking(service, **fields)
            strangers = [service.http.get("/oauth/authorize", params=fields, headers=bearer)]
            strangers += [service.http.post("/oauth/authorize", data=fields, headers=one) for one in (own, bearer)]
            for stranger in strangers:
                assert (stranger.status_code, stranger.headers.get("location")) == (400, None), "an open redirector"
                assert "This app cannot ask" in stranger.text
            answer = browser.get("/oauth/authorize", params=fields)
            assert answer.status_code == 303, answer.text
            assert answer.headers["location"].startswith(f"{BACK}?")
            back = parse_qs(urlsplit(answer.headers["location"]).query)
            assert (back["error"], back["state"]) == ([error], ["s"])


def test_nobody_allows_anything_without_a_session_or_from_another_site(service: Service, ada: Player) -> None:
    form = consent(made_app(ada), choice="allow")
    own = {"sec-fetch-site": "same-origin", "accept": "text/html"}
    for headers in (own, own | {"authorization": f"Bearer {ada.token}"}):
        answer = service.http.post("/oauth/authorize", data=form, headers=headers)
        assert (answer.status_code, answer.headers["location"][:8]) == (303, "/sign-in"), answer.headers
    with signed_in(service, ada) as browser:
        assert browser.post("/oauth/authorize", form, **{"sec-fetch-site": "cross-site"}).status_code == 403
        twice = [*form.items(), ("redirect_uri", "https://evil.example")]
        headers = own | {"content-type": "application/x-www-form-urlencoded"}
        body = str(httpx.QueryParams(twice))
        answer = browser.http.post("/oauth/authorize", content=body, headers=headers)
        assert (answer.status_code, answer.headers.get("location")) == (400, None)


WRONG_FORMS = [
    ("code_verifier", "w" * 43, "invalid_grant"), ("code_verifier", "", "invalid_request"),
    ("code_verifier", CHALLENGE, "invalid_grant"), ("redirect_uri", BACK + "/", "invalid_grant"),
    ("redirect_uri", "", "invalid_grant"), ("code", "kbz_wrong", "invalid_grant"),
    ("grant_type", "password", "unsupported_grant_type"), ("client_id", UNKNOWN, "invalid_client"),
    ("grant_type", "client_credentials", "unsupported_grant_type"),
    ("client_secret", "kbz_guessed", "invalid_client"),
]  # fmt: skip


def test_a_code_is_good_only_as_it_was_asked_for(service: Service, ada: Player) -> None:
    app = made_app(ada)
    code = code_for(service, ada, app)
    for name, value, error in WRONG_FORMS:
        fault(exchanged(service, app, code, **{name: value}), error, 401 if name == "client_secret" else 400)
    assert exchanged(service, app, code).status_code == 200


def test_a_code_is_one_apps_and_needs_its_secret(service: Service, ada: Player) -> None:
    app, other = made_app(ada, confidential=True), made_app(ada)
    code = code_for(service, ada, app)
    fault(exchanged(service, other, code), "invalid_grant")
    fault(exchanged(service, app, code), "invalid_client", 401)
    fault(exchanged(service, app, code, client_secret="kbz_wrong"), "invalid_client", 401)
    assert exchanged(service, app, code, client_secret=app["client_secret"]).status_code == 200
    basic = {"authorization": "Basic /w=="}
    broken = service.http.post("/oauth/token", data={"grant_type": "refresh_token"}, headers=basic)
    fault(broken, "invalid_client", 401)
    assert broken.headers["www-authenticate"].startswith("Basic")


def test_a_replayed_code_ends_what_it_gave(service: Service, ada: Player) -> None:
    app = made_app(ada)
    code = code_for(service, ada, app)
    given = exchanged(service, app, code).json()
    assert works(service, given["access_token"])
    fault(exchanged(service, app, code), "invalid_grant")
    assert not works(service, given["access_token"])
    fault(refreshed(service, app, given["refresh_token"]), "invalid_grant")


def together(ask: Any) -> list[httpx.Response]:
    """The answers to four requests at once."""
    gate, answers = Barrier(4), list[httpx.Response]()

    def one() -> None:
        gate.wait()
        answers.append(ask())

    threads = [Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_of_four_at_once_one_is_served_at_most(service: Service, ada: Player) -> None:
    app = made_app(ada)
    code = code_for(service, ada, app)
    answers = together(lambda: exchanged(service, app, code))
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400]
    (given,) = (answer.json() for answer in answers if answer.status_code == 200)
    assert not works(service, given["access_token"])

    given = exchanged(service, app, code_for(service, ada, app)).json()
    answers = together(lambda: refreshed(service, app, given["refresh_token"]))
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400]
    assert not any(works(service, one.json()["access_token"]) for one in answers if one.status_code == 200)


def test_reuse_of_a_refresh_token_ends_its_family(service: Service, ada: Player) -> None:
    app = made_app(ada)
    client = signed(service, ada, app, scope="games:read games:play")
    old = client.token["refresh_token"]
    fault(refreshed(service, app, old, scope="games:read leagues:join"), "invalid_scope")
    new = refreshed(service, app, old, scope="games:read").json()
    assert new["scope"] == "games:read"
    assert works(service, new["access_token"])
    fault(refreshed(service, app, old), "invalid_grant")
    assert not works(service, new["access_token"])
    fault(refreshed(service, app, new["refresh_token"]), "invalid_grant")


def test_introspection_tells_an_app_of_its_own_tokens_alone(service: Service, ada: Player, bob: Player) -> None:
    app, other = made_app(bob, confidential=True), made_app(bob, confidential=True)
    client = signed(service, ada, app)
    access = client.token["access_token"]
    about = client.introspect_token(f"{service.url}/oauth/introspect", access).json()
    assert (about["active"], about["sub"], about["scope"]) == (True, ada.id, "games:read")
    spy = client_of(service, other)
    for text in (access, client.token["refresh_token"], ada.token, "kbz_wrong"):
        assert spy.introspect_token(f"{service.url}/oauth/introspect", text).json() == {"active": False}
        assert spy.revoke_token(f"{service.url}/oauth/revoke", text).status_code == 200
    assert works(service, access)
    assert works(service, ada.token)
    public = {"token": access, "client_id": made_app(bob)["client_id"]}
    fault(service.http.post("/oauth/introspect", data=public), "invalid_client", 401)
    client.revoke_token(f"{service.url}/oauth/revoke", access)
    assert client.introspect_token(f"{service.url}/oauth/introspect", access).json() == {"active": False}


def grant_of(player: Player, app: dict[str, Any]) -> dict[str, Any]:
    """What the player allowed the app last, as it stands in the list of tokens."""
    tokens: list[dict[str, Any]] = player.get("/v1/tokens").json()["tokens"]
    made_of = {one.get("made_of_token_id") for one in tokens}
    return [one for one in tokens if one["label"] == app["name"] and one["id"] in made_of][-1]


def test_an_app_gets_no_more_than_its_browser(service: Service, ada: Player) -> None:
    small = ada.post("/v1/tokens", {"label": "read only", "scopes": ["read"], "days": 1}).json()
    reader, app = Player(ada.id, small["secret"], small["id"], ada.http), made_app(ada)
    more = client_of(service, app, scope="games:read games:play")
    address, _ = more.create_authorization_url(f"{service.url}/oauth/authorize", code_verifier=VERIFIER)
    with signed_in(service, reader) as browser:
        assert "Open games" not in browser.shown(address.removeprefix(service.url))
    client = signed(service, reader, app, scope="games:read games:play")
    assert client.token["scope"] == "games:read"
    assert grant_of(ada, app)["expires_at"] <= small["expires_at"]
    code = code_for(service, reader, app)
    assert ada.http.delete(f"/v1/tokens/{small['id']}").status_code == 204
    assert not works(service, client.token["access_token"])
    fault(exchanged(service, app, code), "invalid_grant")
    client = signed(service, ada, made_app(ada), scope="")
    assert client.token["scope"] == ""
    assert client.get(f"{service.url}/v1/players/me").json()["name"] == "Ada"
    assert client.get(service.url + of(opened(ada, visibility="private"))).status_code == 404
    with Browser(service) as browser:
        assert browser.post("/sign-in", {"token": client.token["access_token"]}).status_code == 403


def test_the_player_takes_leave_back_by_token(service: Service, ada: Player) -> None:
    client = signed(service, ada, app := made_app(ada))
    assert ada.http.delete(f"/v1/tokens/{grant_of(ada, app)['id']}").status_code == 204
    assert not works(service, client.token["access_token"])
    fault(refreshed(service, app, client.token["refresh_token"]), "invalid_grant")


def test_the_account_page_lists_the_app_and_ends_it(service: Service) -> None:
    eve = registered(service, "Eve")
    client = signed(service, eve, made_app(eve))
    with signed_in(service, eve) as browser:

        def section(name: str) -> str:
            return browser.shown("/account").partition(f'aria-labelledby="{name}">')[2].partition("</section>")[0]

        assert "Not used yet." in section("apps")
        assert works(service, client.token["access_token"])
        until(lambda: "Last used" in section("apps"))
        assert "Score Club" not in section("tokens")
        assert said(section("apps")).count("Score Club games:read") == 1
        form = r'action="/account/revoke"><input type="hidden" name="token" value="([^"]*)"'
        (grant,) = re.findall(form, section("apps"))
        assert browser.post("/account/revoke", {"token": grant}).status_code == 303
        assert "You have allowed no app anything." in said(browser.shown("/account"))
    assert not works(service, client.token["access_token"])


def test_a_deleted_app_and_an_erased_players_have_nothing_left(service: Service, ada: Player, bob: Player) -> None:
    app = made_app(bob)
    client, code = signed(service, ada, app), code_for(service, ada, app)
    told(ada.http.delete(f"/v1/apps/{app['client_id']}"), 404, "no_such_thing")
    assert app["client_id"] in bob.get("/v1/apps").text
    assert bob.http.delete(f"/v1/apps/{app['client_id']}").status_code == 204
    assert not works(service, client.token["access_token"])
    fault(exchanged(service, app, code), "invalid_client", 400)
    asking(service, response_type="code", client_id=app["client_id"])
    eve = registered(service, "Eve")
    app = made_app(eve)
    client, code = signed(service, eve, app), code_for(service, eve, app)
    assert eve.http.delete("/v1/players/me").status_code == 204
    assert not works(service, client.token["access_token"])
    fault(exchanged(service, app, code), "invalid_client", 400)


UNSAFE = [
    [], [BACK] * 11, ["http://scores.example.org/back"], ["javascript:alert(1)"], ["data:text/html,x"],
    ["https://a@b.example/"], [BACK + "#x"], ["https://*.example.org/"], ["https://a.example/ x"], ["app:/back"],
    ["https://a.example;x/"], ["HTTPS://a.example/"], ["https://a.example:99999/"], ["https:///back"], [BACK * 20],
    ["https://[::1/"], ["https://a.example\\@b.example/"],
]  # fmt: skip


def test_no_app_has_an_address_that_is_not_safe(service: Service, ada: Player) -> None:
    for uris in UNSAFE:
        told(ada.post("/v1/apps", {"name": "Bad", "redirect_uris": uris}), 400, "malformed")


@pytest.mark.parametrize("body", [b"", b"%", b"a&b", b"grant_type=x&grant_type=x", b"\xff=1", b"a=1&" * 30])
@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke", "/oauth/introspect"])
def test_a_bad_form_is_told_so(service: Service, path: str, body: bytes) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    answer = service.http.post(path, content=body, headers=headers)
    assert answer.status_code in (400, 401), answer.text
    assert answer.json()["error"] in ("invalid_request", "invalid_client", "unsupported_grant_type")


REFUSALS: list[tuple[str, dict[str, str], str]] = [
    ("token", {}, "unsupported_grant_type"), ("token", {"grant_type": "password"}, "unsupported_grant_type"),
    ("token", {"grant_type": "refresh_token", "refresh_token": "x"}, "invalid_grant"),
    ("token", {"grant_type": "authorization_code", "code": "x"}, "invalid_grant"),
    ("token", {"grant_type": "refresh_token", "refresh_token": "x", "client_id": UNKNOWN}, "invalid_client"),
    ("token", {"grant_type": "refresh_token", "client_secret": "x"}, "invalid_client"),
    ("introspect", {"token": "x"}, "invalid_client"),
]  # fmt: skip


def test_a_refusal_says_in_words_what_is_wanted(service: Service, ada: Player) -> None:
    app = made_app(ada)
    for path, changed, error in REFUSALS:
        answer = service.http.post(f"/oauth/{path}", data={"client_id": app["client_id"], **changed})
        unknown = error == "invalid_client" and "client_id" not in changed
        fault(answer, error, 401 if unknown else 400)
        assert answer.headers.get("www-authenticate") == ('Basic realm="kibitz"' if unknown else None)
        words = answer.json()["error_description"]
        assert (words[-1], "[" in words) == (".", False), "no list of a library's own names"


def test_a_player_makes_no_more_than_a_hundred_apps_known(service: Service) -> None:
    eve = registered(service, "Eve")
    made = [made_app(eve) for _ in range(100)]
    told(eve.post("/v1/apps", {"name": "One more", "redirect_uris": [BACK]}), 409, "illegal", "too_many_apps")
    assert eve.http.delete(f"/v1/apps/{made[0]['client_id']}").status_code == 204
    made_app(eve)
