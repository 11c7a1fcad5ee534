"""Where was it lost: asked on the page, told under the strip, which is coloured by it; the loss, the line, a fork."""

import re

import msgspec
from playwright.sync_api import Page, expect

from tests.analysis.planted import planted
from tests.api.playing import Game, opened, say
from tests.api.serving import Player, Service

from .game_pages import GamePage, sign_in
from .looks import Checks

PLANTED = ("black_hole", "planted 3", 46)


def lost(player: Player) -> tuple[Game, int]:
    found = planted(*PLANTED)
    game = opened(player, found.key, seed=found.seed)
    assert say(player, game, [msgspec.to_builtins(command) for command in found.commands]).status_code == 200
    return game, found.lost_step


def test_a_lost_patience_tells_where_and_is_played_on_from_before(
    page: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game, step = lost(ada)
    sign_in(page.context, site, ada)
    shown, analysis = GamePage(page, site, game), page.locator(".analysis")
    analysis.get_by_role("button", name="Where was it lost?").click()
    expect(analysis).to_contain_text(re.compile(rf"lost at step {step}: The player moves"))
    expect(page.locator(".track .verdict-won, .track .verdict-impossible")).to_have_count(2)
    expect(page.get_by_role("list", name="What could still be won")).to_have_text("could be wonlost")
    analysis.get_by_role("button", name="Jump to the loss").click()
    shown.reach(step)
    expect(page.get_by_role("slider", name="Step")).to_have_attribute("aria-valuetext", re.compile(r"\d, lost"))
    analysis.get_by_text("Show me").click()
    shown.reach(step - 1)
    expect(page.get_by_role("slider", name="Step")).to_have_attribute("aria-valuetext", re.compile("could be won"))
    expect(analysis.locator("li").first).to_contain_text("The player moves")
    assert checks.wrong(page) == []
    GamePage(page, site, game)  # who comes later need not ask
    expect(analysis).to_contain_text(f"lost at step {step}:")
    expect(page.locator(".about")).to_contain_text(f"lost at step {step}:")
    analysis.get_by_role("button", name="Play on from the last good moment").click()
    page.wait_for_url(lambda url: game["id"] not in url)
    expect(page.locator(".about")).to_contain_text(f"from step {step - 1} of an earlier game")
    expect(page.locator(".analysis")).to_be_hidden()
