"""A replay in another site's page: it plays where the operator allows that site, and nowhere else."""

import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from service.postgres import Server
from tests.api.playing import Game, opened, play_on, say
from tests.api.serving import Player, Service, database_of, registered, serving

from .game_pages import sign_in


class Club:
    """Another site: the pages of one folder, under two names that browsers take for two origins."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.allowed, self.other = f"http://localhost:{port}", f"http://127.0.0.1:{port}"

    def write(self, html: str) -> None:
        """Put this into the site's only page."""
        text = f"<!doctype html><html lang=en><title>Club</title><link rel=icon href=data:,><h1>Club</h1>{html}"
        (self.folder / "index.html").write_text(text, encoding="utf-8")


class _Quiet(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        """No browser keeps the page: the next test writes another."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """The other site."""
    folder = tmp_path_factory.mktemp("club")
    with ThreadingHTTPServer(("", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield Club(folder, server.server_port)
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def house(postgres: Server, template_database: str, club: Club) -> Iterator[Service]:
    """A server that lets the club embed its games."""
    with (
        database_of(postgres, template_database) as conninfo,
        serving(conninfo, embedding_origins=club.allowed) as running,
    ):
        yield running


@pytest.fixture(scope="module")
def gus(house: Service) -> Player:
    """A player there."""
    return registered(house, "Gus")


@pytest.fixture(scope="module")
def game(gus: Player) -> Game:
    """A game that is over."""
    made = opened(gus)
    for _ in play_on([gus], made, Random(3), most=12):
        pass
    say(gus, made, {"type": "game/resign"}).raise_for_status()
    return made


def frame(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def embedded(house: Service, game: Game, rest: str = "", **query: int) -> str:
    """The frame that oEmbed gives for the game."""
    url = f"{house.url}/games/{game['id']}{rest}"
    html: str = house.http.get("/oembed", params={"url": url, **query}).raise_for_status().json()["html"]
    return html


def test_a_replay_plays_in_the_page_of_another_site(
    page: Page, club: Club, house: Service, game: Game, requested: list[str]
) -> None:
    club.write(embedded(house, game, "#step=2&viewer=seat-0"))
    page.goto(club.allowed)
    where = frame(page).locator("#kibitz output.where")
    expect(where).to_have_text(re.compile("^2 /"))
    frame(page).get_by_role("button", name="Next step", exact=True).click()
    expect(where).to_have_text(re.compile("^3 /"))
    frame(page).get_by_label("Speed").select_option("4")
    frame(page).get_by_role("button", name="Play", exact=True).click()
    expect(frame(page).locator(".banner")).to_be_visible()
    assert [url.split("#")[0] for url in requested if not url.startswith("data:")] == [
        f"{club.allowed}/", f"{house.url}/embed/games/{game['id']}",
    ]  # fmt: skip


def test_its_heading_leads_to_the_game_in_a_tab_of_its_own(page: Page, club: Club, house: Service, game: Game) -> None:
    club.write(embedded(house, game))
    page.goto(club.allowed)
    with page.context.expect_page() as opening:
        frame(page).get_by_role("link", name="Klondike - Gus").click()
    expect(opening.value).to_have_url(re.compile(f"{house.url}/games/{game['id']}"))
    expect(opening.value.locator("#kibitz output.where")).to_be_visible()


@pytest.mark.parametrize("path", ["embed/games", "games"])
def test_a_site_that_is_not_allowed_and_any_other_page_are_refused(
    page: Page, club: Club, house: Service, game: Game, forgiven: list[str], path: str
) -> None:
    forgiven += ["frame-ancestors", "CSP"]
    club.write(f'<iframe src="{house.url}/{path}/{game["id"]}"></iframe>')
    with page.expect_event("console", lambda said: "frame-ancestors" in said.text):
        page.goto(club.other if path == "embed/games" else club.allowed)
    expect(frame(page).locator("#kibitz")).to_have_count(0)


def test_no_session_acts_in_the_frame(page: Page, club: Club, house: Service, gus: Player, forgiven: list[str]) -> None:
    forgiven += ["the server responded with a status of 404"]
    hidden = opened(gus, visibility="private")
    sign_in(page.context, house, gus)
    assert page.goto(f"{house.url}/games/{hidden['id']}").ok  # type: ignore[union-attr]
    assert page.goto(f"{house.url}/embed/games/{hidden['id']}").status == 404  # type: ignore[union-attr]
    game_page = opened(gus)
    club.write(embedded(house, game_page))
    page.goto(club.allowed)
    expect(frame(page).locator("#kibitz output.where")).to_be_visible()
    expect(frame(page).get_by_text("Seen by: Spectator.")).to_be_visible()
    inside = next(one for one in page.frames if "/embed/" in one.url)
    assert inside.evaluate("self.origin") == "null"
