"""Comments on a replay's page: told at their step, marked on the strip, written and deleted where one stands."""

import re

from playwright.sync_api import Page, expect

from tests.api.holding import resign
from tests.api.playing import Game, of, opened, say
from tests.api.serving import Player, Service, registered

from .game_pages import GamePage, sign_in
from .looks import Checks


def over(player: Player) -> Game:
    game = opened(player, "klondike", seed="comments")
    say(player, game, [{"type": "klondike/draw"}] * 3)
    resign(player, game)
    return game


def test_a_comment_is_written_at_a_step_and_found_there_by_others(
    page: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game, bob = over(ada), registered(site, "Bob")
    version = ada.get(of(game, "/frames/1")).json()["version"]
    text = '<img src="x" onerror="document.title = 1">Look here'
    assert bob.post(of(game, "/comments"), {"version": version, "text": text}).status_code == 201
    sign_in(page.context, site, ada)
    game_page, talk = GamePage(page, site, game), page.get_by_role("region", name="Comments")
    slider, mark = page.get_by_role("slider", name="Step"), page.locator(".track .said")
    expect(mark).to_have_attribute("d", "M1 92h0")
    expect(talk.get_by_role("listitem")).to_have_count(0)
    page.get_by_role("button", name="Next step").click()
    game_page.reach(1)
    expect(talk.get_by_role("listitem")).to_contain_text(f"Bob: {text}")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("step 1 of .*, 1 comment"))
    expect(talk.get_by_role("button", name="Delete")).to_have_count(1)
    page.get_by_role("button", name="Next step").click()
    game_page.reach(2)
    expect(talk.get_by_role("listitem")).to_have_count(0)
    field = talk.get_by_role("textbox", name="Comment on step 2")
    field.click()
    page.keyboard.type("Too early [for me] ")
    assert game_page.step == 2, "whoever types does not leave the step"
    talk.get_by_role("button", name="Say it").click()
    expect(talk.get_by_role("listitem")).to_contain_text("Ada: Too early [for me]")
    expect(field).to_have_value("")
    expect(mark).to_have_attribute("d", "M1 92h0M2 92h0")
    assert checks.wrong(page) == []
    told = site.http.get(of(game, "/comments")).json()["comments"]
    assert [(one["step"], one["text"]) for one in told] == [(1, text), (2, "Too early [for me]")]
    talk.get_by_role("button", name="Delete").click()
    expect(talk.get_by_role("listitem")).to_have_count(0)
    expect(mark).to_have_attribute("d", "M1 92h0")
    assert len(site.http.get(of(game, "/comments")).json()["comments"]) == 1


def test_who_opened_the_game_deletes_what_others_say_of_it_and_nobody_else_does(
    page: Page, site: Service, ada: Player
) -> None:
    game, bob, cyd = over(ada), registered(site, "Bob"), registered(site, "Cyd")
    assert bob.post(of(game, "/comments"), {"version": 1, "text": "Dull"}).status_code == 201
    said = page.get_by_role("region", name="Comments").get_by_role("listitem")
    sign_in(page.context, site, cyd)
    GamePage(page, site, game)
    expect(said).to_have_text("Bob: Dull")
    page.context.clear_cookies()
    sign_in(page.context, site, ada)
    GamePage(page, site, game)
    said.get_by_role("button", name="Delete").click()
    expect(said).to_have_count(0)
    assert site.http.get(of(game, "/comments")).json()["comments"] == []


def test_a_stranger_reads_and_signs_in_to_write_and_a_live_game_has_none(
    page: Page, site: Service, ada: Player
) -> None:
    game = over(ada)
    assert ada.post(of(game, "/comments"), {"version": 1, "text": "A good deal"}).status_code == 201
    GamePage(page, site, game)
    talk = page.locator(".comments")
    expect(talk.get_by_role("listitem")).to_have_text("Ada: A good deal")
    expect(talk.get_by_role("link", name="Sign in to comment")).to_be_visible()
    expect(talk.get_by_role("textbox")).to_have_count(0)
    live = opened(ada, "klondike")
    GamePage(page, site, live)
    expect(talk).to_be_hidden()
    resign(ada, live)
    expect(talk).to_be_visible()
