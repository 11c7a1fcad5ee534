"""Other origins: nobody by default; who is allowed reads by token, streams too, and never by a session's cookie."""

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from .browsing import COOKIE, signed_in
from .lining import line
from .playing import DRAW, Game, of, opened
from .problems import told
from .serving import Player, Service, registered, server_fixture

FRIEND, STRANGER = "https://friend.example", "https://stranger.example"
ALLOWED = "access-control-allow-origin"
EXPOSED = {"ETag", "Link", "Location", "RateLimit", "RateLimit-Policy", "Request-Id", "Retry-After"}


friendly = server_fixture(
    allowed_origins=f"{FRIEND} https://other.example:8443", rate_limit_per_minute=60, openings_per_minute=60,
    run_worker=False,
)  # fmt: skip
open_to_all = server_fixture(allowed_origins="*", run_worker=False)


@pytest.fixture(scope="module")
def fay(friendly: Service) -> Player:
    return registered(friendly, "Fay")


def by(origin: str) -> dict[str, str]:
    return {"origin": origin}


def preflight(service: Service, path: str, origin: str, method: str = "POST") -> httpx.Response:
    """What a browser asks before a request that is not simple."""
    wishes = {"access-control-request-method": method, "access-control-request-headers": "authorization,if-match"}
    return service.http.options(path, headers=by(origin) | wishes)


def reads(answer: httpx.Response) -> bool:
    """Whether a browser would let another origin's script read it; never with credentials."""
    assert "access-control-allow-credentials" not in answer.headers
    return ALLOWED in answer.headers


def test_without_the_setting_no_origin_reads_anything(service: Service, ada: Player, game: Game) -> None:
    answers = [
        ada.get(of(game), headers=by(FRIEND)), preflight(service, of(game, "/commands"), FRIEND),
        service.http.get("/", headers=by("null")),
    ]  # fmt: skip
    for answer in answers:
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_an_allowed_origin_has_a_line_by_token_alone(friendly: Service, fay: Player) -> None:
    game, draw = opened(fay), DRAW
    with line(friendly, fay, by(FRIEND)) as by_token:
        assert by_token.say(game, draw)["type"] == "accepted"
    with signed_in(friendly, fay) as browser:
        cookie = {"cookie": f"{COOKIE}={browser.secret}"}
        with line(friendly, None, by(FRIEND) | cookie) as by_cookie:
            assert by_cookie.say(game, draw)["problem"]["status"] == 401
            assert by_cookie.ask("authenticate", token=fay.token)["type"] == "authenticated"
            assert by_cookie.say(game, draw)["answer"]["version"] == 5
    for player, headers in ((None, by(STRANGER) | cookie), (fay, by(STRANGER))):
        with pytest.raises(InvalidStatus) as refused, line(friendly, player, headers):
            pass
        assert refused.value.response.status_code == 403


def test_an_allowed_origin_reads_answers_refusals_and_streams(friendly: Service, fay: Player) -> None:
    game = opened(fay)
    answers = [
        fay.get(of(game), headers=by(FRIEND)),
        fay.post(of(game, "/commands"), DRAW, headers=by("https://other.example:8443")),
        fay.post(of(game, "/commands"), {"type": "klondike/cheat"}, headers=by(FRIEND)),
        friendly.http.get("/v1/players/me", headers=by(FRIEND)),
        friendly.http.get("/nowhere", headers=by(FRIEND)),
        fay.get(of(game, "/events"), params={"max_frames": 1}, headers=by(FRIEND)),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 400, 401, 404, 200]
    for answer in answers:
        assert reads(answer)
        assert answer.headers[ALLOWED] == answer.request.headers["origin"]
        assert set(answer.headers["access-control-expose-headers"].split(", ")) >= EXPOSED
        assert "Origin" in answer.headers["vary"]
    gil = registered(friendly, "Gil")
    while (answer := gil.get("/v1/players/me", headers=by(FRIEND))).status_code == 200:
        pass
    told(answer, 429, "too_many_requests")
    assert reads(answer)
    assert answer.headers["retry-after"]


def test_every_other_origin_reads_nothing_and_caches_tell_them_apart(fay: Player) -> None:
    for origin in (STRANGER, "null", "https://friend.example.evil", "http://friend.example", FRIEND.upper(), "", "*"):
        answer = fay.get("/v1/players/me", headers=by(origin))
        assert answer.status_code == 200
        assert not reads(answer), origin
        assert "Origin" in answer.headers["vary"]
    assert "Origin" in fay.get("/v1/players/me").headers["vary"]


def test_a_preflight_tells_the_methods_of_the_path(friendly: Service, fay: Player) -> None:
    game = opened(fay)
    for path, methods in (
        (of(game, "/commands"), {"POST", "OPTIONS"}),
        ("/v1/players/me", {"GET", "HEAD", "PATCH", "DELETE", "OPTIONS"}),
    ):
        answer = preflight(friendly, path, FRIEND)
        assert (answer.status_code, answer.headers[ALLOWED]) == (204, FRIEND)
        assert set(answer.headers["access-control-allow-methods"].split(", ")) == methods
        named = answer.headers["access-control-allow-headers"].lower().split(", ")
        assert {"authorization", "content-type", "if-match", "idempotency-key", "last-event-id"} <= set(named)
        assert int(answer.headers["access-control-max-age"]) > 0
        refused = preflight(friendly, path, STRANGER)
        assert not [name for name in refused.headers if name.startswith("access-control")]
    assert preflight(friendly, "/nowhere", FRIEND).status_code == 404


def test_a_session_is_of_no_use_to_an_allowed_origin(friendly: Service, fay: Player) -> None:
    """Its script would have to send the cookie, and a browser hides answers to that without Allow-Credentials."""
    game = opened(fay)
    with signed_in(friendly, fay) as browser:
        from_there = by(FRIEND) | {"sec-fetch-site": "cross-site"}
        reads(browser.get("/v1/players/me", headers=from_there))
        answer = browser.http.post(of(game, "/commands"), json=DRAW, headers=from_there)
        told(answer, 403, "cross_site")
        without = browser.http.post(of(game, "/commands"), json=DRAW, headers=by(FRIEND))
        told(without, 403, "cross_site")
    assert fay.get(of(game)).json()["version"] == game["version"]


def test_where_all_origins_are_allowed_all_are_answered_alike(open_to_all: Service) -> None:
    hal = registered(open_to_all, "Hal")
    game = opened(hal)
    for origin in (FRIEND, STRANGER, "null"):
        for answer in (hal.get(of(game), headers=by(origin)), preflight(open_to_all, of(game), origin, "GET")):
            assert (reads(answer), answer.headers[ALLOWED]) == (True, "*")
            assert "Origin" not in answer.headers.get("vary", "")
    assert not reads(hal.get(of(game)))
    assert hal.get(of(game)).headers["cross-origin-resource-policy"] == "cross-origin"
    with signed_in(open_to_all, hal) as browser:
        cookie = {"cookie": f"{COOKIE}={browser.secret}"}
        with line(open_to_all, None, by(open_to_all.url) | cookie) as own:
            assert own.say(game, DRAW)["type"] == "accepted"
