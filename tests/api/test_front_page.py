"""The front page: pictures that deal in one click, to guests too; what is on now; what a picture may not show."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from domain.games import GAME_TYPES

from .browsing import Browser, said, signed_in
from .holding import settled
from .playing import RESIGN, look, opened, play_on, seated
from .serving import Player, Service, registered

PICTURE = re.compile(r'<img src="(/pictures/[0-9a-f]{16}/(\w+)\.svg)" width="480" height="320"')
FORM = re.compile(r'<form method="post" action="(/games/new/(\w+)/[a-z-]+)"')


@pytest.fixture
def stranger(service: Service) -> Iterator[Browser]:
    """Somebody who is not signed in."""
    with Browser(service) as browser:
        yield browser


def dealt(browser: Browser, path: str, form: dict[str, str] | None = None) -> str:
    """The address of the game that this form opened."""
    answer = browser.post(path, form)
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"].startswith("/games/")
    return answer.headers["location"]


def test_every_game_has_a_lasting_picture_and_a_button(stranger: Browser) -> None:
    page = stranger.shown("/")
    pictures = {key: path for path, key in PICTURE.findall(page)}
    assert set(pictures) == {key for path, key in FORM.findall(page) if path.endswith("/as-guest")} == set(GAME_TYPES)
    for path in pictures.values():
        drawn = stranger.get(path)
        assert drawn.headers["content-type"].startswith("image/svg+xml"), drawn.text
        assert "immutable" in drawn.headers["cache-control"]
        assert drawn.headers["content-encoding"] in ("zstd", "gzip")
        assert "data-card=" in drawn.text
    assert stranger.get(f"/pictures/{'0' * 16}/golf.svg", headers={"accept": "*/*"}).status_code == 404


def test_one_click_makes_a_guest_with_a_dealt_game(service: Service, stranger: Browser) -> None:
    address = dealt(stranger, "/games/new/klondike/as-guest")
    game = stranger.get(f"/v1{address}").json()
    assert (game["status"], game["your_seats"], game["rated"], game["hints"]) == ("playing", [0], False, True)
    assert game["options"]["draw"] == 1
    me = stranger.get("/v1/players/me").json()
    assert re.fullmatch(r"Guest \d{4}", me["player"]["name"] if "player" in me else me["name"])
    again = dealt(stranger, "/games/new/spider/as-guest")
    assert stranger.get(f"/v1{again}").json()["seats"][0]["player"] == game["seats"][0]["player"]
    settled(service)
    front = stranger.shown("/")
    assert "Go on with your games" in said(front)
    assert f'href="{address}"' in front
    assert "/games/new/golf/deal" in front
    address = dealt(stranger, "/games/new/spite_and_malice/as-guest", {"preset": "SNM A-SHORT"})
    table = stranger.get(f"/v1{address}").json()
    assert (table["status"], table["options"]["preset"]) == ("waiting", "snm_a_short")


def test_a_click_is_casual_and_easy_and_goes_on_as_one_chose_but_rated_is_asked_for_each_time(
    stranger: Browser,
) -> None:
    def deal(key: str, form: dict[str, str] | None = None) -> Any:
        return stranger.get(f"/v1{dealt(stranger, f'/games/new/{key}/as-guest', form)}").json()

    def terms(game: Any) -> Any:
        return game["options"]["suits"], game["rated"], game["hints"]

    assert ">One suit<" in stranger.shown("/")
    assert terms(deal("spider")) == (1, False, True)
    assert terms(deal("spider", {"preset": "2"})) == (2, False, True)
    assert terms(deal("spider", {"rated": "on"})) == (2, True, False)
    assert terms(deal("spider")) == (2, False, True)
    assert terms(deal("spider", {"preset": "nonsense"})) == (1, False, True)
    deal("spider", {"preset": "4"})
    deal("megiddo", {"house": "strong"})
    page = stranger.shown("/")
    assert {"Four suits", "against the house, strong"} <= set(re.findall(r'<summary aria-label="[^"]+">([^<]+)<', page))
    assert 'value="strong" aria-label="Play Megiddo against the house"' in page
    assert 'value="4" aria-current="true"' in page
    stranger.http.cookies.set("kibitz_choices", "spider=9~wild&nothing=%00&golf", domain="127.0.0.1")
    assert terms(deal("spider")) == (1, False, True)
    for key in ("bridge_solitaire", "deck_the_yard"):
        game = deal(key)
        assert (game["rated"], game["hints"]) == (False, False), "no solver knows it"


def test_a_new_deal_is_as_the_last_one(stranger: Browser) -> None:
    for form in ({"preset": "2"}, {"rated": "on"}):
        first = dealt(stranger, "/games/new/spider/as-guest", form)
        second = dealt(stranger, f"{first}/new-deal")
        terms = [stranger.get(f"/v1{address}").json() for address in (first, second)]
        assert [[game[name] for name in ("options", "rated", "hints")] for game in terms][1:] == [
            [terms[0][name] for name in ("options", "rated", "hints")]
        ]


def test_what_changes_stands_beside_rated_and_the_deal_of_the_day(service: Service, stranger: Browser) -> None:
    words = said(page := stranger.shown("/game-types/klondike"))
    for sentence in ("No hints. It counts for the scoreboard from the first move", "One card at a time"):
        assert sentence in words
    assert 'name="rated" value="on"' in page
    assert "Rated" not in said(stranger.shown("/game-types/megiddo")).partition("Open to everybody, rated")[0]


def test_a_deal_needs_our_own_page_and_a_sign_in(stranger: Browser) -> None:
    for path in ("/games/new/golf/as-guest", "/games/new/golf/deal"):
        assert stranger.http.post(path, data={}, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert stranger.secret is None
    assert stranger.post("/games/new/golf/deal").headers["location"] == "/games/new/golf"
    assert stranger.post("/games/new/nothing/as-guest").status_code == 404


def test_guests_are_made_within_the_limit_of_their_address(serve: Callable[..., Service]) -> None:
    few = serve(registrations_per_hour=2)
    for expected in (303, 303, 429):
        with Browser(few) as browser:
            assert browser.post("/games/new/golf/as-guest").status_code == expected


def test_a_listed_board_shows_what_anybody_may_see(
    service: Service, ada: Player, bob: Player, stranger: Browser
) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    list(play_on([ada, bob], game, Random(5), most=6))
    path = f"/games/{game['id']}/board.svg"
    anybodys = stranger.get(path)
    assert anybodys.headers["cache-control"].startswith("public, max-age=")
    assert "immutable" not in anybodys.headers["cache-control"]
    assert any(zone["cards"] for zone in look(ada, game)["view"]["zones"] if zone["id"].startswith("hand"))
    with signed_in(service, ada) as adas:
        assert adas.get(path).content == anybodys.content
    assert set(re.findall(r'data-zone="hand_\d" data-index="\d+" data-card="([^"]+)"', anybodys.text)) <= {"#"}
    settled(service)
    assert f'src="{path}"' in stranger.shown("/")


def test_a_private_or_undealt_game_has_no_board(service: Service, ada: Player, stranger: Browser) -> None:
    hidden, waiting = opened(ada, "klondike", visibility="private"), opened(ada, "megiddo")
    with signed_in(service, ada) as adas:
        for browser in (adas, stranger):
            assert browser.get(f"/games/{hidden['id']}/board.svg", headers={"accept": "*/*"}).status_code == 404
        settled(service)
        assert f"/games/{hidden['id']}/board.svg" not in adas.shown("/")
    assert stranger.get(f"/games/{waiting['id']}/board.svg", headers={"accept": "*/*"}).status_code in (200, 404)


def test_ones_own_page_tells_shares_streaks_and_their_course(service: Service) -> None:
    eve = registered(service, "Eve")
    for _ in range(3):
        game: Any = opened(eve, "golf", options={"undo": False})
        list(play_on([eve], game, Random(7), most=200))
    settled(service)
    row = eve.get(f"/v1/players/{eve.id}/scores").json()["rows"][0]
    with signed_in(service, eve) as eves:
        words = said(page := eves.shown(f"/players/{eve.id}"))
    names = {"played": "games", "won": "wins", "won in a row": "streak", "longest streak": "best_streak"}
    assert not [name for name in names if f"{name} {row[names[name]]}" not in words]
    assert re.search(r"between 0 % and \d\d % in the long run", words)
    assert 'class="band"' in page
    assert "Share won over the last 3 games" in words


def test_one_click_sits_down_against_the_house(stranger: Browser) -> None:
    page = stranger.shown("/")
    assert 'aria-label="Megiddo against the house, strong"' in page
    assert 'aria-label="Klondike against the house' not in page
    game = stranger.get(f"/v1{dealt(stranger, '/games/new/megiddo/as-guest', {'house': 'greedy'})}").json()
    assert (game["rated"], game["status"]) == (False, "playing")
    rival = game["seats"][1]["player"]["id"]
    assert stranger.get(f"/v1/players/{rival}").json()["bot"] is True
    assert 'aria-label="Play Megiddo against the house"' in page


def test_a_private_table_against_the_house_is_unrated_and_hidden(service: Service, ada: Player, bob: Player) -> None:
    form = {"house": "greedy", "visibility": "private", "rated": "on", "seats": "4", "seat": "0"}
    with signed_in(service, ada) as adas:
        address = dealt(adas, "/games/new/decs_building", form)
        alone = adas.post("/games/new/megiddo", {**form, "house": "", "seats": "2"})
        assert "invites somebody" in alone.text
    game = ada.get(f"/v1{address}").json()
    assert (game["rated"], game["status"], game["visibility"]) == (False, "playing", "private")
    assert bob.get(f"/v1{address}").status_code == 404


def test_pages_of_boards_and_ladders_tell_why(service: Service, ada: Player, bob: Player) -> None:
    for _ in range(2):
        game = seated(opened(ada, "megiddo"), bob)
        list(play_on([ada, bob], game, Random(5), most=10))
        assert ada.post(f"/v1/games/{game['id']}/commands", RESIGN).status_code == 200
    settled(service)
    with signed_in(service, bob) as bobs:
        assert "The rating over" in bobs.shown("/ladders/megiddo")
        assert "No. 1" in said(bobs.shown(f"/ladders/megiddo/players/{bob.id}"))
        assert "Why" in said(bobs.shown(f"/scoreboards/megiddo/players/{bob.id}"))
