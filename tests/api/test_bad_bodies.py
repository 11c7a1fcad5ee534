"""Bodies that cannot be read: a problem document says so, and nothing is recorded."""

from collections.abc import Iterator

import pytest

from .playing import Game, of, say
from .problems import told
from .serving import JSON, Player, raw

pytestmark = pytest.mark.usefixtures("nothing_recorded")
DRAW = b'{"type":"klondike/draw"}'
MOVE = b'{"type":"klondike/move","source":"waste","target":"tableau_1","count":%s}'


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
    "a huge count": MOVE % (b"9" * 400),
    "a count beyond 64 bits": MOVE % b"18446744073709551616",
    "a negative count": MOVE % b"-1",
    "a fractional count": MOVE % b"1.5",
    "a count beyond floats": MOVE % b"1e999",
    "not a number": MOVE % b"NaN",
    "a lone surrogate": b'{"type":"\\ud800"}',
    "a lone surrogate as bytes": b'{"type":"\xed\xa0\x80"}',
    "broken UTF-8": b'{"type":"\xff"}',
    "UTF-16": '{"type":"klondike/draw"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + DRAW,
    "a member twice": b'{"type":"klondike/draw","type":"klondike/draw"}',
    "10,000 lists": b"[" + b",".join([b"[]"] * 10_000) + b"]",
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


DOUBLED = {
    "a game": ("/v1/games", b'{"game_type":"golf","rated":true,"rated":false}', "rated", "/rated"),
    "options": ("/v1/games", b'{"game_type":"klondike","options":{"draw":1,"draw":3}}', "draw", "/options/draw"),
    "a person": ("/v1/players", b'{"name":"Ada","na\\u006de":"Eve"}', "name", "/name"),
    "a token": ("/v1/tokens", b'{"label":"\\"","scopes":["read"],"scopes":["read"]}', "scopes", "/scopes"),
    "a league": ("/v1/leagues", b'{"name":"a","game_type":"golf","rules":"same-deal-1","name":"b"}', "name", "/name"),
}


@pytest.mark.parametrize("what", DOUBLED)
def test_a_member_that_stands_twice_is_refused_by_name_and_place(what: str, ada: Player) -> None:
    path, body, name, pointer = DOUBLED[what]
    problem = told(raw(ada, path, body), 400, "malformed")
    assert problem["detail"] == f"Body: the member `{name}` stands twice, at `{pointer}`."


def test_a_member_that_stands_twice_in_a_list_of_commands_is_found(ada: Player, game: Game) -> None:
    body = b'{"commands":[' + DRAW + b',{"type":"klondike/draw","type":"klondike/draw"}]}'
    assert "`/commands/1/type`" in str(told(raw(ada, of(game, "/commands/batch"), body), 400, "malformed")["detail"])


TWICE = [
    [("Content-Type", "application/json; charset=utf-8; charset=latin-1")],
    [("Content-Type", 'application/json;charset="utf-8" ; Charset=utf-8')],
    [("Content-Type", "application/json"), ("Content-Type", "application/json")],
]


@pytest.mark.parametrize("headers", TWICE)
def test_a_media_type_or_charset_that_is_said_twice_is_malformed(
    headers: list[tuple[str, str]], ada: Player, game: Game
) -> None:
    for path in (of(game, "/commands"), "/v1/records", "/v1/move-lists/freecell"):
        answer = ada.http.post(path, content=DRAW, headers=headers)
        assert "twice" in str(told(answer, 400, "malformed")["detail"])


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
