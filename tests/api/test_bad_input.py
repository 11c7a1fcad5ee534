"""What cannot be read or is not allowed: a problem document of the right kind, and nothing recorded."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from domain.kit.cards import PACK

from . import truth
from .playing import Game, look, of, opened, say
from .problems import explained, told
from .serving import JSON, Player, Service

DRAW = b'{"type":"klondike/draw"}'
CARDS = list(PACK)


@pytest.fixture(scope="module")
def game(service: Service, ada: Player) -> Game:
    """A game that no test of this module moves."""
    return opened(ada)


@pytest.fixture(autouse=True)
def _nothing_is_recorded(service: Service, ada: Player, game: Game) -> Iterator[None]:
    """Whatever a test here says is refused, and the log and the game stand where they stood."""
    before = (truth.head(service), look(ada, game))
    yield
    assert (truth.head(service), look(ada, game)) == before


def raw(player: Player, path: str, body: bytes, **headers: str) -> Any:
    """A POST of these bytes."""
    return player.http.post(path, content=body, headers={**JSON, **headers})


UNREADABLE: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b"  \n ",
    "half an object": b'{"type":"klondike/draw"',
    "two values": b"{}{}",
    "a bare word": b"draw",
    "null": b"null",
    "a number": b"7",
    "a text": b'"klondike/draw"',
    "true": b"true",
    "an empty object": b"{}",
    "an empty list": b"[]",
    "a list of nothing": b"[null]",
    "a list in a list": b"[[" + DRAW + b"]]",
    "too long a list": b"[" + b",".join([DRAW] * 501) + b"]",
    "an unknown command": b'{"type":"klondike/cheat"}',
    "an event for a command": b'{"type":"klondike/drawn"}',
    "a table command": b'{"type":"game/join"}',
    "a type that is a number": b'{"type":7}',
    "a type with a NUL": b'{"type":"klondike/draw\\u0000"}',
    "no type": b'{"source":"stock"}',
    "an unknown field": b'{"type":"klondike/draw","as":"seat 1"}',
    "a missing field": b'{"type":"klondike/move","source":"waste"}',
    "a wrong type of field": b'{"type":"klondike/move","source":7,"target":"tableau_1"}',
    "a huge count": b'{"type":"klondike/move","source":"waste","target":"tableau_1","count":' + b"9" * 400 + b"}",
    "a count beyond 64 bits": b'{"type":"klondike/move","source":"waste","target":"tableau_1","count":18446744073709551616}',
    "a negative count": b'{"type":"klondike/move","source":"waste","target":"tableau_1","count":-1}',
    "a fractional count": b'{"type":"klondike/move","source":"waste","target":"tableau_1","count":1.5}',
    "a count beyond floats": b'{"type":"klondike/move","source":"waste","target":"tableau_1","count":1e999}',
    "not a number": b'{"type":"klondike/move","source":"waste","target":"tableau_1","count":NaN}',
    "a lone surrogate": b'{"type":"\\ud800"}',
    "a lone surrogate as bytes": b'{"type":"\xed\xa0\x80"}',
    "broken UTF-8": b'{"type":"\xff"}',
    "UTF-16": '{"type":"klondike/draw"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + DRAW,
    "100 levels": b"[" * 100 + b"]" * 100,
    "100,000 levels": b"[" * 100_000 + b"]" * 100_000,
    "100,000 levels never closed": b'{"a":' * 40_000,
    "quotes never closed": b"[" * 20 + b'"' + b'\\"' * 120_000,
    "backslashes": b"[" * 20 + b'"' + b"\\" * 200_001,
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_a_body_that_cannot_be_read_is_malformed(what: str, ada: Player, game: Game) -> None:
    told(raw(ada, of(game, "/commands"), UNREADABLE[what]), 400, "malformed")


@pytest.mark.parametrize("path", ["/v1/games", "/v1/players", "/v1/tokens"])
@pytest.mark.parametrize("what", ["nothing", "null", "an empty object", "100,000 levels", "a lone surrogate"])
def test_such_bodies_are_malformed_everywhere(what: str, path: str, ada: Player) -> None:
    told(raw(ada, path, UNREADABLE[what]), 400, "malformed")


def test_a_command_of_another_game_type_is_against_the_rules(ada: Player, game: Game) -> None:
    told(say(ada, game, {"type": "bridge_solitaire/pass"}), 409, "illegal", "other_game_type")


@pytest.mark.parametrize("size", [262_145, 10_000_000])
@pytest.mark.parametrize("told_before", [True, False])
def test_a_body_beyond_the_limit_is_too_large(size: int, told_before: bool, ada: Player, game: Game) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(0, size, 65_536):
            yield b" " * 65_536

    body = b" " * size if told_before else pieces()
    answer = ada.http.post(of(game, "/commands"), content=body, headers=JSON)
    told(answer, 413, "body_too_large")


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
def test_a_body_of_another_media_type_is_not_read(media_type: str, ada: Player, game: Game) -> None:
    answer = ada.http.post(of(game, "/commands"), content=DRAW, headers={"content-type": media_type})
    told(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize("text", ["1", '"x"', '"-1"', '"1", "2"', '"' + "9" * 30 + '"', "", '""', '"1.0"', "W/"])
def test_an_unreadable_if_match_is_malformed(text: str, ada: Player, game: Game) -> None:
    told(raw(ada, of(game, "/commands"), DRAW, **{"if-match": text}), 400, "malformed")


@pytest.mark.parametrize("version", [0, 1, 2, 4, 99])
def test_another_version_than_the_one_that_stands_is_stale(version: int, ada: Player, game: Game) -> None:
    problem = told(say(ada, game, json.loads(DRAW), headers={"if-match": f'"{version}"'}), 412, "stale_version")
    assert problem["version"] == game["version"] == 3


@pytest.mark.parametrize("key", ["", "k" * 201, "a\tb", "\xa0"])
def test_an_unreadable_idempotency_key_is_malformed(key: str, ada: Player, game: Game) -> None:
    headers = {"idempotency-key": key.encode("latin-1")}
    told(ada.post(of(game, "/commands"), json.loads(DRAW), headers=headers), 400, "malformed")
    told(ada.post("/v1/games", {"game_type": "klondike"}, headers=headers), 400, "malformed")


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "9" * 30, ""])
def test_an_unreadable_last_event_id_is_malformed(text: str, ada: Player, game: Game) -> None:
    told(ada.get(of(game, "/events"), headers={"last-event-id": text}), 400, "malformed")


@pytest.mark.parametrize(
    "cursor", ["x", "!", "AAAA", "AAgAAAAAAAAAAGE=", "é", "A" * 201, "AAEAAA", "//8", "AAAA\0", "AAhhYWFhYWFhYQBi"]
)
def test_a_cursor_that_no_page_gave_out_is_malformed_or_finds_nothing_amiss(cursor: str, ada: Player) -> None:
    for path in ("/v1/games", "/v1/scoreboards/klondike", f"/v1/players/{ada.id}/scores/klondike/games"):
        answer = ada.get(path, params={"cursor": cursor})
        if answer.status_code != 200:
            told(answer, 400, "malformed")


QUERIES = {
    "unknown": "/v1/games?colour=red",
    "doubled": "/v1/games?limit=1&limit=2",
    "doubled alike": "/v1/games?limit=1&limit=1",
    "empty": "/v1/games?limit=",
    "zero": "/v1/games?limit=0",
    "negative": "/v1/games?limit=-1",
    "too many": "/v1/games?limit=201",
    "beyond 64 bits": "/v1/games?limit=" + "9" * 400,
    "not a number": "/v1/games?limit=ten",
    "null": "/v1/games?limit=null",
    "a list": "/v1/games?limit=[1]",
    "deep": "/v1/games?limit=" + "[" * 5_000 + "]" * 5_000,
    "deep in a text": "/v1/games?game_type=" + "[" * 5_000,
    "no player": "/v1/games?player=me",
    "no status": "/v1/games?status=lost",
    "a NUL": "/v1/games?game_type=a%00b",
    "broken UTF-8": "/v1/games?game_type=%ff",
    "a surrogate": "/v1/games?game_type=%ed%a0%80",
    "no seat": "GAME?seat=a",
    "a seat beyond all": "GAME?seat=16",
    "a negative seat": "GAME?seat=-1",
    "no truth": "GAME?spectator=maybe",
    "on a frame": "GAME/frames/0?step=1",
    "on frames": "GAME/frames?limit=1001",
    "no first": "GAME/frames?first=-1",
    "first beyond 64 bits": "GAME/frames?first=99999999999999999999",
    "on a stream": "GAME/events?max_frames=0",
    "no time": "GAME/events?max_seconds=nan",
    "all time": "GAME/events?max_seconds=1e999",
    "no knowledge": "GAME/frames?known=all",
    "on the proof": "GAME/proof?seat=0",
    "on life": "/livez?deep=1",
    "on the document": "/v1/openapi.json?x",
}


@pytest.mark.parametrize("what", QUERIES)
def test_a_query_that_cannot_be_read_is_malformed(what: str, ada: Player, game: Game) -> None:
    told(ada.get(QUERIES[what].replace("GAME", of(game))), 400, "malformed")


def test_a_seat_that_the_game_does_not_have_is_not_yours(ada: Player, game: Game) -> None:
    told(ada.get(of(game), params={"seat": 15}), 403, "not_your_seat")
    told(say(ada, game, json.loads(DRAW), params={"seat": 15}), 403, "not_your_seat")


def test_ids_of_other_kinds_lead_nowhere(service: Service, ada: Player, game: Game) -> None:
    for other in (ada.id, ada.token_id, "00000000-0000-0000-0000-000000000000", "no-id", game["id"][:-1], "%00"):
        for rest in ("", "/frames", "/frames/0", "/events", "/proof", "/legal-commands"):
            told(ada.get(f"/v1/games/{other}{rest}"), 404, "no_such_thing")
        told(ada.post(f"/v1/games/{other}/commands", json.loads(DRAW)), 404, "no_such_thing")
        told(ada.post(f"/v1/games/{other}/join", {}), 404, "no_such_thing")
    for other in (game["id"], ada.token_id, "no-id"):
        told(ada.get(f"/v1/players/{other}"), 404, "no_such_thing")
        told(ada.get(f"/v1/players/{other}/scores"), 404, "no_such_thing")
    for other in (game["id"], ada.id):
        told(ada.http.delete(f"/v1/tokens/{other}"), 404, "no_such_thing")


@pytest.mark.parametrize("path", ["/", "/v1", "/v2/games", "/v1/game", "/v1/games/x/y/z", "/favicon.ico", "/v1/%2e%2e"])
def test_an_unknown_path_is_not_found(path: str, service: Service) -> None:
    told(service.http.get(path), 404, "no_such_thing")


def test_a_wrong_method_is_told_the_right_ones(service: Service, game: Game) -> None:
    for path, method, allowed in (
        ("/v1/games", "DELETE", {"GET", "POST", "OPTIONS"}),
        ("/v1/games", "PUT", {"GET", "POST", "OPTIONS"}),
        ("/livez", "POST", {"GET", "OPTIONS"}),
        (of(game), "PATCH", {"GET", "OPTIONS"}),
        (of(game, "/commands"), "GET", {"POST", "OPTIONS"}),
        ("/v1/players/me", "POST", {"GET", "PATCH", "DELETE", "OPTIONS"}),
    ):
        answer = service.http.request(method, path)
        told(answer, 405, "no_such_method")
        assert set(answer.headers["allow"].replace(" ", "").split(",")) - {"HEAD"} == allowed


def test_options_tells_the_methods(service: Service, game: Game) -> None:
    answer = service.http.options(of(game, "/commands"))
    assert (answer.status_code, answer.content) == (204, b"")
    assert set(answer.headers["allow"].replace(" ", "").split(",")) == {"POST", "OPTIONS"}


def test_head_is_answered_without_a_body(service: Service, game: Game) -> None:
    for path in ("/livez", of(game), "/v1/games"):
        answer = service.http.head(path)
        assert answer.status_code in (200, 405)
        assert answer.content == b""


TOKENS = ["Bearer", "Bearer kbz_nobody", "Basic YTpi", "kbz_nobody", "Bearer a b", "bearer \xe9", ""]


@pytest.mark.parametrize("authorization", TOKENS)
def test_a_token_that_nobody_has_opens_nothing(authorization: str, service: Service, game: Game) -> None:
    headers = {"authorization": authorization.encode("latin-1")}
    for answer in (
        service.http.get("/v1/players/me", headers=headers),
        service.http.get(of(game), headers=headers),
        service.http.post(of(game, "/commands"), json={"type": "klondike/draw"}, headers=headers),
        service.http.delete("/v1/players/me", headers=headers),
    ):
        told(answer, 401, "unauthenticated")
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_what_needs_a_token_does_not_go_without_one(service: Service, game: Game) -> None:
    for method, path in (
        ("GET", "/v1/players/me"), ("PATCH", "/v1/players/me"), ("DELETE", "/v1/players/me"), ("GET", "/v1/tokens"),
        ("POST", "/v1/tokens"), ("DELETE", f"/v1/tokens/{game['id']}"), ("POST", "/v1/games"),
        ("POST", of(game, "/commands")), ("GET", of(game, "/legal-commands")), ("POST", of(game, "/join")),
        ("POST", of(game, "/leave")), ("POST", of(game, "/seed")),
    ):  # fmt: skip
        told(service.http.request(method, path), 401, "unauthenticated")


OPENINGS: dict[str, tuple[Any, str | None]] = {
    "no type": ({}, None),
    "an unknown type": ({"game_type": "poker"}, None),
    "an unknown field": ({"game_type": "klondike", "colour": "red"}, None),
    "an unknown option": ({"game_type": "klondike", "options": {"colour": "red"}}, None),
    "an option of the wrong type": ({"game_type": "klondike", "options": {"draw": "three"}}, None),
    "an option out of range": ({"game_type": "klondike", "options": {"draw": 53}}, None),
    "seats of a solo game": ({"game_type": "klondike", "seats": 2}, None),
    "too many seats": ({"game_type": "spite_and_malice", "seats": 3}, None),
    "a seat out of range": ({"game_type": "spite_and_malice", "seat": 2}, None),
    "a negative seat": ({"game_type": "spite_and_malice", "seat": -1}, None),
    "no visibility": ({"game_type": "klondike", "visibility": "secret"}, None),
    "an empty seed": ({"game_type": "klondike", "seed": ""}, None),
    "a long seed": ({"game_type": "klondike", "seed": "s" * 65}, None),
    "a seed with a NUL": ({"game_type": "klondike", "seed": "a\0"}, None),
    "a seed with a line": ({"game_type": "klondike", "seed": "a\n"}, None),
    "a seed beyond ASCII": ({"game_type": "klondike", "seed": "é"}, None),
    "a long deal": ({"game_type": "klondike", "deal": ["AS"] * 501}, None),
    "a deal of numbers": ({"game_type": "klondike", "deal": list(range(52))}, None),
    "a doubled card": ({"game_type": "klondike", "deal": ["AS", *CARDS]}, "given_deal"),
    "a card twice for another": ({"game_type": "klondike", "deal": [*CARDS[:-1], CARDS[0]]}, "given_deal"),
    "a missing card": ({"game_type": "klondike", "deal": CARDS[1:]}, "given_deal"),
    "no cards": ({"game_type": "klondike", "deal": []}, "given_deal"),
    "a face-down card": ({"game_type": "klondike", "deal": ["#", *CARDS[1:]]}, None),
    "foreign text": ({"game_type": "klondike", "deal": ["<script>", *CARDS[1:]]}, None),
    "a NUL for a card": ({"game_type": "klondike", "deal": ["\0", *CARDS[1:]]}, None),
    "a long card": ({"game_type": "klondike", "deal": ["x" * 100_000, *CARDS[1:]]}, None),
    "seed and deal": ({"game_type": "klondike", "deal": CARDS, "seed": "s"}, "one_deal"),
}  # fmt: skip


@pytest.mark.parametrize("what", OPENINGS)
def test_an_opening_that_cannot_be_read_or_is_against_the_rules_opens_nothing(what: str, ada: Player) -> None:
    body, rule = OPENINGS[what]
    answer = ada.post("/v1/games", body)
    problem = told(answer, 409 if rule else 400, "illegal" if rule else "malformed", rule)
    assert len(str(problem["detail"])) < 1_000


@pytest.mark.parametrize(
    "name", ["", " ", " Ada", "Ada ", "Ada\n", "A\0da", "A\tda", "\x7f", "a" * 41, "\u2028", "A\u202eda", "\u200b", 7, None]
)
def test_a_name_that_nobody_could_read_is_malformed(name: Any, service: Service, ada: Player) -> None:
    told(service.http.post("/v1/players", json={"name": name}), 400, "malformed")
    told(ada.http.patch("/v1/players/me", json={"name": name}), 400, "malformed")
    told(ada.post("/v1/tokens", {"label": name}), 400, "malformed")


def test_what_no_operation_speaks_is_not_acceptable(ada: Player, game: Game) -> None:
    for path in ("/frames", "/frames/0"):
        told(ada.get(of(game, path), headers={"accept": "image/png"}), 406, "not_acceptable")


def test_every_kind_of_problem_is_explained(service: Service) -> None:
    kinds = service.http.get("/v1/problems").json()["kinds"]
    assert len(kinds) > 10
    for kind in kinds:
        explained(service, kind["type"].rpartition("/")[2])
    told(service.http.get("/v1/problems/unheard_of"), 404, "no_such_thing")
