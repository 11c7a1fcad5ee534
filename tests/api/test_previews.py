"""What other sites are shown of a game: pictures as PNG, the tags of its page, oEmbed, a page to frame."""

import re
from collections.abc import Iterator
from html import unescape
from random import Random
from typing import Any

import httpx
import pytest

from domain.games import GAME_TYPES
from domain.play.aggregate import fold
from service.postgres import Server
from tests.corpus.files import stored

from .analysing import imported
from .browsing import signed_in
from .playing import Game, look, of, opened, play_on, say, seated
from .problems import told
from .serving import Player, Service, database_of, registered, serving
from .test_spectator_delay import DELAY, delayed

PNG = "image/png"
RESIGN = {"type": "game/resign"}
NAME = "<script>\"Ada\" & 'Co'"
CLUB = "https://club.example"
_META = re.compile(r'<meta (?:property|name)="(?:og|twitter):([a-z:]+)" content="([^"]*)">')


@pytest.fixture(scope="module")
def open_house(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server whose operator lets one site embed its games."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo, embedding_origins=CLUB) as running:
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


def test_a_frame_is_drawn_as_png_for_its_viewer(service: Service, ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    step = look(ada, game)["step"]
    pictures = [drawn(who, of(game, f"/frames/{step}")) for who in (ada.http, bob.http, service.http)]
    first = look(ada, game)["view"]["to_act"][0]
    assert pictures[1] != pictures[2], "each sits at the lower edge of their own table"
    assert (pictures[0] == pictures[2]) == (first == 1), "only the first player, found by lot, has a hand yet"
    assert all(drawn(who.http, of(game, f"/frames/{step}"), spectator=True) == pictures[2] for who in (ada, bob))
    told(ada.get(of(game, f"/frames/{step + 1}"), headers={"accept": PNG}), 404, "no_such_thing")
    told(bob.get(of(game, f"/frames/{step}"), params={"seat": 0}, headers={"accept": PNG}), 403, "not_your_seat")


def test_the_picture_of_a_step_is_the_same_to_everybody(service: Service, ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    step = look(ada, game)["step"]
    path = f"/games/{game['id']}/steps/{step}.png"
    assert signed_in(service, ada).get(path).content == drawn(service.http, path)
    assert drawn(service.http, path) == drawn(service.http, of(game, f"/frames/{step}"))
    assert service.http.get(path).headers["cache-control"] == "public, max-age=300"


def test_who_has_the_picture_of_a_step_is_told_so_and_keeps_it_once_the_game_is_over(
    service: Service, ada: Player
) -> None:
    game = opened(ada)
    path = f"/games/{game['id']}/steps/0.png"
    first = service.http.get(path)
    again = service.http.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert again.headers["cache-control"] == first.headers["cache-control"]
    assert service.http.get(path, headers={"if-none-match": '"another"'}).content == first.content
    say(ada, game, RESIGN)
    assert service.http.get(path).headers["cache-control"] == "public, max-age=86400, immutable"


@pytest.mark.parametrize("name", ["99.png", "x.png", "-1.png", "1.svg", "1", "².png", "1e1.png", f"{10**9}.png"])
def test_what_is_no_step_has_no_picture(service: Service, game: Game, name: str) -> None:
    assert service.http.get(f"/games/{game['id']}/steps/{name}").status_code == 404


def test_a_private_game_has_neither_picture_nor_tags_nor_frame(open_house: Service, guest: Player) -> None:
    game = opened(guest, visibility="private")
    here = signed_in(open_house, guest)
    for path in (f"/games/{game['id']}/steps/0.png", f"/embed/games/{game['id']}"):
        assert here.get(path).status_code == 404
        assert guest.get(path).status_code == 404
    told(oembed(open_house, game), 404, "no_such_thing")
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


def test_a_delayed_game_is_pictured_as_late_as_it_is_shown(service: Service, ada: Player, bob: Player) -> None:
    game = delayed(ada, bob)
    steps = [frame["step"] for _, frame in play_on([ada, bob], game, Random(1), most=DELAY + 2)]
    image = tags(service, game)["image"]
    assert image.endswith(f"/steps/{steps[-1] - DELAY}.png")
    drawn(service.http, image)
    assert service.http.get(image.replace(f"{steps[-1] - DELAY}.png", f"{steps[-1]}.png")).status_code == 404


def test_oembed_gives_a_frame_no_larger_than_asked_for(open_house: Service, guest: Player) -> None:
    game = opened(guest)
    say(guest, game, RESIGN)
    answer = oembed(open_house, game, maxwidth=320, maxheight=5000).json()
    assert (answer["type"], answer["version"], answer["width"], answer["height"]) == ("rich", "1.0", 320, 700)
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


def test_the_page_to_frame_says_who_may_frame_it_and_has_no_origin(open_house: Service, guest: Player) -> None:
    game = opened(guest)
    answer = open_house.http.get(f"/embed/games/{game['id']}")
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["content-security-policy"].split(";"))
    assert policy["frame-ancestors"] == CLUB
    assert "allow-same-origin" not in policy["sandbox"]
    assert f'href="{open_house.url}/games/{game["id"]}"' in answer.text
    assert "<script>&quot;" not in answer.text
    others = (f"/games/{game['id']}", "/sign-in", f"/v1/games/{game['id']}/replay")
    assert all("'none'" in open_house.http.get(path).headers["content-security-policy"] for path in others)


@pytest.mark.parametrize(
    ("query", "status", "kind"),
    [
        ({}, 400, "malformed"), ({"url": "x" * 2001}, 400, "malformed"), ({"url": "http://[::1"}, 400, "malformed"),
        ({"url": "{here}/games/{id}", "format": "xml"}, 400, "malformed"),
        ({"url": "{here}/games/{id}", "maxwidth": 0}, 400, "malformed"),
        ({"url": "{here}/games/{id}", "maxheight": "x"}, 400, "malformed"),
        ({"url": ["{here}/games/{id}", "{here}/games/{id}"]}, 400, "malformed"),
        ({"url": "https://elsewhere.example/games/{id}"}, 404, "no_such_thing"),
        ({"url": "javascript:{here}/games/{id}"}, 404, "no_such_thing"),
        ({"url": "{here}/games/{id}/steps/0.png"}, 404, "no_such_thing"),
        ({"url": "{here}/games/01900000-0000-7000-8000-000000000000"}, 404, "no_such_thing"),
    ],
)  # fmt: skip
def test_oembed_refuses_what_is_no_game_of_this_service(
    open_house: Service, guest: Player, query: dict[str, Any], status: int, kind: str
) -> None:
    game_id = opened(guest)["id"]
    filled = {
        name: [part.format(here=open_house.url, id=game_id) for part in value] if isinstance(value, list)
        else str(value).format(here=open_house.url, id=game_id)
        for name, value in query.items()
    }  # fmt: skip
    told(open_house.http.get("/oembed", params=filled), status, kind)


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
