"""HTTP as RFC 9110 writes it down: negotiation, ETags, caches and compression, over a real server."""

import gzip

import httpx
import pytest
from backports import zstd

from service.http.representation import choose_coding, read_wishes

from .holding import resign
from .playing import DRAW, Game, ended, of, opened, say
from .problems import told
from .serving import Player, Service, done

JSON, TEXT, SVG = "application/json", "text/plain", "image/svg+xml"
ACCEPTED = [
    (None, JSON), ("", JSON), ("*/*", JSON), ("text/plain", TEXT), ("TEXT/Plain", TEXT), ("text/*", TEXT),
    ("application/json;q=0.1, text/plain", TEXT), ("text/plain;q=0.5, application/json;q=0.9", JSON),
    ("text/plain;Q=0.5, image/svg+xml;q=0.6", SVG), ("application/json;q=0, */*", TEXT),
    ("application/json, text/plain, */*", JSON), ("text/plain, */*", TEXT), ("image/*;q=0.2, text/*;q=0.1", SVG),
    ("image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8", SVG), ("text/html, */*;q=0.1", JSON),
    ("text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, */*;q=0.5", TEXT),
    ("application/json; charset=utf-8", JSON), ("application/json;v=2, text/plain;q=0.9", JSON),
    ('text/plain;x="a,b;q=0";q=1, application/json;q=0.5', TEXT), ("nonsense, text/plain;q=0.1", TEXT),
    ("*/*;q=0.1, application/json;q=0", TEXT), ("text/plain;q=2", JSON), ("text/plain;q=0.1234", TEXT),
]  # fmt: skip
STREAMED = "text/event-stream, application/x-ndjson"
REFUSED = ["*/*;q=0", "image/avif", "text/plain;q=0", "image/avif, text/html;q=0.3", "text/*;q=0, image/*;q=0.0"]


@pytest.mark.parametrize(("accept", "expected"), ACCEPTED)
def test_the_media_type_wanted_most_is_answered(
    accept: str | None, expected: str, service: Service, game: Game
) -> None:
    with httpx.Client(base_url=service.url) as plain:
        del plain.headers["accept"]
        got = plain.get(of(game, "/frames/0"), headers={} if accept is None else {"accept": accept})
    assert got.headers["content-type"].partition(";")[0] == expected
    assert "Accept" in got.headers["vary"]


@pytest.mark.parametrize("path", ["/v1/feed", "/v1/account/events?max_seconds=0", "events?max_seconds=0"])
def test_a_stream_says_what_it_depends_on(path: str, ada: Player, game: Game) -> None:
    answer = ada.get(path if path.startswith("/") else of(game, f"/{path}"), headers={"accept": STREAMED})
    assert answer.headers["content-type"].partition(";")[0] in STREAMED
    assert set(answer.headers["vary"].split(", ")) >= {"Authorization", "Cookie"}
    assert ("Accept" in answer.headers["vary"]) == path.startswith("/"), "the stream of a game is one thing"


@pytest.mark.parametrize("accept", REFUSED)
def test_what_cannot_be_had_is_refused(accept: str, ada: Player, game: Game) -> None:
    answer = ada.get(of(game, "/frames/0"), headers={"accept": accept})
    told(answer, 406, "not_acceptable")
    assert answer.headers["vary"] == "Accept"


def test_two_lines_of_accept_are_one_list(service: Service, game: Game) -> None:
    lines = [("accept", "application/json;q=0.1"), ("accept", "text/plain")]
    got = httpx.get(f"{service.url}{of(game, '/frames/0')}", headers=lines)
    assert got.headers["content-type"].startswith(TEXT)


@pytest.mark.parametrize(
    "text", ['"' * 30_000, '"\\' * 30_000, "a/b" + " ;" * 30_000 + "@", "a/b;x=" * 20_000, "," * 60_000]
)
def test_a_long_accept_is_read_at_once(text: str) -> None:
    assert len(read_wishes(text)) <= 1


@pytest.mark.parametrize(("accepted", "coding"), [
    ("gzip", "gzip"), ("gzip, deflate, br, zstd", "zstd"), ("zstd;q=0.5, GZIP", "gzip"), ("*", "zstd"), ("", None),
    ("identity", None), ("gzip;q=0", None), ("*;q=0", None), ("gzip;q=0.5, identity;q=1", None), ("br", None),
    ("*, zstd;q=0", "gzip"),
])  # fmt: skip
def test_the_coding_that_is_wanted_most_is_chosen(accepted: str, coding: str | None) -> None:
    assert choose_coding([(b"accept-encoding", accepted.encode())], "zstd", "gzip") == coding


READ = [
    "", "/legal-commands", "/frames", "/frames/0", "/moments", "/record", "/proof", "/v1/game-types",
    "/v1/game-types/klondike", "/v1/openapi.json", "/v1/problems", "/v1/problems/illegal", "/v1/leagues", "/v1/games",
    "/v1/contests", "/v1/ladders/spite_and_malice", "/v1/scoreboards/klondike", "/v1/keys", "/v1/inbox", "/v1/records",
]  # fmt: skip


@pytest.mark.parametrize("path", READ)
def test_who_has_an_answer_is_told_so_without_it(path: str, ada: Player, game: Game) -> None:
    place = path if path.startswith("/v1") else of(game, path)
    first = ada.get(place)
    assert first.status_code == 200, first.text
    tag = first.headers["etag"]
    for value in (tag, f'"other", {tag}', "*", "W/" + tag.removeprefix("W/"), tag.removeprefix("W/")):
        again = ada.get(place, headers={"if-none-match": value})
        assert (again.status_code, again.content) == (304, b""), value
        assert again.headers["etag"] == tag
        assert again.headers.get("vary") == first.headers.get("vary")
        assert again.headers["cache-control"] == first.headers["cache-control"]
        assert not {"content-type", "content-length"} & set(again.headers)
    assert ada.http.head(place, headers={"if-none-match": tag}).status_code == 304
    for other in ('"other"', "nonsense", ""):
        assert ada.get(place, headers={"if-none-match": other}).status_code == 200


def test_two_viewers_of_one_game_have_two_etags(service: Service, ada: Player) -> None:
    game = opened(ada)
    own, others = ada.get(of(game)), service.http.get(of(game))
    assert own.json()["version"] == others.json()["version"]
    assert own.headers["etag"] != others.headers["etag"]
    assert service.http.get(of(game), headers={"if-none-match": own.headers["etag"]}).status_code == 200
    assert own.headers["vary"] == "Authorization, Cookie"
    texts = {ada.get(of(game, "/frames/0"), headers={"accept": kind}).headers["etag"] for kind in (JSON, TEXT, SVG)}
    assert len(texts) == 3


def test_the_etag_that_was_read_is_an_if_match(ada: Player) -> None:
    game = opened(ada)
    tag = ada.get(of(game)).headers["etag"]
    assert tag.startswith(f'"{game["version"]}.')
    assert say(ada, game, DRAW, headers={"if-match": "W/" + tag}).status_code == 200
    told(say(ada, game, DRAW, headers={"if-match": tag}), 412, "stale_version")
    for odd in (tag[:-3] + '"', tag[:-1], f'"x{tag[1:]}'):
        told(say(ada, game, DRAW, headers={"if-match": odd}), 400, "malformed")
    assert ada.get(of(game), headers={"if-none-match": tag}).status_code == 200


def test_a_frame_is_kept_once_the_game_is_over(ada: Player) -> None:
    for visibility in ("public", "private"):
        game = opened(ada, visibility=visibility)
        assert "immutable" not in ada.get(of(game, "/frames/0")).headers["cache-control"]
        resign(ada, game)
        answer = ada.get(of(game, "/frames/0"))
        assert answer.headers["cache-control"] == f"{visibility}, max-age=86400, immutable"
        assert "Authorization" in answer.headers["vary"]
        assert "immutable" not in ada.get(of(game, "/record")).headers["cache-control"]  # it may be declared void
    assert "immutable" in ada.get("/v1/game-types/klondike?revision=1").headers["cache-control"]
    assert "immutable" not in ada.get("/v1/game-types/klondike").headers["cache-control"]


def raw(player: Player | None, service: Service, path: str, coding: str) -> httpx.Response:
    """The answer with its body as it was sent."""
    token = {} if player is None else {"authorization": player.http.headers["authorization"]}
    headers = {"accept-encoding": coding, **token}
    with httpx.Client() as client, client.stream("GET", service.url + path, headers=headers) as answer:
        answer._content = b"".join(answer.iter_raw())
    return answer


def test_long_texts_are_compressed_and_have_a_weak_etag(service: Service, ada: Player) -> None:
    plain = raw(ada, service, "/v1/openapi.json", "identity")
    assert "content-encoding" not in plain.headers
    for coding, read in (("gzip", gzip.decompress), ("zstd", zstd.decompress)):
        for _ in range(2):
            small = raw(ada, service, "/v1/openapi.json", coding)
            assert small.headers["content-encoding"] == coding
            assert read(small.content) == plain.content
            assert len(small.content) == int(small.headers["content-length"]) < len(plain.content) / 4
        assert small.headers["etag"] == "W/" + plain.headers["etag"]
    assert "Accept-Encoding" in plain.headers["vary"]
    assert "content-encoding" not in raw(ada, service, "/v1/problems/malformed", "gzip").headers  # short


def test_what_a_player_sees_meanwhile_is_never_compressed(service: Service, ada: Player) -> None:
    game = opened(ada)
    for path in ("", "/legal-commands", "/frames", "/frames/0", "/record", "/moments"):
        assert "content-encoding" not in raw(ada, service, of(game, path), "gzip, zstd").headers
    assert raw(None, service, of(game, "/frames"), "gzip").headers["content-encoding"] == "gzip"
    made = httpx.post(service.url + "/v1/players", json={"name": "Zed" * 9}, headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in made.headers
    assert "etag" not in made.headers


@pytest.mark.parametrize(
    "query",
    ["contests?game_type=", "games?game_type=", "feed?cursor=", "problems?x", "openapi.json?x=", "games?limit=",
     "leagues?=", "leagues?cursor="],
)  # fmt: skip
def test_a_parameter_without_a_value_is_refused_in_words(query: str, ada: Player) -> None:
    assert "no value" in told(ada.get(f"/v1/{query}"), 400, "malformed")["detail"]


def test_a_finished_stream_has_no_more_to_say(ada: Player) -> None:
    game = ended(ada)
    place, last = of(game, "/events"), game["version"]
    assert f"id: {last}\n" in ada.get(place).text
    over = ada.get(place, headers={"last-event-id": str(last)})
    assert (over.status_code, over.content) == (204, b"")
    assert ada.get(place, params={"after": last}).status_code == 204
    assert "event: end" in ada.get(place, headers={"last-event-id": str(last - 1)}).text
    told(ada.get(place, headers={"last-event-id": str(last + 1)}), 400, "malformed")


def test_texts_are_posted_back_as_they_were_served(ada: Player, bob: Player) -> None:
    game, html = ended(ada), {"content-type": "text/html"}
    for accept in ("*/*", "application/x-ndjson", TEXT):
        record = ada.get(of(game, "/record"), headers={"accept": accept})
        for kind in (record.headers["content-type"], "application/octet-stream"):
            back = bob.http.post("/v1/records", content=record.content, headers={"content-type": kind})
            assert done(back)["id"] == game["id"], accept
    told(bob.http.post("/v1/records", content=b"x", headers=html), 415, "unsupported_media_type")
    deal = opened(ada, "freecell", deal_number=164)
    for accept in ("text/vnd.kibitz.freecell", TEXT):
        moves = ada.get(of(deal, "/record"), params={"notation": "standard"}, headers={"accept": accept})
        for kind in (moves.headers["content-type"], "application/octet-stream", "text/vnd.kibitz.moves"):
            done(bob.http.post("/v1/move-lists/freecell", content=moves.content, headers={"content-type": kind}), 201)
    wrong = {"content-type": "text/vnd.kibitz.seahaven-towers"}
    told(bob.http.post("/v1/move-lists/freecell", content=b"#1\n", headers=wrong), 415, "unsupported_media_type")


@pytest.mark.parametrize("path", ["/record", "/frames", "/v1/feed"])
def test_lines_of_json_may_be_asked_for_as_text(path: str, ada: Player, game: Game) -> None:
    place = path if path.startswith("/v1") else of(game, path)
    lines, text = (ada.get(place, headers={"accept": kind}) for kind in ("application/x-ndjson", TEXT))
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert text.content.partition(b'"cursor"')[0] == lines.content.partition(b'"cursor"')[0] != b""
