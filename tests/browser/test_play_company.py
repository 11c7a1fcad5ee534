"""A game's page beside its moves: going on from a step, seats taken and given back, a rematch."""

from collections.abc import Sized

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.api.playing import look, opened, say, seated
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


def test_seats_are_taken_given_back_and_changed_for_a_rematch(
    at_home: Page, site: Service, bob: Player, cyd: Player
) -> None:
    game = opened(bob, "screaming_yoda", seats=3)
    game_page = GamePage(at_home, site, game)
    for name in ("Take a seat", "Leave", "Take a seat"):
        game_page.page.get_by_role("button", name=name).click()
    game_page.page.get_by_role("button", name="Leave").wait_for()
    seated(game, cyd)
    game_page.page.locator("svg.table [data-zone-id]").first.wait_for(state="attached")
    for player in (bob, cyd):
        say(player, game, {"type": "game/resign"})
    game_page.page.get_by_role("button", name="Play again").click()
    at_home.wait_for_url(lambda url: game["id"] not in url)
    again = {"id": at_home.url.partition("/games/")[2].partition("#")[0]}
    assert look(bob, again)["rematch_of_game_id"] == game["id"]


def test_a_stranger_is_asked_to_sign_in_where_there_is_something_to_play(
    page: Page, site: Service, ada: Player, bob: Player
) -> None:
    game = opened(ada, "megiddo")
    link = GamePage(page, site, game).page.get_by_role("link", name="Sign in to play")
    expect(link).to_be_visible()
    seated(game, bob)
    expect(link).to_have_count(0)
    say(bob, game, {"type": "game/resign"})
    expect(link).to_be_visible()


@pytest.mark.usefixtures("by_http")
def test_the_seat_taken_last_is_looked_from_though_an_earlier_look_is_answered_late(
    at_home: Page, site: Service, bob: Player, cyd: Player
) -> None:
    game = opened(bob, "screaming_yoda", seats=3)
    button, counts, streams = GamePage(at_home, site, game).page.get_by_role("button"), list[Route](), list[Route]()
    button.filter(has_text="Take a seat").click()
    button.filter(has_text="Leave").wait_for()
    at_home.route("**/frames?*first=2147483647*", lambda count: counts.append(count))
    at_home.route("**/events?seat=1*", lambda stream: streams.append(stream))
    button.filter(has_text="Leave").click()
    button.filter(has_text="Take a seat").click()
    await_all(at_home, counts, 2)
    assert ["spectator" in count.request.url for count in counts] == [True, False]
    for count in counts:
        with at_home.expect_response(count.request.url):
            count.continue_()
    button.filter(has_text="Leave").wait_for()
    await_all(at_home, streams, 1)
    at_home.unroute("**/events?seat=1*")
    for stream in streams:
        stream.continue_()
    seated(game, cyd)
    at_home.locator("svg.table [data-zone-id]").first.wait_for(state="attached")


def test_a_look_at_the_game_that_is_answered_late_tells_nothing_old(
    at_home: Page, site: Service, bob: Player, cyd: Player
) -> None:
    game = opened(bob, "screaming_yoda", seats=3)
    button, held, old = GamePage(at_home, site, game).page.get_by_role("button"), list[Route](), list[APIResponse]()
    button.filter(has_text="Take a seat").click()
    button.filter(has_text="Leave").wait_for()

    def hold(requested: Route) -> None:
        """The answer of now, later."""
        held.append(requested)
        old.append(requested.fetch())

    at_home.route("**/leave", hold, times=1)
    button.filter(has_text="Leave").click()
    button.filter(has_text="Take a seat").wait_for()  # the stream has told that the seat is given back
    at_home.route(f"**/v1/games/{game['id']}", hold, times=1)
    held[0].fulfill(response=old[0])
    await_all(at_home, old, 2)
    button.filter(has_text="Take a seat").click()
    button.filter(has_text="Leave").wait_for()
    with at_home.expect_response(held[1].request.url):
        held[1].fulfill(response=old[1])
    seated(game, cyd)
    at_home.locator("svg.table [data-zone-id]").first.wait_for(state="attached")
    expect(at_home.locator("svg.table")).to_have_attribute("data-viewer", "seat-1")


def await_all(page: Page, found: Sized, number: int) -> None:
    """Let the page go on until so many are found."""
    while len(found) < number:
        page.wait_for_timeout(10)
