"""Every game type found is played on its page by clicks, and replayed there: the page shows what the API says.

Its table is whole on a phone, for who plays and for who looks on.
"""

from random import Random

import pytest
from playwright.sync_api import Page

from domain.games import GAME_TYPES
from tests.api.playing import Game, opened
from tests.api.serving import Player, Service

from .game_pages import GamePage, box_of, seen, sign_in

COMMANDS = 8


@pytest.mark.parametrize("key", sorted(GAME_TYPES))
def test_a_game_of_every_type_is_played_by_clicks_and_replayed(
    key: str, page: Page, site: Service, ada: Player
) -> None:
    page.emulate_media(reduced_motion="reduce")
    sign_in(page.context, site, ada)
    game = opened(ada, key, seed="by clicks", **_table(key))
    game_page = GamePage(page, site, game)
    _whole_on_a_phone(game_page)
    _play(game_page, ada, game, Random(key))
    game_page.resign()
    _replay(game_page, ada, game)


def _table(key: str) -> dict[str, object]:
    """One player holds every seat where there are several."""
    seats = GAME_TYPES[key].seats[0]
    return {"seats": seats, "hot_seat": True} if seats > 1 else {}


def _play(game_page: GamePage, ada: Player, game: Game, rng: Random) -> None:
    for _ in range(COMMANDS):
        if not game_page.can_go_on():
            return
        game_page.say_by_lot(rng)
        assert game_page.zones() == seen(ada, game, game_page.step, game_page.viewer)


def _replay(game_page: GamePage, ada: Player, game: Game) -> None:
    """At the first two steps, the middle and the last, through everybody's eyes, at two steps each."""
    last = game_page.step
    game_page.page.get_by_label("Seen by").locator("option[value=all]").wait_for(state="attached")
    viewers = [
        option.get_attribute("value") for option in game_page.page.get_by_label("Seen by").locator("option").all()
    ]
    assert {"spectator", "all", "seat-0"} <= set(viewers)
    steps = [0, last // 2, 1, last]
    for number, viewer in enumerate(viewers):
        game_page.look_as(str(viewer))
        for step in steps[:2] if number % 2 else steps[2:]:
            game_page.slide(step)
            assert game_page.zones() == seen(ada, game, step, str(viewer))
    game_page.look_as("spectator")
    game_page.slide(0)
    _whole_on_a_phone(game_page)


def _whole_on_a_phone(game_page: GamePage) -> None:
    wide = game_page.page.viewport_size
    assert wide is not None
    game_page.page.set_viewport_size({"width": 360, "height": 740})
    box = box_of(game_page.table)
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert game_page.page.evaluate("document.documentElement.scrollWidth") <= 360
    game_page.page.set_viewport_size(wide)
