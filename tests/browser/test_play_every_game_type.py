"""Every game type found is played on its page by clicks, and replayed there: the page shows what the API says.

Its table is whole on a phone, for who plays and for who looks on.
"""

from random import Random

import pytest
from playwright.sync_api import Page

from domain.games import GAME_TYPES
from tests.api.playing import Game, opened
from tests.api.serving import Player, Service

from .game_pages import GamePage, seen, sign_in

COMMANDS = 8


@pytest.mark.parametrize("key", sorted(GAME_TYPES))
def test_a_game_of_every_type_is_played_by_clicks_and_replayed(
    key: str, page: Page, site: Service, ada: Player
) -> None:
    page.emulate_media(reduced_motion="reduce")
    sign_in(page.context, site, ada)
    game = opened(ada, key, seed="by clicks", **_table(key))
    shown = GamePage(page, site, game)
    _whole_on_a_phone(shown)
    _play(shown, ada, game, Random(key))
    shown.resign()
    _replay(shown, ada, game)


def _table(key: str) -> dict[str, object]:
    """One player holds every seat where there are several."""
    seats = GAME_TYPES[key].seats[0]
    return {"seats": seats, "hot_seat": True} if seats > 1 else {}


def _play(shown: GamePage, ada: Player, game: Game, rng: Random) -> None:
    for _ in range(COMMANDS):
        if not shown.can_go_on():
            return
        shown.say_by_lot(rng)
        assert shown.zones() == seen(ada, game, shown.step, shown.viewer)


def _replay(shown: GamePage, ada: Player, game: Game) -> None:
    """From the first step to the last, through everybody's eyes."""
    last = shown.step
    shown.page.get_by_label("Seen by").locator("option[value=all]").wait_for(state="attached")
    viewers = [option.get_attribute("value") for option in shown.page.get_by_label("Seen by").locator("option").all()]
    assert {"spectator", "all", "seat-0"} <= set(viewers)
    for viewer in viewers:
        shown.look_as(str(viewer))
        for step in sorted({0, 1, last // 2, last}):
            shown.slide(step)
            assert shown.zones() == seen(ada, game, step, str(viewer))
    shown.look_as("spectator")
    shown.slide(0)
    _whole_on_a_phone(shown)


def _whole_on_a_phone(shown: GamePage) -> None:
    wide = shown.page.viewport_size
    assert wide is not None
    shown.page.set_viewport_size({"width": 360, "height": 740})
    box = shown.table.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 360
    shown.page.set_viewport_size(wide)
