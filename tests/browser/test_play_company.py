"""A game's page beside its moves: going on from a step, seats taken and given back, a rematch."""

from playwright.sync_api import Page

from tests.api.playing import look, opened, say, seated
from tests.api.serving import Player, Service

from .game_pages import GamePage, moved, seen


def test_a_finished_game_is_continued_from_a_step(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "klondike", seed="a fork")
    say(ada, game, [{"type": "klondike/draw"}] * 4 + [{"type": "game/resign"}])
    shown = GamePage(at_home, site, game)
    shown.slide(2)
    before = shown.zones()
    shown.page.get_by_role("button", name="Continue from here").click()
    at_home.wait_for_url(lambda url: game["id"] not in url)
    fork = {"id": at_home.url.partition("/games/")[2].partition("#")[0]}
    shown.reach(2)
    shown.ready()
    assert shown.zones() == before == seen(ada, fork, 2, "seat-0")
    shown.page.locator('[data-say="klondike/draw"]').click()
    moved(shown, ada, fork, 3)


def test_seats_are_taken_given_back_and_changed_for_a_rematch(
    at_home: Page, site: Service, bob: Player, cyd: Player
) -> None:
    game = opened(bob, "screaming_yoda", seats=3)
    shown = GamePage(at_home, site, game)
    for name in ("Take a seat", "Leave", "Take a seat"):
        shown.page.get_by_role("button", name=name).click()
    shown.page.get_by_role("button", name="Leave").wait_for()
    seated(game, cyd)
    shown.page.locator("svg.table [data-zone-id]").first.wait_for(state="attached")
    for player in (bob, cyd):
        say(player, game, {"type": "game/resign"})
    shown.page.get_by_role("button", name="Play again").click()
    at_home.wait_for_url(lambda url: game["id"] not in url)
    again = {"id": at_home.url.partition("/games/")[2].partition("#")[0]}
    assert look(bob, again)["rematch_of_game_id"] == game["id"]
