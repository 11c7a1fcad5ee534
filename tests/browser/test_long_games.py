"""Games of many steps on their page: fetched in parts, and few of them kept."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.api.playing import Game, opened, say
from tests.api.serving import Player, Service

from .game_pages import GamePage, seen

LONG = 700
"""Steps of the long game: some pages of frames."""


@pytest.fixture(scope="module")
def long_game(ada: Player) -> Game:
    """Draws round and round the stock, then a resignation."""
    game = opened(ada, seed="a long game")
    turn = [{"type": "klondike/draw"}] * 24 + [{"type": "klondike/recycle"}]
    commands = (turn * (LONG // 25))[: LONG - 1]
    for first in range(0, len(commands), 350):
        part = commands[first : first + 350]
        assert say(ada, game, part).json()["accepted"] == len(part)
    say(ada, game, {"type": "game/resign"})
    return game


def test_a_link_into_a_long_game_fetches_what_lies_around_it(page: Page, site: Service, long_game: Game) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/frames" in request.url else None)
    shown = GamePage(page, site, long_game, "#step=433")
    expect(page.locator(".moves [aria-current]")).to_have_text(re.compile(r"^433"))
    ranges = [tuple(map(int, found.groups())) for url in asked if (found := re.search(r"first=(\d+)&last=(\d+)", url))]
    assert sum(last - first + 1 for first, last in ranges) <= 400
    assert shown.step == 433


def test_a_long_game_is_the_same_from_end_to_end_and_keeps_few_frames(
    page: Page, site: Service, ada: Player, long_game: Game
) -> None:
    shown = GamePage(page, site, long_game)
    for step in (LONG, 1, 399, 400, LONG - 1, 0):
        shown.slide(step)
        assert shown.zones() == seen(ada, long_game, step, "spectator")
    assert page.locator(".moves li").count() < 130
