"""A game that goes on, seen live: other people's moves come, and whoever looks back is told that there is more."""

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.api.playing import Game, look, moves, of, opened, play_on, say, seated
from tests.api.serving import Player, Service, registered

from .game_pages import GamePage, end_sessions, seen, sign_in

DRAW = {"type": "klondike/draw"}


@pytest.fixture
def game(ada: Player) -> Game:
    return opened(ada, "klondike", seed="live")


def test_an_onlooker_at_the_newest_step_follows(page: Page, site: Service, ada: Player, game: Game) -> None:
    game_page = GamePage(page, site, game)
    for step in (1, 2, 3):
        say(ada, game, DRAW)
        game_page.reach(step)
        assert game_page.zones() == seen(ada, game, step, "spectator")
    assert "The player draws" in game_page.told


def test_whoever_looks_back_stays_and_is_told_that_there_is_more(
    page: Page, site: Service, ada: Player, game: Game
) -> None:
    say(ada, game, [DRAW] * 3)
    game_page = GamePage(page, site, game)
    game_page.press("ArrowLeft")
    game_page.reach(2)
    say(ada, game, [DRAW] * 2)
    live = game_page.page.get_by_role("button", name="Live")
    expect(live).to_contain_text("3 more")
    assert game_page.step == 2
    live.click()
    game_page.reach(5)
    say(ada, game, DRAW)
    game_page.reach(6)


def test_the_end_of_the_game_ends_the_following_and_opens_every_eye(
    page: Page, site: Service, ada: Player, game: Game
) -> None:
    game_page = GamePage(page, site, game)
    expect(game_page.page.get_by_role("button", name="Live")).to_be_visible()
    say(ada, game, {"type": "game/resign"})
    game_page.page.locator(".banner").wait_for()
    expect(game_page.page.get_by_role("button", name="Live")).to_be_hidden()
    game_page.look_as("all")
    assert game_page.zones() == seen(ada, game, 1, "all")


def test_the_other_seat_s_move_arrives_and_what_may_be_moved_lights_up(
    page: Page, site: Service, ada: Player, bob: Player
) -> None:
    sign_in(page.context, site, bob)
    game = seated(opened(ada, "megiddo", seed="other seat", seats=2), bob)
    if not moves(ada, game):
        say(bob, game, moves(bob, game)[0])
    game_page = GamePage(page, site, game)
    game_page.ready()
    assert game_page.page.locator("[data-lit]").count() == 0
    before = game_page.step
    say(ada, game, moves(ada, game)[0])
    game_page.reach(before + 1)
    game_page.page.locator("[data-lit]").first.wait_for(state="attached")
    assert game_page.page.locator("svg.table [data-lit][tabindex]").count() == len(moves(bob, game))


def test_a_connection_that_is_lost_and_found_again_is_told(page: Page, site: Service, ada: Player, game: Game) -> None:
    asked: list[Route] = []
    page.route("**/events?*", lambda route: _cut_or_kept(asked, route))
    game_page = GamePage(page, site, game)
    game_page.page.get_by_text("The connection is lost; trying again.").wait_for()
    while len(asked) < 2:
        page.wait_for_timeout(20)
    asked[1].continue_()
    game_page.page.get_by_text("Connected again.").wait_for()
    say(ada, game, DRAW)
    game_page.reach(1)


def _cut_or_kept(asked: list[Route], route: Route) -> None:
    """The first stream ends at once without saying so; the second waits until it is let through, later ones do not."""
    asked.append(route)
    if len(asked) == 1:
        route.fulfill(content_type="text/event-stream", body="retry: 500\n\n")
    elif len(asked) > 2:
        route.continue_()


@pytest.mark.usefixtures("line")
def test_a_session_that_is_ended_elsewhere_is_told_with_the_way_back_to_the_game(
    page: Page, site: Service, forgiven: list[str]
) -> None:
    forgiven.append("the server responded with a status of 401")
    player = registered(site, "Mia")
    sign_in(page.context, site, player)
    game = opened(player, "klondike")
    GamePage(page, site, game).ready()
    end_sessions(player)
    expect(page.locator(".told")).to_contain_text("Your session is over.")
    expect(page.get_by_role("button", name="Live")).to_be_hidden()
    expect(page.locator(".panel button, svg.table [data-lit]")).to_have_count(0)
    page.get_by_role("link", name="Sign in again").click()
    expect(page).to_have_url(f"{site.url}/sign-in?back=/games/{game['id']}")


def test_a_word_out_of_turn_is_a_button_of_the_seat_that_may_say_it(page: Page, site: Service, ada: Player) -> None:
    sign_in(page.context, site, ada)
    game = opened(ada, "screaming_yoda", seats=3, hot_seat=True, seed="one card left")
    seat, word = _out_of_turn(ada, game)
    game_page = GamePage(page, site, game)
    game_page.ready()
    assert game_page.viewer != f"seat-{seat}"
    game_page.look_as(f"seat-{seat}")
    game_page.ready()
    game_page.page.locator(f'.panel [data-say="{word}"]').first.click()
    game_page.page.wait_for_function("() => document.querySelector('.told').innerText.includes('Yoda')")
    assert any(word == frame["command"]["type"] for frame in _frames(ada, game, seat) if frame["command"])


def _out_of_turn(ada: Player, game: Game) -> tuple[int, str]:
    """Play away what can be played until a seat that is not asked may say a word; that seat and its command's name."""
    for _ in range(300):
        asked = look(ada, game)["view"]["to_act"][0]
        for seat in {0, 1, 2}.difference({asked}):
            words_of_seat = {str(command["type"]) for command in moves(ada, game, seat)}
            if words := sorted(words_of_seat & {"screaming_yoda/call", "screaming_yoda/shout"}):
                return seat, words[0]
        most = max(
            moves(ada, game, asked),
            key=lambda candidate: (not candidate.get("shout", False), len(candidate.get("cards", ()))),
        )
        assert say(ada, game, most, params={"seat": asked}).status_code == 200
    raise AssertionError("nobody had a word to say")


def _frames(ada: Player, game: Game, seat: int) -> list[Any]:
    frames: list[Any] = ada.get(of(game, "/frames"), params={"seat": seat, "limit": 1000}).json()["frames"]
    return frames


def test_people_have_names_in_all_that_a_page_says(at_home: Page, site: Service, ada: Player, bob: Player) -> None:
    game = opened(ada, "spite_and_malice")
    game_page = GamePage(at_home, site, game)
    seated(game, bob)
    game_page.page.locator("svg.table [data-zone-id]").first.wait_for(state="attached")
    list(play_on([ada, bob], game, Random(3), most=6))
    say(bob, game, {"type": "game/resign"})
    game_page.page.locator(".banner").wait_for()
    moments = game_page.page.locator(".moments option")
    expect(moments.filter(has_text="Ada won")).to_be_attached()
    words = str(game_page.page.locator("#kibitz").evaluate("(node) => node.textContent"))
    assert "Ada has the higher card" in words or "Bob has the higher card" in words
    assert re.findall(r"\b(?:[Ss]eat|Player) \d", words) == []
    assert "Hand of Bob" in str(game_page.page.locator("svg.table").evaluate("(node) => node.outerHTML"))
