"""A game that is over goes on from a step."""

from playwright.sync_api import Page

from tests.api.playing import opened, say
from tests.api.serving import Player, Service

from .game_pages import GamePage, moved, seen


def test_a_finished_game_is_continued_from_a_step(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "klondike", seed="a fork")
    say(ada, game, [{"type": "klondike/draw"}] * 4 + [{"type": "game/resign"}])
    game_page = GamePage(at_home, site, game)
    game_page.slide(2)
    before = game_page.zones()
    game_page.page.get_by_role("button", name="Continue from here").click()
    at_home.wait_for_url(lambda url: game["id"] not in url)
    fork = {"id": at_home.url.partition("/games/")[2].partition("#")[0]}
    game_page.reach(2)
    game_page.ready()
    assert game_page.zones() == before == seen(ada, fork, 2, "seat-0")
    game_page.page.locator('[data-say="klondike/draw"]').click()
    moved(game_page, ada, fork, 3)
