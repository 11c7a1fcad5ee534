"""Playing on the page: taps, drags, double taps, keys and buttons."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.api.playing import Game, legal, look, moves, opened
from tests.api.serving import Player, Service

from .game_pages import GamePage, dealt, frame_zones, moved, seen, sign_in

Command = dict[str, Any]


def _move(ada: Player, game: Game) -> tuple[Command, int, int]:
    """The first legal move of one card, where the card lies in its zone, and where the target's last card lies."""
    zones = frame_zones(look(ada, game))
    move = next(
        candidate
        for candidate in moves(ada, game)
        if "source" in candidate and "target" in candidate and "count" not in candidate
    )
    return move, len(zones[move["source"]]) - 1, len(zones[move["target"]]) - 1


def _place(game_page: GamePage, zone: str, last: int) -> Any:
    """The last card of a zone, or its empty place."""
    return game_page.page.locator(f'[data-place="{zone}"]') if last < 0 else game_page.card(zone, last)


def test_a_card_is_moved_by_a_tap_on_it_and_a_tap_on_its_target(at_home: Page, site: Service, ada: Player) -> None:
    game_page, game = dealt(at_home, site, ada, "freecell", seed="tap tap")
    move, card, target = _move(ada, game)
    game_page.card(move["source"], card).click()
    expect(game_page.card(move["source"], card)).to_have_attribute("aria-pressed", "true")
    _place(game_page, move["target"], target).click()
    moved(game_page, ada, game)


def test_a_card_dropped_where_it_cannot_go_stays(at_home: Page, site: Service, ada: Player) -> None:
    game_page, game = dealt(at_home, site, ada, "klondike", seed="nowhere 3")
    move, card, _ = _move(ada, game)
    game_page.card(move["source"], card).drag_to(game_page.card("stock", 23))
    assert game_page.told == "It cannot go there."
    assert look(ada, game)["step"] == 0


def test_a_double_tap_says_the_only_thing_that_a_card_can_do(at_home: Page, site: Service, ada: Player) -> None:
    game_page, game = dealt(at_home, site, ada, "golf", seed="double tap 2")
    move, card, _ = _move(ada, game)
    game_page.card(move["source"], card).dblclick()
    moved(game_page, ada, game)


def test_a_tap_on_the_stock_draws_and_the_button_does_too(at_home: Page, site: Service, ada: Player) -> None:
    game_page, game = dealt(at_home, site, ada, "klondike", seed="stock")
    game_page.card("stock", 23).click()
    moved(game_page, ada, game)
    assert len(frame_zones(look(ada, game))["waste"]) == 1
    game_page.page.get_by_role("button", name="draw", exact=True).click()
    moved(game_page, ada, game, 2)


def test_escape_takes_back_what_is_chosen(at_home: Page, site: Service, ada: Player) -> None:
    game_page, game = dealt(at_home, site, ada, "freecell", seed="escape")
    move, card, _ = _move(ada, game)
    game_page.card(move["source"], card).click()
    game_page.press("Escape")
    expect(game_page.page.locator("[data-chosen]")).to_have_count(0)
    assert look(ada, game)["step"] == 0


def test_undo_is_a_button_and_says_what_stands_again(at_home: Page, site: Service, ada: Player) -> None:
    game_page, game = dealt(at_home, site, ada, "klondike", seed="undo")
    game_page.page.locator('[data-say="klondike/draw"]').click()
    moved(game_page, ada, game)
    game_page.ready()
    game_page.page.locator('[data-say="game/undo"]').click()
    moved(game_page, ada, game, 2)
    assert game_page.told == "Taken back: step 0 stands again."


def test_resigning_asks_first(at_home: Page, site: Service, ada: Player) -> None:
    game_page, game = dealt(at_home, site, ada, "golf", seed="resign")
    game_page.page.locator('[data-say="game/resign"]').click()
    game_page.page.get_by_role("button", name="No", exact=True).click()
    assert look(ada, game)["status"] == "playing"
    game_page.resign()
    assert look(ada, game)["status"] == "finished"


def test_six_of_thirteen_cards_are_chosen_and_confirmed_on_a_phone(at_home: Page, site: Service, ada: Player) -> None:
    at_home.set_viewport_size({"width": 320, "height": 640})
    game_page, game = dealt(at_home, site, ada, "bridge_solitaire", seed="a selection")
    for _ in range(6):
        assert not game_page.page.locator(".choice-group .say").count()
        game_page.page.locator(".strip button[aria-pressed=false]").first.click()
    game_page.page.locator(".choice-group .say").click()
    moved(game_page, ada, game)


def test_a_hot_seat_goes_from_seat_to_seat(at_home: Page, site: Service, ada: Player) -> None:
    game_page, game = dealt(at_home, site, ada, "spite_and_malice", seed="from seat to seat", seats=2, hot_seat=True)
    first = game_page.viewer
    command = next(candidate for candidate in legal(ada, game) if candidate["type"].endswith("/discard"))
    zones = game_page.zones()
    game_page.card(command["source"], zones[command["source"]].index(command["card"])).click(position={"x": 4, "y": 4})
    game_page.page.locator(f'[data-place="{command["target"]}"]').click()
    expect(game_page.table).not_to_have_attribute("data-viewer", first)
    game_page.ready()
    assert game_page.zones() == seen(ada, game, game_page.step, game_page.viewer)


def test_who_has_no_seat_finds_nothing_lit_and_no_buttons(page: Page, site: Service, ada: Player, bob: Player) -> None:
    sign_in(page.context, site, bob)
    game_page = GamePage(page, site, opened(ada, "klondike"))
    assert game_page.page.locator("[data-lit], .panel button").count() == 0
