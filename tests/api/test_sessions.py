"""Browser sessions: the cookie, what its token may do, and whom the service believes."""

from http.cookies import Morsel, SimpleCookie
from typing import Any

import httpx

from . import truth
from .browsing import COOKIE, OWN, Browser, signed_in
from .playing import opened
from .problems import told
from .serving import Player, Service, moderating, registered, speaking
from .streaming import ending, events

DAYS = 86_400
SLOW = 60
"""Seconds that a busy machine may take from one request to the next."""
FOREIGN: list[dict[str, str]] = [
    *({"sec-fetch-site": site} for site in ("cross-site", "same-site", "none")),
    *({"origin": origin} for origin in ("http://evil.example", "null")),
    {"sec-fetch-site": "cross-site", "origin": "OWN"},
    {},
]


def morsel(answer: httpx.Response) -> "Morsel[str]":
    """The session's cookie as this answer sets it."""
    (header,) = answer.headers.get_list("set-cookie")
    return SimpleCookie(header)[COOKIE]


def minted(player: Player, **body: Any) -> str:
    """Another token of this player."""
    answer = player.post("/v1/tokens", {"label": "another", **body})
    assert answer.status_code == 201, answer.text
    secret: str = answer.json()["secret"]
    return secret


def by_cookie(service: Service, secret: str, method: str, path: str, **more: Any) -> httpx.Response:
    """A request that shows nothing but this cookie."""
    headers = {"cookie": f"{COOKIE}={secret}", **more.pop("headers", {})}
    return service.http.request(method, path, headers=headers, **more)


def test_neither_scripts_nor_other_sites_reach_the_cookie(service: Service, ada: Player) -> None:
    with Browser(service) as browser:
        cookie = morsel(browser.post("/sign-in", {"token": ada.token}))
    assert (cookie["httponly"], cookie["samesite"].lower(), cookie["path"]) == (True, "strict", "/")
    assert (cookie["secure"], cookie["domain"]) == ("", "")
    assert 30 * DAYS - SLOW <= int(cookie["max-age"]) <= 30 * DAYS
    with Browser(service) as browser:
        cookie = morsel(browser.post("/sign-in", {"token": minted(ada, days=1)}, **{"x-forwarded-proto": "https"}))
    assert cookie["secure"] is True
    assert DAYS - SLOW <= int(cookie["max-age"]) <= DAYS, "no longer than the token that it was made of"


def test_no_page_shows_the_sessions_own_token(service: Service, ada: Player) -> None:
    with Browser(service) as browser:
        answer = browser.post("/sign-in", {"token": ada.token, "back": "/scoreboards"})
        secret = browser.secret
        assert secret not in (None, ada.token)
        assert answer.headers["location"] == "/scoreboards"
        for page in (answer.text, browser.shown("/"), browser.shown("/sign-in"), browser.shown(f"/players/{ada.id}")):
            assert not [text for text in (str(secret), ada.token) if text in page]
    kept = next(token for token in reversed(ada.get("/v1/tokens").json()["tokens"]) if token["label"] == "browser")
    assert kept["scopes"] == ["read", "play"]


def test_a_session_cannot_mint_revoke_rename_or_erase(service: Service, ada: Player) -> None:
    with signed_in(service, ada) as browser:
        for method, path, body in (
            ("GET", "/v1/tokens", None),
            ("POST", "/v1/tokens", {"label": "more"}),
            ("DELETE", f"/v1/tokens/{ada.token_id}", None),
            ("PATCH", "/v1/players/me", {"name": "Eve"}),
            ("DELETE", "/v1/players/me", None),
        ):
            told(browser.http.request(method, path, json=body, headers=OWN), 403, "scope_missing")
    assert ada.get("/v1/players/me").json()["name"] == "Ada"


def test_what_another_site_sends_changes_nothing(service: Service) -> None:
    dan = registered(service, "Dan")
    with signed_in(service, dan) as browser, Browser(service) as other:
        del browser.http.headers["accept"]
        head = truth.head(service)
        for foreign in FOREIGN:
            headers = {name: value.replace("OWN", service.url) for name, value in foreign.items()}
            answer = browser.http.post("/v1/games", json={"game_type": "klondike"}, headers=headers)
            told(answer, 403, "cross_site")
            form = {"content-type": "application/x-www-form-urlencoded", **headers}
            for path in ("/games/new/klondike", "/sign-out", "/sign-in", "/register"):
                page = browser.http.post(path, content=b"name=Eve", headers=form)
                assert (page.status_code, "set-cookie" in page.headers) == (403, False), path
                assert "Not from here" in page.text
            assert browser.get("/v1/players/me").status_code == 200
            if foreign:
                assert other.http.post("/sign-in", data={"token": dan.token}, headers=headers).status_code == 403
            assert other.secret is None
        assert truth.head(service) == head


def test_a_session_plays_by_the_api(service: Service, ada: Player) -> None:
    with signed_in(service, ada) as browser:
        for own in (OWN, {"origin": service.url}):
            answer = browser.http.post("/v1/games", json={"game_type": "klondike"}, headers=own)
            assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
        assert browser.get(f"/v1/games/{answer.json()['id']}").json()["your_seats"] == [0]


def test_an_authorization_header_goes_before_the_cookie(service: Service, ada: Player, bob: Player) -> None:
    with signed_in(service, ada) as browser:
        headers = {"authorization": f"Bearer {bob.token}"}
        assert browser.get("/v1/players/me", headers=headers).json()["name"] == "Bob"
        answer = browser.http.post("/v1/games", json={"game_type": "golf"}, headers=headers)
        assert answer.json()["seats"][0]["player"]["id"] == bob.id
        headers = {"authorization": "Bearer kbz_wrong", "accept": "*/*"}
        told(browser.get("/v1/players/me", headers=headers), 401, "unauthenticated")


def test_only_a_sessions_own_token_is_good_in_the_cookie(service: Service, ada: Player) -> None:
    told(by_cookie(service, ada.token, "GET", "/v1/players/me"), 401, "unauthenticated")
    answer = by_cookie(service, ada.token, "GET", "/")
    assert "Sign out" not in answer.text
    assert morsel(answer).value == ""


def test_a_cookie_that_was_there_before_is_never_the_session(service: Service, ada: Player, eve: Player) -> None:
    with signed_in(service, eve) as attacker, Browser(service) as browser:
        planted = attacker.secret or ""
        browser.http.cookies.set(COOKIE, planted)
        answer = browser.post("/sign-in", {"token": ada.token})
        assert morsel(answer).value not in ("", planted)
    told(by_cookie(service, planted, "GET", "/v1/players/me"), 401, "unauthenticated")
    assert by_cookie(service, morsel(answer).value, "GET", "/v1/players/me").json()["name"] == "Ada"


def test_signing_out_ends_the_session_for_good(service: Service, ada: Player) -> None:
    with signed_in(service, ada) as browser, Browser(service) as other:
        secret = browser.secret or ""
        assert other.post("/sign-in", {"token": secret}).status_code == 403
        assert other.secret is None, "a session makes no other session"
        answer = browser.post("/sign-out")
        assert (answer.status_code, morsel(answer).value, morsel(answer)["max-age"]) == (303, "", "0")
        assert "Sign out" not in browser.shown("/")
    told(by_cookie(service, secret, "GET", "/v1/players/me"), 401, "unauthenticated")
    told(service.http.get("/v1/players/me", headers={"authorization": f"Bearer {secret}"}), 401, "unauthenticated")
    assert ada.get("/v1/players/me").status_code == 200


def test_revoked_tokens_and_erased_players_have_no_session(service: Service, bob: Player) -> None:
    secret = minted(bob)
    token_id = bob.get("/v1/tokens").json()["tokens"][-1]["id"]
    game = opened(bob, visibility="private")
    with signed_in(service, speaking(service, bob.id, secret, token_id)) as browser:
        assert "Sign out" in browser.shown(f"/games/{game['id']}")
        follower = Player(bob.id, "", "", browser.http)
        stream = events(follower, game)
        seen = [next(stream)]
        assert bob.http.delete(f"/v1/tokens/{token_id}").status_code == 204
        assert ending([*seen, *stream]) == "access"
        told(browser.get("/v1/inbox", headers={"accept": "*/*"}), 401, "unauthenticated")
        assert browser.get(f"/games/{game['id']}").status_code == 404
    assert bob.get("/v1/players/me").status_code == 200
    leaver = registered(service, "Leaver")
    with signed_in(service, leaver) as browser:
        assert leaver.http.delete("/v1/players/me").status_code == 204
        assert "Sign out" not in browser.shown("/")
        told(browser.get("/v1/players/me", headers={"accept": "*/*"}), 401, "unauthenticated")


def test_a_session_may_no_more_than_its_token(service: Service, bob: Player) -> None:
    with Browser(service) as browser:
        browser.post("/sign-in", {"token": minted(bob, scopes=["read", "account"])})
        assert browser.get("/v1/players/me").status_code == 200
        told(browser.http.post("/v1/games", json={"game_type": "golf"}, headers=OWN), 403, "scope_missing")
        assert browser.post("/games/new/golf").status_code == 403
    with signed_in(service, moderating(service)) as browser:
        void = browser.http.post(f"/v1/games/{opened(bob)['id']}/void", json={"reason": "because"}, headers=OWN)
        told(void, 403, "scope_missing")


def test_a_token_that_is_none_begins_no_session(service: Service) -> None:
    with Browser(service) as browser:
        for token in ("", "kbz_wrong", "nonsense", "\u00e9\U0001f600", "kbz_" + "x" * 150):
            answer = browser.post("/sign-in", {"token": token})
            assert (answer.status_code, browser.secret) == (401, None)
            assert "The token is unknown, expired or revoked." in answer.text


def test_signing_in_leads_back_to_own_pages_only(service: Service, ada: Player) -> None:
    with Browser(service) as browser:
        evil = ("https://evil.example/", "//evil.example", "//evil", "/\\evil.example", "javascript:alert(1)")
        for back in (*evil, "/a\r\nX: y"):
            answer = browser.post("/sign-in", {"token": ada.token, "back": back})
            assert answer.headers["location"] == "/", back


def test_who_registers_sees_the_token_once_and_is_signed_in(service: Service) -> None:
    with Browser(service) as browser:
        for name in ("", "x" * 41, "a\u202eb", "\u200b"):
            answer = browser.post("/register", {"name": name})
            assert (answer.status_code, browser.secret) == (400, None)
            assert "1 to 40 characters" in answer.text
        answer = browser.post("/register", {"name": "Grace <b>Hopper</b>"})
        secret = answer.text.partition('class="secret">')[2].partition("<")[0]
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
        assert "Grace &lt;b&gt;Hopper&lt;/b&gt;" in answer.text
        me = service.http.get("/v1/tokens", headers={"authorization": f"Bearer {secret}"}).json()
        assert [token["label"] for token in me["tokens"]] == ["first", "browser"]
        assert browser.secret not in (None, secret)
        assert secret not in browser.shown("/")
        assert "Sign out" in browser.shown("/")


def test_a_form_that_is_none_is_refused(service: Service) -> None:
    with Browser(service) as browser:
        headers = {**OWN, "content-type": "application/json"}
        assert browser.http.post("/sign-in", content=b'{"token":"x"}', headers=headers).status_code == 415
        headers["content-type"] = "application/x-www-form-urlencoded"
        assert browser.http.post("/sign-in", content=b"token=\xff&%", headers=headers).status_code == 400
