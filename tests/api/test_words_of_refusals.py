"""What a refusal says: enough in words to put the request right, and no pattern that only programs read."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from .playing import Game, of, say
from .problems import told
from .serving import JSON, Player, Service, raw

pytestmark = pytest.mark.usefixtures("nothing_recorded")
DRAW = {"type": "klondike/draw"}
MOST = 262_144


def said(answer: httpx.Response, status: int, kind: str) -> str:
    """The detail of this refusal."""
    return str(told(answer, status, kind)["detail"])


@pytest.mark.parametrize("told_before", [True, False])
def test_a_body_that_is_too_large_is_told_the_limit(told_before: bool, ada: Player, game: Game) -> None:
    def pieces() -> Iterator[bytes]:
        yield from [b" " * 65_536] * 5

    body = b" " * (MOST + 1) if told_before else pieces()
    answer = ada.http.post(of(game, "/commands"), content=body, headers=JSON)
    assert said(answer, 413, "body_too_large") == f"The body is longer than {MOST} bytes."


def test_a_wrong_method_is_told_the_right_ones(service: Service, game: Game) -> None:
    for path, method in (("/v1/games", "DELETE"), (of(game, "/commands"), "GET"), (of(game), "PATCH")):
        answer = service.http.request(method, path)
        assert said(answer, 405, "no_such_method") == f"This path is for {answer.headers['allow']}."


def test_an_empty_body_is_told_from_one_that_breaks_off(ada: Player, game: Game) -> None:
    for path in (of(game, "/commands"), "/v1/games", "/v1/players"):
        for body in (b"", b" \n"):
            assert "empty" in said(raw(ada, path, body), 400, "malformed")
    assert "truncated" in said(raw(ada, "/v1/games", b'{"game_type"'), 400, "malformed")
    for headers in ({}, JSON, {"content-type": "application/x-www-form-urlencoded"}):
        assert "empty" in said(ada.http.post(of(game, "/commands"), headers=headers), 400, "malformed")


def test_another_scheme_than_bearer_is_told_which_one(service: Service, ada: Player) -> None:
    for given in ("Basic YTpi", "Bearer", ada.token, f"Token {ada.token}", ""):
        answer = service.http.get("/v1/players/me", headers={"authorization": given})
        assert "Authorization: Bearer <token>" in said(answer, 401, "unauthenticated")


def test_a_token_that_is_no_good_is_told_so(service: Service) -> None:
    answer = service.http.get("/v1/players/me", headers={"authorization": "Bearer kbz_nobody"})
    assert said(answer, 401, "unauthenticated") == "The token is unknown, expired or revoked."
    assert answer.headers["www-authenticate"] == 'Bearer realm="kibitz", error="invalid_token"'
    assert service.http.get("/v1/players/me").headers["www-authenticate"] == 'Bearer realm="kibitz"'
    told(service.http.get("/v1/games", headers={"authorization": "Bearer kbz_nobody"}), 401, "unauthenticated")


def test_a_name_that_nobody_could_read_is_told_in_words(service: Service, ada: Player) -> None:
    for name in (" Ada", "Ada ", "A\tda", "A\u202eda"):
        for answer in (service.http.post("/v1/players", json={"name": name}), ada.post("/v1/tokens", {"label": name})):
            detail = said(answer, 400, "malformed")
            assert ("visible characters" in detail, "\\x" in detail, len(detail) < 150) == (True, False, True)


WORDS = {
    "/v1/contests?day=yesterday": "a day such as `2026-11-20`",
    "/v1/contests?day=2026-13-45": "a day such as `2026-11-20`",
    "/v1/day-seasons/klondike?month=now": "a month such as `2026-11`",
    "/v1/feed?cursor=abc": "the `cursor` of a line",
    "/v1/feed?since=yesterday": "a moment such as `2026-11-20T18:00:00Z`",
    "GAME/record?notation=P/B/N": "small letters",
    "GAME/events?after=abc": "Expected an integer from 0 to",
}


def test_an_unreadable_parameter_or_member_is_told_in_words(ada: Player, game: Game) -> None:
    for query, words in WORDS.items():
        detail = said(ada.get(query.replace("GAME", of(game))), 400, "malformed")
        assert words in detail
        assert "regex" not in detail
    bodies: list[tuple[dict[str, Any], str]] = [
        ({"deal": ["XX"]}, "a card such as `QH`"), ({"seed": "\u00e9"}, "printable ASCII")
    ]  # fmt: skip
    for body, words in bodies:
        assert words in said(ada.post("/v1/games", {"game_type": "klondike", **body}), 400, "malformed")
    assert len(said(ada.get("/v1/games?game_type=" + "x" * 5_000), 400, "malformed")) < 400


def test_a_compressed_body_is_told_that_it_must_not_be(ada: Player, game: Game) -> None:
    for encoding in ("gzip", "br", "GZIP"):
        headers = {"content-encoding": encoding}
        for path in (of(game, "/commands"), "/v1/games", "/v1/records"):
            media_type = "application/x-ndjson" if path == "/v1/records" else "application/json"
            answer = raw(ada, path, b"{}", **headers, **{"content-type": media_type})
            assert "Content-Encoding" in said(answer, 415, "unsupported_encoding")
            assert answer.headers["accept-encoding"] == "identity"
    told(say(ada, game, {"type": "klondike/cheat"}, headers={"content-encoding": "identity"}), 400, "malformed")


def errors(answer: httpx.Response, status: int = 400, kind: str = "malformed") -> list[dict[str, Any]]:
    """What this refusal lists."""
    found: list[dict[str, Any]] = told(answer, status, kind)["errors"]
    return found


KNOWN = {"klondike/draw", "klondike/move", "klondike/recycle", "game/undo", "game/resign"}


@pytest.mark.parametrize("given", ["draw", "klondike/drw", "golf/dra", 7])
def test_an_unknown_command_is_told_the_known_ones(given: object, ada: Player, game: Game) -> None:
    (error,) = errors(say(ada, game, {"type": given}))
    assert (error["pointer"], set(error["allowed"])) == ("/type", KNOWN)
    batch = ada.post(of(game, "/commands/batch"), {"commands": [DRAW, {"type": given}, {"source": 1}]})
    assert [error["pointer"] for error in errors(batch)] == ["/commands/1/type", "/commands/2/type"]
    assert all(set(error["allowed"]) == KNOWN for error in errors(batch))


def test_an_unreadable_header_is_only_named(ada: Player, game: Game) -> None:
    for name in ("If-Match", "Idempotency-Key"):
        answer = say(ada, game, DRAW, headers={name: "hidden\u00e9".encode("latin-1")})
        (error,) = errors(answer)
        assert (error["header"], "hidden" in answer.text) == (name, False)


def test_another_media_type_is_told_the_right_one(ada: Player, game: Game) -> None:
    answer = ada.http.post(of(game, "/commands"), content=b"{}", headers={"content-type": "text/plain"})
    (error,) = errors(answer, 415, "unsupported_media_type")
    assert (error["header"], error["given"], error["allowed"]) == ("Content-Type", "text/plain", ["application/json"])


def test_every_fault_of_a_query_is_told(ada: Player) -> None:
    answer = ada.get("/v1/games?limit=0&limit=5&stauts=playing&cursor=" + "x" * 300)
    assert {error["parameter"] for error in errors(answer)} == {"limit", "stauts", "cursor"}
    near = next(error for error in errors(answer) if error["parameter"] == "stauts")
    assert "`status`" in near["detail"]
    assert "xxx" not in answer.text


UNKNOWN = ["/v1/games", "/v1/contests", "/v1/feed"]


def test_an_unknown_game_type_is_refused_and_the_known_described(ada: Player) -> None:
    known = [one["key"] for one in ada.get("/v1/game-types").json()["game_types"]]
    paths = ada.get("/v1/openapi.json").json()["paths"]
    for path in UNKNOWN:
        parameters = {one["name"]: one for one in paths[path]["get"]["parameters"]}
        assert sorted(parameters["game_type"]["schema"]["enum"]) == sorted(known)
        told(ada.get(path, params={"game_type": "poker"}), 400, "malformed")
        assert ada.get(path, params={"game_type": "klondike"}).status_code == 200


def test_days_and_months_that_there_are_not_are_refused(ada: Player) -> None:
    for day in ("2026-13-45", "2026-02-30", "2026-00-01", "0000-01-01", "2026-1-1", "20261120"):
        told(ada.get("/v1/contests", params={"day": day}), 400, "malformed")
    for month in ("2026-99", "2026-00", "2026-13", "2026-1"):
        for path in ("/v1/day-seasons/klondike", f"/v1/day-seasons/klondike/players/{ada.id}"):
            told(ada.get(path, params={"month": month}), 400, "malformed")


def test_nobody_looks_as_player_and_spectator_at_once(ada: Player, game: Game) -> None:
    for path in ("", "/frames", "/frames/0", "/moments", "/events", "/record"):
        query = {"seat": 0, "spectator": "true"} | ({"max_seconds": 0} if path == "/events" else {})
        problem = told(ada.get(of(game, path), params=query), 400, "malformed")
        assert "exclude each other" in str(problem["detail"])
        assert ada.get(of(game, path), params=query | {"spectator": "false"}).status_code == 200
