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


def test_a_wrong_method_is_told_the_right_ones_in_words_too(service: Service, game: Game) -> None:
    for path, method in (("/v1/games", "DELETE"), (of(game, "/commands"), "GET"), (of(game), "PATCH")):
        answer = service.http.request(method, path)
        assert said(answer, 405, "no_such_method") == f"This path is for {answer.headers['allow']}."


@pytest.mark.parametrize("body", [b"", b" \n"])
def test_an_empty_body_is_told_from_one_that_breaks_off(body: bytes, ada: Player, game: Game) -> None:
    for path in (of(game, "/commands"), "/v1/games", "/v1/players"):
        assert "empty" in said(raw(ada, path, body), 400, "malformed")
    assert "truncated" in said(raw(ada, "/v1/games", b'{"game_type"'), 400, "malformed")


@pytest.mark.parametrize("headers", [{}, JSON, {"content-type": "application/x-www-form-urlencoded"}])
def test_no_body_at_all_is_empty_whatever_its_media_type(headers: dict[str, str], ada: Player, game: Game) -> None:
    assert "empty" in said(ada.http.post(of(game, "/commands"), headers=headers), 400, "malformed")


@pytest.mark.parametrize("given", ["Basic YTpi", "Bearer", "TOKEN", "Token TOKEN", ""])
def test_another_scheme_than_bearer_is_told_which_one(given: str, service: Service, ada: Player) -> None:
    headers = {"authorization": given.replace("TOKEN", ada.token)}
    answer = service.http.get("/v1/players/me", headers=headers)
    assert "Authorization: Bearer <token>" in said(answer, 401, "unauthenticated")


def test_a_token_that_is_no_good_is_told_so(service: Service) -> None:
    answer = service.http.get("/v1/players/me", headers={"authorization": "Bearer kbz_nobody"})
    assert said(answer, 401, "unauthenticated") == "The token is unknown, expired or revoked."


@pytest.mark.parametrize("name", [" Ada", "Ada ", "A\tda", "A\u202eda"])
def test_a_name_that_nobody_could_read_is_told_in_words(name: str, service: Service, ada: Player) -> None:
    for answer in (service.http.post("/v1/players", json={"name": name}), ada.post("/v1/tokens", {"label": name})):
        detail = said(answer, 400, "malformed")
        assert "visible characters" in detail
        assert "\\x" not in detail
        assert len(detail) < 150


WORDS = {
    "/v1/contests?day=yesterday": "a day such as `2026-11-20`",
    "/v1/contests?day=2026-13-45": "a day such as `2026-11-20`",
    "/v1/day-seasons/klondike?month=now": "a month such as `2026-11`",
    "/v1/feed?cursor=abc": "the `cursor` of a line",
    "/v1/feed?since=yesterday": "a moment such as `2026-11-20T18:00:00Z`",
    "GAME/record?notation=P/B/N": "small letters",
    "GAME/events?after=abc": "Expected an integer from 0 to",
}


@pytest.mark.parametrize("query", WORDS)
def test_an_unreadable_parameter_is_told_in_words(query: str, ada: Player, game: Game) -> None:
    detail = said(ada.get(query.replace("GAME", of(game))), 400, "malformed")
    assert WORDS[query] in detail
    assert "regex" not in detail


def test_a_card_and_a_seed_that_are_none_are_told_in_words(ada: Player) -> None:
    detail = said(ada.post("/v1/games", {"game_type": "klondike", "deal": ["XX"]}), 400, "malformed")
    assert "a card such as `QH`" in detail
    detail = said(ada.post("/v1/games", {"game_type": "klondike", "seed": "\u00e9"}), 400, "malformed")
    assert "printable ASCII" in detail


def test_a_long_text_is_not_said_back_whole(ada: Player) -> None:
    assert len(said(ada.get("/v1/games?game_type=" + "x" * 5_000), 400, "malformed")) < 400


@pytest.mark.parametrize("encoding", ["gzip", "br", "GZIP"])
def test_a_compressed_body_is_told_that_it_must_not_be(encoding: str, ada: Player, game: Game) -> None:
    headers = {"content-encoding": encoding}
    record = {**headers, "content-type": "application/x-ndjson"}
    for answer in (
        say(ada, game, DRAW, headers=headers), ada.post("/v1/games", {"game_type": "klondike"}, headers=headers),
        ada.http.post("/v1/records", content=b"x", headers=record),
    ):  # fmt: skip
        assert "Content-Encoding" in said(answer, 415, "unsupported_encoding")
        assert answer.headers["accept-encoding"] == "identity"


def test_a_body_that_is_said_to_be_as_it_is_is_read(ada: Player, game: Game) -> None:
    told(say(ada, game, {"type": "klondike/cheat"}, headers={"content-encoding": "identity"}), 400, "malformed")


def errors(answer: httpx.Response, status: int = 400, kind: str = "malformed") -> list[dict[str, Any]]:
    """What this refusal lists."""
    found: list[dict[str, Any]] = told(answer, status, kind)["errors"]
    return found


KNOWN = {"klondike/draw", "klondike/move", "klondike/recycle", "game/undo", "game/resign"}


@pytest.mark.parametrize("given", ["draw", "klondike/drw", "golf/dra", 7])
def test_a_command_that_the_game_does_not_know_is_told_those_it_knows(given: object, ada: Player, game: Game) -> None:
    (error,) = errors(say(ada, game, {"type": given}))
    assert (error["pointer"], set(error["allowed"])) == ("/type", KNOWN)
    batch = ada.post(of(game, "/commands/batch"), {"commands": [DRAW, {"type": given}, {"source": 1}]})
    assert [error["pointer"] for error in errors(batch)] == ["/commands/1/type", "/commands/2/type"]
    assert all(set(error["allowed"]) == KNOWN for error in errors(batch))


@pytest.mark.parametrize("name", ["If-Match", "Idempotency-Key"])
def test_a_header_that_cannot_be_read_is_told_by_name_and_not_said_back(name: str, ada: Player, game: Game) -> None:
    answer = say(ada, game, DRAW, headers={name: "hidden\u00e9".encode("latin-1")})
    (error,) = errors(answer)
    assert error["header"] == name
    assert "hidden" not in answer.text


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
