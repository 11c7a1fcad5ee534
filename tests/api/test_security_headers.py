"""What every answer tells browsers: of every route, by every method, to whoever asks, also when it refuses."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from service import api, web
from service.web.static_files import FILES, address

from .browsing import Browser, caught_up, signed_in
from .playing import Game, of
from .serving import Player, Service

SAME = "same-origin"
ONCE = {"x-content-type-options": "nosniff", "cross-origin-resource-policy": SAME, "referrer-policy": SAME}
OF_DOCUMENTS = ("content-security-policy", "cross-origin-opener-policy", "permissions-policy")
SHOWN = ("text/html", "image/svg+xml")
_HANDLERS = [*api.find_handlers(), *web.find_handlers()]
ROUTES = sorted({(method, path) for route in _HANDLERS for path in route.paths for method in route.http_methods})
ENDLESS = ("/v1/inbox/events", "/v1/feed")
ENDS = ("/v1/players/me", "/v1/tokens", "/sign-out", "/abandon", "/leave")
"""What would end the game, the player or the token that the others of these tests go on with."""


def filled(path: str, game: Game) -> str:
    """This path with its parameters: some lead somewhere, some nowhere."""
    known = {"game_id": game["id"], "player_id": game["creator"]["id"], "kind": "csv", "season": "1"}
    known |= {"key": "klondike", "game_type": "klondike"}
    others = {"uuid": "01900000-0000-7000-8000-000000000000", "int": "0"}
    return re.sub(r"\{(\w+):(\w+)\}", lambda found: known.get(found[1], others.get(found[2], "none")), path)


def addresses(game: Game) -> Iterator[tuple[str, str]]:
    """Every route, its parameters filled in."""
    for method, path in ROUTES:
        if method != "DELETE" and not (method == "POST" and path.endswith(ENDS)):
            yield method, filled(path, game)
    yield from (("GET", address(name)) for name in FILES)
    yield from (("GET", "/nowhere"), ("GET", "/v1/nowhere"), ("PUT", "/v1/games"), ("DELETE", "/livez"), ("TRACE", "/"))
    yield from (("OPTIONS", path) for _, path in ROUTES)


def asked(http: httpx.Client, method: str, path: str, **headers: str) -> httpx.Response:
    """The answer; a stream is left after its headers."""
    quick: dict[str, Any] = {"max_seconds": 0} if path.endswith("/events") else {}
    return http.request(method, path, params=quick, headers=headers)


def proper(answer: httpx.Response, cached: tuple[str, ...]) -> None:
    """It has every header once; what a browser shows as a document has more."""
    where = f"{answer.request.method} {answer.request.url} {answer.status_code} {answer.headers}"
    for name, value in ONCE.items():
        assert answer.headers.get_list(name) == [value], (name, where)
    assert len(answer.headers.get_list("cache-control")) == 1, where
    assert answer.headers["cache-control"] in cached, where
    if answer.headers.get("content-type", "").startswith(SHOWN):
        assert all(len(answer.headers.get_list(name)) == 1 for name in OF_DOCUMENTS), where
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy or "sandbox" in policy, where
        assert "unsafe-eval" not in policy, where


FOR_ALL = ("no-store", "public, max-age=31536000, immutable", "public, max-age=300", "public, max-age=20")


def test_every_route_answers_a_stranger_and_a_token_with_them(service: Service, ada: Player, game: Game) -> None:
    shown = 0
    for method, path in addresses(game):
        answer = asked(service.http, method, path)
        proper(answer, ("no-cache", *FOR_ALL))
        shown += answer.headers.get("content-type", "").startswith(SHOWN) and answer.status_code == 200
        proper(asked(ada.http, method, path), ("private, no-cache", *FOR_ALL))
    assert shown >= 15


def test_what_a_session_is_answered_nobody_keeps(service: Service, ada: Player, game: Game) -> None:
    with signed_in(service, ada) as browser:
        for method, path in addresses(game):
            if method == "GET":
                proper(asked(browser.http, method, path), ("private, no-cache", *FOR_ALL))
        assert browser.get(of(game)).headers["cache-control"] == "no-store"
    answer = ada.get(of(game, "/frames/0"), headers={"accept": "image/svg+xml"})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    proper(answer, ("private, no-cache",))
    assert "sandbox" in answer.headers["content-security-policy"], "nothing runs in a picture"


def test_what_holds_a_new_token_is_kept_nowhere(service: Service, ada: Player) -> None:
    made = service.http.post("/v1/players", json={"name": "Bob"})
    minted = ada.post("/v1/tokens", {"label": "more", "scopes": ["read"]})
    with Browser(service) as browser:  # the others' client must not be signed in
        page = browser.post("/register", {"name": "Cyd"})
    for answer, status in ((made, 201), (minted, 201), (page, 200)):
        assert (answer.status_code, "kbz_" in answer.text) == (status, True)
        assert answer.headers["cache-control"] == "no-store"
        proper(answer, ("no-store",))


def test_by_https_the_next_request_shall_be_too(service: Service, game: Game) -> None:
    for path in (of(game), "/", "/nowhere", "/livez"):
        by_https = asked(service.http, "GET", path, **{"x-forwarded-proto": "https"})
        assert by_https.headers.get_list("strict-transport-security") == ["max-age=31536000"]
        assert "strict-transport-security" not in asked(service.http, "GET", path).headers


TELL_THE_TIME = ("/readyz",)
"""What is said there may be longer a moment later."""
PASSING = {"date", "ratelimit", "request-id", "content-length", "transfer-encoding"}


@pytest.mark.parametrize("who", ["a stranger", "Ada"])
def test_head_is_answered_as_get_but_without_the_body(who: str, service: Service, ada: Player, game: Game) -> None:
    http = ada.http if who == "Ada" else service.http
    caught_up(service)
    for method, path in addresses(game):
        if method != "GET" or path in ENDLESS:
            continue
        got, headed = asked(http, "GET", path), asked(http, "HEAD", path)
        assert (headed.status_code, headed.content) == (got.status_code, b""), path
        assert set(headed.headers) - PASSING == set(got.headers) - PASSING, path
        length = headed.headers.get("content-length")
        assert length is None or path in TELL_THE_TIME or length == got.headers["content-length"], path


def test_the_head_of_a_stream_is_all_of_it(ada: Player, game: Game) -> None:
    for path in (of(game, "/events"), "/v1/inbox/events", "/v1/feed?wait=0"):
        answer = ada.http.head(path)
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["content-type"].startswith(("text/event-stream", "application/x-ndjson"))
        assert ada.get("/v1/players/me").status_code == 200  # on the same connection
    answer = ada.http.head(of(game, "/commands"))
    assert (answer.status_code, answer.content, answer.headers["allow"]) == (405, b"", "OPTIONS, POST")


def test_every_path_tells_its_methods_with_head_wherever_get_is(service: Service, game: Game) -> None:
    for path in {path for _, path in ROUTES}:
        methods = {method for method, other in ROUTES if other == path} | {"OPTIONS"}
        methods |= {"HEAD"} if "GET" in methods else set()
        for method, status in (("OPTIONS", 204), ("PUT", 405)):
            answer = service.http.request(method, filled(path, game))
            assert (answer.status_code, set(answer.headers["allow"].split(", "))) == (status, methods), path
