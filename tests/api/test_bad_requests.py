"""What is refused whatever the game: bodies, headers, queries, openings, names, paths and tokens that cannot be."""

import re
from typing import Any
from unicodedata import category

import httpx
import pytest

from domain.kit.cards import PACK
from service import problems

from .playing import DRAW, Game, of, say
from .problems import told
from .serving import JSON, Player, Service, raw
from .test_statuses import OPERATIONS, asked

pytestmark = pytest.mark.usefixtures("nothing_recorded")
DRAW_TEXT = b'{"type":"klondike/draw"}'
MOVE = b'{"type":"klondike/move","source":"waste","target":"tableau_1","count":%s}'
CARDS = list(PACK)

# Bodies


DEEP, SURROGATE = b"[" * 100_000 + b"]" * 100_000, b'{"type":"\\ud800"}'
UNREADABLE: dict[str, list[bytes]] = {
    "no JSON": [b"", b"  \n ", b'{"type":"klondike/draw"', b"{}{}", b"draw", b"\xef\xbb\xbf" + DRAW_TEXT],
    "no text": ['{"type":"klondike/draw"}'.encode("utf-16"), b'{"type":"\xff"}', b'{"type":"\xed\xa0\x80"}', SURROGATE],
    "no object": [b"null", b"7", b'"klondike/draw"', b"true", b"[]", b"[null]", b"[[" + DRAW_TEXT + b"]]"],
    "too many": [b"[" + b",".join([DRAW_TEXT] * 501) + b"]", b"[" + b",".join([b"[]"] * 10_000) + b"]"],
    "too deep": [b"[" * 100 + b"]" * 100, DEEP, b'{"a":' * 40_000],
    "endless": [b"[" * 20 + b'"' + b'\\"' * 120_000, b"[" * 20 + b'"' + b"\\" * 200_001],
    "no type": [b"{}", b'{"source":"stock"}', b'{"type":7}', b'{"type":"klondike/draw\\u0000"}'],
    "no such type": [b'{"type":"%s"}' % name for name in (b"klondike/cheat", b"klondike/drawn", b"game/join")],
    "members": [
        b'{"type":"klondike/draw","as":"seat 1"}',
        b'{"type":"klondike/draw","type":"klondike/draw"}',
        b'{"type":"klondike/move","source":"waste"}',
        b'{"type":"klondike/move","source":7,"target":"tableau_1"}',
    ],
    "counts": [MOVE % count for count in (b"9" * 400, b"18446744073709551616", b"-1", b"1.5", b"1e999", b"NaN")],
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_a_body_that_cannot_be_read_is_malformed(what: str, ada: Player, game: Game) -> None:
    for body in UNREADABLE[what]:
        told(raw(ada, of(game, "/commands"), body), 400, "malformed")


@pytest.mark.parametrize("path", ["/v1/games", "/v1/players", "/v1/tokens"])
def test_such_bodies_are_malformed_everywhere(path: str, ada: Player) -> None:
    for body in (b"", b"null", b"{}", DEEP, SURROGATE):
        told(raw(ada, path, body), 400, "malformed")


DOUBLED = {
    "a game": ("/v1/games", b'{"game_type":"golf","rated":true,"rated":false}', "rated", "/rated"),
    "options": ("/v1/games", b'{"game_type":"klondike","options":{"draw":1,"draw":3}}', "draw", "/options/draw"),
    "a person": ("/v1/players", b'{"name":"Ada","na\\u006de":"Eve"}', "name", "/name"),
    "a token": ("/v1/tokens", b'{"label":"\\"","scopes":["read"],"scopes":["read"]}', "scopes", "/scopes"),
    "a league": ("/v1/leagues", b'{"name":"a","game_type":"golf","rules":"same-deal-1","name":"b"}', "name", "/name"),
}


@pytest.mark.parametrize("what", DOUBLED)
def test_a_member_that_stands_twice_is_refused_by_place(what: str, ada: Player) -> None:
    path, body, name, pointer = DOUBLED[what]
    problem = told(raw(ada, path, body), 400, "malformed")
    assert problem["detail"] == f"Body: the member `{name}` stands twice, at `{pointer}`."


def test_a_member_twice_in_a_list_of_commands_is_refused_by_place(ada: Player, game: Game) -> None:
    body = b'{"commands":[' + DRAW_TEXT + b',{"type":"klondike/draw","type":"klondike/draw"}]}'
    assert "`/commands/1/type`" in str(told(raw(ada, of(game, "/commands/batch"), body), 400, "malformed")["detail"])


@pytest.mark.parametrize(
    "kinds",
    [
        ["application/json; charset=utf-8; charset=latin-1"], ['application/json;charset="utf-8" ; Charset=utf-8'],
        ["application/json"] * 2,
    ],
)  # fmt: skip
def test_a_media_type_or_charset_said_twice_is_malformed(kinds: list[str], ada: Player, game: Game) -> None:
    for path in (of(game, "/commands"), "/v1/records", "/v1/move-lists/freecell"):
        answer = ada.http.post(path, content=DRAW_TEXT, headers=[("Content-Type", kind) for kind in kinds])
        assert "twice" in told(answer, 400, "malformed")["detail"]


@pytest.mark.parametrize("size", [262_145, 10_000_000])
@pytest.mark.parametrize("told_before", [True, False])
def test_a_body_beyond_the_limit_is_too_large(size: int, told_before: bool, ada: Player, game: Game) -> None:
    body = b" " * size if told_before else (b" " * 65_536 for _ in range(0, size, 65_536))
    told(ada.http.post(of(game, "/commands"), content=body, headers=JSON), 413, "body_too_large")


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
def test_a_body_of_another_media_type_is_not_read(media_type: str, ada: Player, game: Game) -> None:
    told(raw(ada, of(game, "/commands"), DRAW_TEXT, **{"content-type": media_type}), 415, "unsupported_media_type")


# Headers and queries


HEADERS = {
    "If-Match": [
        '"x"', '"-1"', '"1",, "2"', '"1" "2"', '*, "3"', '"' + "9" * 30 + '"', "", '""', '"1.0"', "W/", "W/3", 'w/"3"',
        'W/"3', "W/*",
    ],
    "Idempotency-Key": ["", "k" * 201, "a\tb", "\xa0", "\xe9", "clef \xe9"],
    "Last-Event-ID": ["x", "-1", "1.", "1.5.5", "1." + "9" * 30, "9" * 30, ""],
}  # fmt: skip


def answers_with(player: Player, game: Game, name: str, *values: str) -> list[httpx.Response]:
    """The answers to requests that read this header."""
    headers: Any = [(name, value.encode("latin-1")) for value in values]
    if name == "Last-Event-ID":
        return [player.get(of(game, "/events?max_seconds=0"), headers=headers)]
    openings = [player.post("/v1/games", {"game_type": "klondike"}, headers=headers)] if name != "If-Match" else []
    return [say(player, game, DRAW, headers=headers), *openings]


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_that_cannot_be_read_or_stands_twice_is_malformed(name: str, ada: Player, game: Game) -> None:
    for value in HEADERS[name]:
        for answer in answers_with(ada, game, name, value):
            told(answer, 400, "malformed")
    for second in ("3", "4"):
        for answer in answers_with(ada, game, name, "3", second):
            assert "twice" in told(answer, 400, "malformed")["detail"]


@pytest.mark.parametrize("form", ['"{}"', 'W/"{}"', "{}", '"7", W/"{}" ,"8"'])
def test_a_strong_weak_bare_or_listed_version_is_the_version(form: str, ada: Player, game: Game) -> None:
    for version in (0, 1, 2, 4, 99):
        stale = told(say(ada, game, DRAW, headers={"if-match": form.format(version)}), 412, "stale_version")
        assert stale["version"] == game["version"] == 3
    nothing = {"type": "klondike/move", "source": "waste", "target": "foundation_spades"}
    answer = say(ada, game, nothing, headers={"if-match": form.format(3)})
    assert answer.status_code == 409, "it was judged by the rules"


@pytest.mark.parametrize(
    "path", ["/v1/players/me", "/v1/game-types", "/v1/games", "/v1/inbox/events?max_seconds=0", "/account", "/nowhere"]
)
def test_nobody_is_two_callers(path: str, service: Service, ada: Player, bob: Player) -> None:
    twice = [("Authorization", f"Bearer {player.token}") for player in (ada, bob)]
    answer = service.http.get(path, headers=twice)
    assert told(answer, 400, "malformed")["detail"] == "Authorization: it stands twice."


@pytest.mark.parametrize(
    "cursor", ["x", "!", "AAAA", "AAgAAAAAAAAAAGE=", "é", "A" * 201, "AAEAAA", "//8", "AAAA\0", "AAhhYWFhYWFhYQBi"]
)
def test_a_cursor_that_no_page_gave_out_breaks_nothing(cursor: str, ada: Player) -> None:
    for path in ("/v1/games", "/v1/scoreboards/klondike", f"/v1/players/{ada.id}/scores/klondike/games"):
        answer = ada.get(path, params={"cursor": cursor})
        if answer.status_code != 200:
            told(answer, 400, "malformed")


QUERIES = {
    "/v1/games?": ["colour=red", "player_id=me", "status=lost", "limit=1&limit=2", "limit=1&limit=1"],
    "/v1/games?limit=": ["", "0", "-1", "201", "9" * 400, "ten", "null", "[1]", "[" * 5_000 + "]" * 5_000],
    "/v1/games?game_type=": ["[" * 5_000, "a%00b", "%ff", "%ed%a0%80"],
    "GAME?": ["seat=a", "seat=16", "seat=-1", "spectator=maybe"],
    "GAME/frames?": ["limit=1001", "first=-1", "first=99999999999999999999", "known=all"],
    "GAME/events?": ["max_frames=0", "max_seconds=nan", "max_seconds=1e999"],
    "": ["GAME/frames/0?step=1", "GAME/proof?seat=0", "/livez?deep=1", "/v1/openapi.json?x"],
}


@pytest.mark.parametrize("path", QUERIES)
def test_a_query_that_cannot_be_read_is_malformed(path: str, ada: Player, game: Game) -> None:
    for query in QUERIES[path]:
        told(ada.get((path + query).replace("GAME", of(game))), 400, "malformed")


def test_seats_that_do_not_exist_and_commands_of_others_are_refused(ada: Player, game: Game) -> None:
    told(ada.get(of(game), params={"seat": 15}), 403, "not_your_seat")
    told(say(ada, game, DRAW, params={"seat": 15}), 403, "not_your_seat")
    told(say(ada, game, {"type": "bridge_solitaire/pass"}), 409, "illegal", "other_game_type")


# Openings and names


OPENINGS: dict[str, list[Any]] = {
    "game_type": ["poker", None],
    "colour": ["red"],
    "options": [{"colour": "red"}, {"draw": "three"}, {"draw": 53}],
    "seats": [2],
    "visibility": ["secret"],
    "seed": ["", "s" * 65, "a\0", "a\n", "é"],
    "deal": [["AS"] * 501, list(range(52)), *([card, *CARDS[1:]] for card in ("#", "<script>", "\0", "x" * 100_000))],
}


@pytest.mark.parametrize("member", OPENINGS)
def test_an_opening_that_cannot_be_read_opens_nothing(member: str, ada: Player) -> None:
    for value in OPENINGS[member]:
        problem = told(ada.post("/v1/games", {"game_type": "klondike", member: value}), 400, "malformed")
        assert len(problem["detail"]) < 1_000


def test_an_opening_against_the_rules_opens_nothing(ada: Player) -> None:
    for more in ({"seats": 3}, {"seat": 2}, {"seat": -1}):
        told(ada.post("/v1/games", {"game_type": "spite_and_malice", **more}), 400, "malformed")
    doubled, other, missing = ["AS", *CARDS], [*CARDS[:-1], CARDS[0]], CARDS[1:]
    for deal in (doubled, other, missing, []):
        told(ada.post("/v1/games", {"game_type": "klondike", "deal": deal}), 409, "illegal", "given_deal")
    told(ada.post("/v1/games", {"game_type": "klondike", "deal": CARDS, "seed": "s"}), 409, "illegal", "one_deal")


def no_name(name: Any, service: Service, ada: Player) -> dict[str, Any]:
    """The refusal of this name, wherever somebody or something gets one."""
    told(ada.http.patch("/v1/players/me", json={"name": name}), 400, "malformed")
    told(ada.post("/v1/tokens", {"label": name}), 400, "malformed")
    return told(service.http.post("/v1/players", json={"name": name}), 400, "malformed")


@pytest.mark.parametrize(
    "name",
    ["", " ", " Ada", "Ada ", "Ada\n", "A\0da", "A\tda", "\x7f", "a" * 41, "\u2028", "A\u202eda", "\u200b", 7, None],
)
def test_a_name_that_nobody_could_read_is_malformed(name: Any, service: Service, ada: Player) -> None:
    no_name(name, service, ada)


UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u180b\u180e\u2003\u200b\u200c\u200d\u200e\u200f\u2028\u202a\u202e\u202f\u205f"
    "\u2060\u2066\u2069\u206f\u2800\u3164\ue000\uf8ff\ufdd0\ufe00\ufe0f\ufeff\uffa0\ufff9\ufffc\uffff\u00a0\u0085"
)


def test_a_name_with_a_letter_that_nobody_sees_is_no_name(ada: Player, service: Service) -> None:
    no_name("A\u200bda", service, ada)
    names = [name for letter in UNSEEN for name in (letter, f"A{letter}da", f"{letter}Ada", f"Ada{letter}")]
    assert [name for name in names if re.search(problems.NAME, name)] == []


@pytest.mark.parametrize("name", ["A" + "\u0300" * 4, "\u0301Ada", "Ad\u0e47\u0e47\u0e47\u0e47a", "\u20dd"])
def test_a_name_with_marks_piled_up_or_alone_is_malformed(name: str, service: Service, ada: Player) -> None:
    assert "at most three marks on a letter" in no_name(name, service, ada)["detail"]


def test_every_letter_that_unicode_hides_is_refused_or_shown() -> None:
    """By Python's own tables: formats, controls, private use, separators but the blank and the ideographic one."""
    readable = re.compile(problems.NAME)
    kinds = {"Cf", "Cc", "Co", "Zl", "Zp", "Zs"}
    readable_codes = {
        code for code in range(0xF0000)
        if category(chr(code)) in kinds and readable.search(f"A{chr(code)}a") and not problems.HIDDEN.search(chr(code))
    }  # fmt: skip
    assert readable_codes - {0x20, 0x3000} <= SEEN_FORMATS


SEEN_FORMATS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Signs that are drawn, though Unicode counts them as formats (Prepended_Concatenation_Mark)."""


# Paths, ids, methods and tokens


def test_ids_of_other_kinds_lead_nowhere(ada: Player, game: Game) -> None:
    for other in (ada.id, ada.token_id, "00000000-0000-0000-0000-000000000000", "no-id", game["id"][:-1], "%00"):
        for rest in ("", "/frames", "/frames/0", "/events", "/proof", "/legal-commands"):
            told(ada.get(f"/v1/games/{other}{rest}"), 404, "no_such_thing")
        told(ada.post(f"/v1/games/{other}/commands", DRAW), 404, "no_such_thing")
        told(ada.post(f"/v1/games/{other}/join", {}), 404, "no_such_thing")
    for other in (game["id"], ada.token_id, "no-id"):
        told(ada.get(f"/v1/players/{other}"), 404, "no_such_thing")
        told(ada.get(f"/v1/players/{other}/scores"), 404, "no_such_thing")
    for other in (game["id"], ada.id):
        told(ada.http.delete(f"/v1/tokens/{other}"), 404, "no_such_thing")


@pytest.mark.parametrize(
    "path", ["/gone", "/v1", "/v2", "/v1/game", "/v1/games/x/y/z", "/robots.txt", "/v1/%2e", "/v1/problems/x"]
)
def test_an_unknown_path_is_not_found(path: str, service: Service) -> None:
    told(service.http.get(path), 404, "no_such_thing")


@pytest.mark.parametrize(
    "authorization", ["Bearer", "Bearer kbz_nobody", "Basic YTpi", "kbz_nobody", "Bearer a b", "bearer \xe9", ""]
)
def test_a_token_that_nobody_has_opens_nothing(authorization: str, service: Service, game: Game) -> None:
    headers = {"authorization": authorization.encode("latin-1")}
    for answer in (
        service.http.get("/v1/players/me", headers=headers),
        service.http.get(of(game), headers=headers),
        service.http.post(of(game, "/commands"), json=DRAW, headers=headers),
        service.http.delete("/v1/players/me", headers=headers),
    ):
        told(answer, 401, "unauthenticated")
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_what_needs_a_token_does_not_go_without_one(service: Service) -> None:
    closed = [name for name, (*_, described) in OPERATIONS.items() if {} not in (described["security"] or [{}])]
    assert len(closed) > 60
    for operation in closed:
        told(asked(service.http, operation), 401, "unauthenticated")
