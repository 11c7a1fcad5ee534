"""A table before its game: its link, a seat with one tap, the house, names, onlookers, a rematch; a true header."""

from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.games import GAME_TYPES
from tests.api.playing import Game, look, opened, play_on, say, seated
from tests.api.serving import Player, Service

from .game_pages import GamePage, sign_in

SEVERAL = [key for key, kind in GAME_TYPES.items() if max(kind.seat_counts) > 1]
_SEATS, _WORDS = ".waiting-table .seats li", "[data-state=words]"


def test_two_friends_sit_down_with_a_click_and_a_tap_and_play(page: Page, site: Service, phone: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(site.url)
    page.get_by_role("button", name="Play Spite & Malice with a friend").click()
    page.get_by_role("heading", name="Spite & Malice in 5 lines").wait_for()
    link = page.locator("#table-link").input_value()
    assert link == page.url.partition("#")[0]
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("() => navigator.clipboard.readText()") == link
    page.get_by_text("Change the name").click()
    page.get_by_label("Your name").fill("Uncle Joe")
    page.get_by_role("button", name="Change").click()
    page.locator(_SEATS).filter(has_text="Uncle Joe").wait_for()
    phone.goto(link)
    phone.get_by_role("button", name="Sit down").tap()
    for table in (page, phone):
        table.locator("svg.table[data-listed]").wait_for()
        expect(table.locator(".waiting-table")).to_have_count(0)
        expect(table.locator(".heading")).to_contain_text("Uncle Joe, Guest")
        expect(table.locator(".heading")).not_to_contain_text("free")


def test_the_house_takes_a_seat_or_all_that_are_free_and_who_comes_late_looks_on(
    at_home: Page, site: Service, ada: Player, bob: Player, phone: Page
) -> None:
    game = opened(ada, "screaming_yoda", seats=4, rated=False, visibility="unlisted")
    at_home.goto(f"{site.url}/games/{game['id']}")
    at_home.get_by_role("button", name="The house, greedy, at seat 3").click()
    expect(at_home.locator(_SEATS).nth(2)).to_contain_text("House (greedy)")
    at_home.get_by_text("Change the name").click()
    at_home.get_by_label("Your name").fill("half a na")
    seated(game, bob)
    expect(at_home.locator(_SEATS).nth(1)).to_contain_text("Bob")
    expect(at_home.get_by_label("Your name")).to_have_value("half a na")
    expect(at_home.get_by_label("Your name")).to_be_focused()
    at_home.get_by_role("button", name="Start now").click()
    at_home.locator("svg.table [data-zone-id]").first.wait_for(state="attached")
    phone.goto(f"{site.url}/games/{game['id']}")
    expect(phone.locator("svg.table")).to_have_attribute("data-viewer", "spectator")
    expect(phone.get_by_role("button", name="Sit down")).to_have_count(0)


def test_a_seat_is_taken_and_given_back_and_a_rated_table_has_no_house(
    at_home: Page, site: Service, bob: Player
) -> None:
    game = opened(bob, "screaming_yoda", seats=3)
    at_home.goto(f"{site.url}/games/{game['id']}")
    at_home.get_by_role("button", name="Sit down").click()
    expect(at_home.locator(_SEATS).nth(1)).to_contain_text("you")
    expect(at_home.get_by_role("button", name="House")).to_have_count(0)
    at_home.get_by_role("button", name="Give the seat back").click()
    at_home.get_by_role("button", name="Sit down").wait_for()
    assert look(bob, game)["seats"][1]["player"] is None


def test_both_press_play_again_and_sit_at_one_table_with_seats_exchanged(
    at_home: Page, site: Service, ada: Player, bob: Player, browser: Browser
) -> None:
    game = seated(opened(ada, "megiddo"), bob)
    context = browser.new_context()
    sign_in(context, site, bob)
    pages = [at_home, context.new_page()]
    for page in pages:
        GamePage(page, site, game)
    say(ada, game, {"type": "game/resign"})
    addresses = []
    for page in pages:
        page.get_by_role("button", name="Play again").click()
        page.wait_for_url(lambda url: game["id"] not in url)
        addresses.append(page.url.partition("#")[0])
    context.close()
    again = look(ada, {"id": addresses[0].rpartition("/")[2]})
    assert addresses[0] == addresses[1]
    assert again["status"] == "playing"
    assert [seat["player"]["name"] for seat in again["seats"]] == ["Bob", "Ada"]


def test_a_stranger_is_asked_to_sign_in_once_there_is_something_to_play_again(
    page: Page, site: Service, ada: Player, bob: Player
) -> None:
    game = seated(opened(ada, "megiddo"), bob)
    link = GamePage(page, site, game).page.get_by_role("link", name="Sign in to play")
    expect(link).to_have_count(0)
    say(bob, game, {"type": "game/resign"})
    expect(link).to_be_visible()


@pytest.mark.parametrize("key", [*SEVERAL, "golf"])
def test_what_a_page_says_of_its_game_is_at_every_moment_what_a_page_opened_now_says(
    key: str, at_home: Page, page: Page, site: Service, ada: Player, bob: Player, cyd: Player
) -> None:
    """The law of the header: waiting, begun, some steps on and over; the table in words goes along."""
    kind = GAME_TYPES[key]
    game, players = opened(ada, key, **({"seats": 3} if 3 in kind.seats else {})), [ada, bob, cyd]
    game_page = GamePage(at_home, site, game)
    at_home.locator(".spoken summary").click()
    fresh = at_home.context.new_page()
    for player in players[1 : len(game["seats"])]:
        _compare(at_home, fresh, site, game)
        seated(game, player)
    _compare(at_home, fresh, site, game)
    list(play_on(players, game, Random(key), most=6))
    game_page.reach(look(ada, game)["step"])
    _compare(at_home, fresh, site, game)
    for player in players[: len(game["seats"])]:
        if look(player, game)["status"] == "playing":
            say(player, game, {"type": "game/resign"})
    expect(at_home.locator(".banner")).to_be_visible()
    _compare(at_home, fresh, site, game)


def _compare(page: Page, fresh: Page, site: Service, game: Game) -> None:
    """The parts that tell of the game, here and on the page opened now: the same once they have come."""
    fresh.goto(f"{site.url}/games/{game['id']}")
    for part in ("heading", "table", "words", "about"):
        text = fresh.locator(f"[data-state={part}]").text_content() or ""
        expect(page.locator(f"[data-state={part}]")).to_have_text(text, use_inner_text=False)
