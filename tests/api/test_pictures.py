"""Pictures and moments of a game: SVG, PNG, one page, tags, oEmbed; all show what whoever asks may see, and no more."""

import json
import re
import xml.etree.ElementTree as Xml
from collections import Counter
from collections.abc import Iterator
from html import unescape
from random import Random
from typing import Any

import httpx
import pytest

from domain.games import GAME_TYPES
from domain.play.aggregate import fold
from tests.corpus.files import stored

from .analysing import imported
from .browsing import signed_in
from .playing import Game, look, of, opened, play_on, say, seated
from .problems import told
from .serving import Player, Service, registered, serving
from .test_spectator_delay import DEALT, DELAY, delayed

SVG = "image/svg+xml"


def svg(player: Player, game: Game, step: int, **query: Any) -> httpx.Response:
    return player.get(of(game, f"/frames/{step}"), params=query, headers={"accept": SVG})


def shown(answer: httpx.Response) -> Counter[str]:
    """The cards of a drawing."""
    assert (answer.status_code, answer.headers["content-type"]) == (200, SVG), answer.text
    groups = Xml.fromstring(answer.text).iter("{http://www.w3.org/2000/svg}g")
    return Counter(card for group in groups if (card := group.get("data-card")))


def page(player: Player, game: Game) -> str:
    answer = player.get(of(game, "/replay"))
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts")
    return answer.text


def kept(player: Player, game: Game) -> Any:
    """What is embedded in the page."""
    found = re.search(r'id="kibitz-game">(.*?)</script>', page(player, game), re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def viewers(player: Player, game: Game) -> list[str]:
    return [viewer["key"] for viewer in kept(player, game)["viewers"]]


def frames(player: Player, game: Game, **query: Any) -> Any:
    return player.get(of(game, "/frames"), params={"limit": 1000, **query}).json()["frames"]


def test_a_frame_is_drawn_for_whoever_wants_an_image(ada: Player) -> None:
    game = opened(ada)
    drawn = svg(ada, game, 0)
    assert "script" not in drawn.text
    assert drawn.headers["content-security-policy"].endswith("sandbox")
    view = frames(ada, game)[0]["view"]
    told_cards = Counter(card for zone in view["zones"] for card in zone.get("cards", ()))
    assert shown(drawn) - Counter({"#": 99}) == told_cards
    image = ada.get(of(game, "/frames/0"), headers={"accept": "image/*,*/*;q=0.8"})
    assert image.headers["content-type"] == SVG


def test_a_seat_sees_its_own_hand_and_others_none(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    now = look(ada, game)
    step, first = now["step"], now["view"]["to_act"][0]
    path = of(game, f"/frames/{step}")
    own = shown(svg(ada, game, step)), shown(svg(bob, game, step))
    assert own[0] != own[1]
    hidden = sorted(drawn["#"] for drawn in own)
    assert hidden[0] < hidden[1] == shown(svg(eve, game, step))["#"], "only one seat has a hand yet"
    pictures = [drawn(who, path) for who in (ada.http, bob.http, service.http)]
    assert pictures[1] != pictures[2], "each sits at the lower edge of their own table"
    assert (pictures[0] == pictures[2]) == (first == 1), "only the first player, found by lot, has a hand yet"
    assert all(drawn(who.http, path, spectator=True) == pictures[2] for who in (ada, bob))
    for media_type in (SVG, PNG):
        told(eve.get(path, params={"seat": 0}, headers={"accept": media_type}), 403, "not_your_seat")
    told(svg(ada, game, step, known="now"), 409, "illegal", "game_not_finished")
    told(ada.get(of(game, f"/frames/{step + 1}"), headers={"accept": PNG}), 404, "no_such_thing")
    steps = f"/games/{game['id']}/steps/{step}.png"
    assert signed_in(service, ada).get(steps).content == drawn(service.http, steps) == pictures[2]
    assert service.http.get(steps).headers["cache-control"] == "public, max-age=300"
    told(eve.get(of(game, "/moments"), params={"seat": 0}), 403, "not_your_seat")
    told(ada.get(of(game, "/moments"), params={"known": "now"}), 409, "illegal", "game_not_finished")
    dealt = [moments(player, game)["moments"][0]["sentence"] for player in (ada, bob, eve)]
    say(ada, game, RESIGN)
    again = [moments(eve, game, **query)["moments"][0]["sentence"] for query in ({"seat": 0}, {"seat": 1}, {})]
    assert again == dealt
    assert kinds(moments(eve, game, known="now")) == kinds(moments(eve, game))


def test_games_without_cards_are_drawn_by_their_marks(ada: Player) -> None:
    game = opened(ada, "megiddo", hot_seat=True)
    list(play_on((ada, ada), game, Random(1), most=3))
    step = look(ada, game)["step"]
    drawn, text = svg(ada, game, step), ada.get(of(game, f"/frames/{step}"), headers={"accept": "text/plain"})
    assert "a black stone" in drawn.text
    assert "AS" not in text.text


def test_a_game_that_is_over_is_kept_with_everybodys_frames(ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    list(play_on((ada, bob), game, Random(5), most=20))
    say(ada, game, RESIGN)
    data = kept(bob, game)
    assert viewers(bob, game) == ["seat-1", "seat-0", "spectator", "all"]
    assert viewers(eve, game) == ["seat-0", "seat-1", "spectator", "all"]
    assert data["game"]["players"] == ["Ada", "Bob"]
    eyes: list[dict[str, Any]] = [{"seat": 1}, {"seat": 0}, {"spectator": True}, {"known": "now"}]
    for viewer, query in zip(data["viewers"], eyes, strict=True):
        listed = frames(eve, game, **query)
        assert [frame["sentences"] for frame in viewer["frames"]] == [frame["sentences"] for frame in listed]
        assert viewer["frames"][0]["view"] == listed[0]["view"]
    assert "Not over yet" not in page(ada, game)


def test_a_live_games_page_keeps_its_askers_view(ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    assert (viewers(ada, game), viewers(eve, game)) == (["seat-0"], ["spectator"])
    assert kept(eve, game)["viewers"][0]["frames"][-1]["view"] == frames(eve, game)[-1]["view"]
    assert "Not over yet: the game up to step 1. Seen by: Player 1" in page(ada, game)


def test_a_delay_holds_in_pictures_tags_and_moments(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob)
    for _, played in play_on((ada, bob), game, Random(3), most=12):
        late, newest = moments(eve, game), played["step"]
        assert late["steps"] == max(DEALT, newest - DELAY) + 1
        assert all(step < late["steps"] for step, _ in kinds(late))
        assert moments(ada, game)["steps"] == newest + 1
    assert len(kept(eve, game)["viewers"][0]["frames"]) == newest + 1 - DELAY
    assert kept(ada, game)["viewers"][0]["frames"][-1]["step"] == newest
    told(svg(eve, game, newest), 404, "no_such_thing")
    image = tags(service, game)["image"]
    assert image.endswith(f"/steps/{newest - DELAY}.png")
    drawn(service.http, image)
    assert service.http.get(image.replace(f"{newest - DELAY}.png", f"{newest}.png")).status_code == 404
    say(ada, game, RESIGN)
    assert kinds(moments(eve, game))[-1] == (look(eve, game)["step"], "ending")


PNG = "image/png"
RESIGN = {"type": "game/resign"}
NAME = "<script>\"Ada\" & 'Co'"
CLUB = "https://club.example"
_META = re.compile(r'<meta (?:property|name)="(?:og|twitter):([a-z:]+)" content="([^"]*)">')


@pytest.fixture(scope="module")
def open_house(conninfo: str) -> Iterator[Service]:
    """A server whose operator lets one site embed its games."""
    with serving(conninfo, embedding_origins=CLUB) as running:
        yield running


@pytest.fixture(scope="module")
def guest(open_house: Service) -> Player:
    """A player there whose name is markup."""
    return registered(open_house, NAME)


def drawn(who: httpx.Client, path: str, **query: Any) -> bytes:
    answer = who.get(path, params=query, headers={"accept": PNG})
    assert (answer.status_code, answer.headers.get("content-type")) == (200, PNG), answer.text
    assert answer.content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(answer.content[at : at + 4], "big") for at in (16, 20))
    assert 400 <= width <= 1200
    assert 300 <= height <= 1600
    return answer.content


def tags(service: Service, game: Game) -> dict[str, str]:
    """What the game's page says for previews, to a stranger."""
    page = service.http.get(f"/games/{game['id']}").text
    return {name: unescape(content) for name, content in _META.findall(page)}


def oembed(service: Service, game: Game, rest: str = "", **query: Any) -> httpx.Response:
    url = f"{service.url}/games/{game['id']}{rest}"
    return service.http.get("/oembed", params={"url": url, "format": "json", **query})


def test_a_steps_picture_is_kept_after_the_game(service: Service, ada: Player) -> None:
    game = opened(ada)
    path = f"/games/{game['id']}/steps/0.png"
    first = service.http.get(path)
    again = service.http.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert again.headers["cache-control"] == first.headers["cache-control"]
    assert service.http.get(path, headers={"if-none-match": '"another"'}).content == first.content
    say(ada, game, RESIGN)
    assert service.http.get(path).headers["cache-control"] == "public, max-age=86400, immutable"


def test_what_is_no_step_has_no_picture(service: Service, game: Game) -> None:
    for name in ("99.png", "x.png", "-1.png", "1.svg", "1", "².png", "1e1.png", f"{10**9}.png"):
        assert service.http.get(f"/games/{game['id']}/steps/{name}").status_code == 404, name


def test_a_private_game_has_neither_picture_nor_tags_nor_frame(open_house: Service, guest: Player) -> None:
    game = opened(guest, visibility="private")
    here = signed_in(open_house, guest)
    for path in (f"/games/{game['id']}/steps/0.png", f"/embed/games/{game['id']}"):
        assert here.get(path).status_code == 404
        assert guest.get(path).status_code == 404
    told(oembed(open_house, game), 404, "no_such_thing")
    for media_type in (SVG, PNG):
        hidden = open_house.http.get(of(game, "/frames/0"), headers={"accept": media_type})
        told(hidden, 404, "no_such_thing")
    page = here.get(f"/games/{game['id']}")
    assert page.status_code == 200
    assert "og:" not in page.text
    assert "oembed" not in page.text


def test_the_tags_of_a_page_name_title_sentence_and_picture(service: Service, ada: Player) -> None:
    game = opened(ada)
    said = tags(service, game)
    assert (said["title"], said["description"]) == ("Klondike", "Klondike with Ada is being played.")
    say(ada, game, RESIGN)
    said = tags(service, game)
    assert said["description"] == "Ada lost Klondike after 0 moves (resigned)."
    assert said["url"] == f"{service.url}/games/{game['id']}"
    assert said["image"] == f"{service.url}/games/{game['id']}/steps/1.png"
    drawn(service.http, said["image"])
    assert "oembed" not in service.http.get(f"/games/{game['id']}").text


def test_oembed_gives_a_frame_no_larger_than_asked_for(open_house: Service, guest: Player) -> None:
    game = opened(guest)
    say(guest, game, RESIGN)
    answer = oembed(open_house, game, maxwidth=320, maxheight=5000).json()
    assert [answer[name] for name in ("type", "version", "width", "height")] == ["rich", "1.0", 320, 700]
    assert answer["title"] == f"{NAME} lost Klondike after 0 moves (resigned)."
    assert "<script" not in answer["html"]
    assert answer["html"].startswith(f'<iframe src="{open_house.url}/embed/games/{game["id"]}" width="320"')
    whole = oembed(open_house, game, "#step=1&viewer=seat-0", maxheight=100).json()
    assert (whole["width"], whole["height"]) == (800, 100)
    assert f"{game['id']}#step=1&amp;viewer=seat-0" in whole["html"]
    assert "onload" not in oembed(open_house, game, '#step=1" onload="x').json()["html"]
    page = open_house.http.get(f"/games/{game['id']}").text
    found = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]*)"', page)
    assert found is not None
    assert open_house.http.get(unescape(found[1])).json()["title"] == answer["title"]


def test_the_page_to_frame_says_who_may_frame_it(open_house: Service, guest: Player) -> None:
    game = opened(guest)
    answer = open_house.http.get(f"/embed/games/{game['id']}")
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["content-security-policy"].split(";"))
    assert policy["frame-ancestors"] == CLUB
    assert "allow-same-origin" not in policy["sandbox"]
    assert f'href="{open_house.url}/games/{game["id"]}"' in answer.text
    assert "<script>&quot;" not in answer.text
    others = (f"/games/{game['id']}", "/sign-in", f"/v1/games/{game['id']}/replay")
    assert all("'none'" in open_house.http.get(path).headers["content-security-policy"] for path in others)


def test_oembed_refuses_what_is_no_game_of_this_service(open_house: Service, guest: Player) -> None:
    game, here = opened(guest)["id"], open_house.url
    url = f"{here}/games/{game}"
    malformed: list[dict[str, Any]] = [
        {}, {"url": "x" * 2001}, {"url": "http://[::1"}, {"url": url, "format": "xml"}, {"url": url, "maxwidth": 0},
        {"url": url, "maxheight": "x"}, {"url": [url, url]},
    ]  # fmt: skip
    for query in malformed:
        told(open_house.http.get("/oembed", params=query), 400, "malformed")
    missing = f"{here}/games/01900000-0000-7000-8000-000000000000"
    for other in (f"https://elsewhere.example/games/{game}", f"javascript:{url}", f"{url}/steps/0.png", missing):
        told(open_house.http.get("/oembed", params={"url": other}), 404, "no_such_thing")


def test_nothing_is_embedded_where_the_operator_does_not_allow_it(service: Service, game: Game) -> None:
    told(service.http.get(f"/embed/games/{game['id']}"), 404, "no_such_thing")
    told(oembed(service, game), 404, "no_such_thing")


def test_a_game_that_was_brought_here_names_nobody(service: Service, ada: Player) -> None:
    for key in ("screaming_yoda", "golf"):
        ended = ((records, fold(records).result) for records in stored(GAME_TYPES[key]))
        records = next(one for one, how in ended if how is not None)
        said = tags(service, imported(ada, records))["description"]
        assert said.startswith("Somebody "), said
        assert GAME_TYPES[key].name in said


def moments(player: Player, game: Game, **query: Any) -> Any:
    answer = player.get(of(game, "/moments"), params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def kinds(found: Any) -> list[tuple[int, str]]:
    return [(moment["step"], moment["kind"]) for moment in found["moments"]]


def test_deal_undo_and_ending_are_moments(ada: Player) -> None:
    game = opened(ada)
    for command in ("klondike/draw", "klondike/draw", "game/undo", "game/resign"):
        assert say(ada, game, {"type": command}).status_code == 200
    found = moments(ada, game)
    assert kinds(found) == [(0, "deal"), (3, "undo"), (4, "ending")]
    assert found["steps"] == 5
    waiting = moments(ada, opened(ada, "spite_and_malice"))
    assert (waiting["steps"], waiting["moments"]) == (1, [])
    shown = ada.get(of(game, "/frames")).json()["frames"]
    assert all(moment["sentence"] in shown[moment["step"]]["sentences"] for moment in found["moments"])
