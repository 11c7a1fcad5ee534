"""Playing on the page: taps, drags, double taps, keys and buttons."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.api.playing import Game, legal, look, moves, opened
from tests.api.serving import Player, Service

from .game_pages import GamePage, frame_zones, moved, seen, sign_in

Command = dict[str, Any]


def _move(ada: Player, game: Game) -> tuple[Command, int, int]:
    """The first legal move of one card, where the card lies in its zone, and where the target's last card lies."""
    zones = frame_zones(look(ada, game))
    move = next(one for one in moves(ada, game) if "source" in one and "target" in one and "count" not in one)
    return move, len(zones[move["source"]]) - 1, len(zones[move["target"]]) - 1


def _place(shown: GamePage, zone: str, last: int) -> Any:
    """The last card of a zone, or its empty place."""
    return shown.page.locator(f'[data-place="{zone}"]') if last < 0 else shown.card(zone, last)


def test_a_card_is_moved_by_a_tap_on_it_and_a_tap_on_its_target(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "freecell", seed="tap tap")
    shown = GamePage(at_home, site, game)
    shown.ready()
    move, card, target = _move(ada, game)
    shown.card(move["source"], card).click()
    expect(shown.card(move["source"], card)).to_have_attribute("aria-pressed", "true")
    _place(shown, move["target"], target).click()
    moved(shown, ada, game)


def test_a_card_dropped_where_it_cannot_go_stays(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "klondike", seed="nowhere 3")
    shown = GamePage(at_home, site, game)
    shown.ready()
    move, card, _ = _move(ada, game)
    shown.card(move["source"], card).drag_to(shown.card("stock", 23))
    assert shown.told == "It cannot go there."
    assert look(ada, game)["step"] == 0


def test_a_double_tap_says_the_only_thing_that_a_card_can_do(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "golf", seed="double tap 2")
    shown = GamePage(at_home, site, game)
    shown.ready()
    move, card, _ = _move(ada, game)
    shown.card(move["source"], card).dblclick()
    moved(shown, ada, game)


def test_a_tap_on_the_stock_draws_and_the_button_does_too(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "klondike", seed="stock")
    shown = GamePage(at_home, site, game)
    shown.ready()
    shown.card("stock", 23).click()
    moved(shown, ada, game)
    assert len(frame_zones(look(ada, game))["waste"]) == 1
    shown.page.get_by_role("button", name="draw", exact=True).click()
    moved(shown, ada, game, 2)


def test_escape_takes_back_what_is_chosen(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "freecell", seed="escape")
    shown = GamePage(at_home, site, game)
    shown.ready()
    move, card, _ = _move(ada, game)
    shown.card(move["source"], card).click()
    shown.press("Escape")
    expect(shown.page.locator("[data-chosen]")).to_have_count(0)
    assert look(ada, game)["step"] == 0


def test_undo_is_a_button_and_says_what_stands_again(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "klondike", seed="undo")
    shown = GamePage(at_home, site, game)
    shown.ready()
    shown.page.locator('[data-say="klondike/draw"]').click()
    moved(shown, ada, game)
    shown.ready()
    shown.page.locator('[data-say="game/undo"]').click()
    moved(shown, ada, game, 2)
    assert "Step 0 stands again." in shown.told


def test_resigning_asks_first(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "golf", seed="resign")
    shown = GamePage(at_home, site, game)
    shown.ready()
    shown.page.locator('[data-say="game/resign"]').click()
    shown.page.get_by_role("button", name="No", exact=True).click()
    assert look(ada, game)["status"] == "playing"
    shown.resign()
    assert look(ada, game)["status"] == "finished"


def test_six_of_thirteen_cards_are_chosen_and_confirmed_on_a_phone(at_home: Page, site: Service, ada: Player) -> None:
    at_home.set_viewport_size({"width": 320, "height": 640})
    game = opened(ada, "bridge_solitaire", seed="a selection")
    shown = GamePage(at_home, site, game)
    shown.ready()
    for _ in range(6):
        assert not shown.page.locator(".choice-group .say").count()
        shown.page.locator(".strip button[aria-pressed=false]").first.click()
    shown.page.locator(".choice-group .say").click()
    moved(shown, ada, game)


def test_a_hot_seat_goes_from_seat_to_seat(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "spite_and_malice", seed="from seat to seat", seats=2, hot_seat=True)
    shown = GamePage(at_home, site, game)
    shown.ready()
    first = shown.viewer
    command = next(one for one in legal(ada, game) if one["type"].endswith("/discard"))
    zones = shown.zones()
    shown.card(command["source"], zones[command["source"]].index(command["card"])).click(position={"x": 4, "y": 4})
    shown.page.locator(f'[data-place="{command["target"]}"]').click()
    expect(shown.table).not_to_have_attribute("data-viewer", first)
    shown.ready()
    assert shown.zones() == seen(ada, game, shown.step, shown.viewer)


def test_who_has_no_seat_finds_nothing_lit_and_no_buttons(page: Page, site: Service, ada: Player, bob: Player) -> None:
    sign_in(page.context, site, bob)
    shown = GamePage(page, site, opened(ada, "klondike"))
    assert shown.page.locator("[data-lit], .panel button").count() == 0
