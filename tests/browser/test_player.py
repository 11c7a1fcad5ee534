"""The replay player: steps, speed, moments, eyes, keys and addresses, on finished games."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.api.playing import Game, moves, opened, say
from tests.api.serving import Player, Service

from .game_pages import GamePage, seen


@pytest.fixture(scope="module")
def drawn(ada: Player) -> Game:
    """A finished Klondike: nine draws, one of them taken back, and a resignation. Its last step is 11."""
    game = opened(ada, seed="a few draws")
    draw, undo, resign = ({"type": name} for name in ("klondike/draw", "game/undo", "game/resign"))
    answer = say(ada, game, [*[draw] * 5, undo, *[draw] * 4, resign])
    assert answer.json()["accepted"] == 11, answer.text
    return game


@pytest.fixture
def shown(page: Page, site: Service, drawn: Game) -> GamePage:
    return GamePage(page, site, drawn)


def test_a_finished_game_is_shown_from_its_first_step_on(shown: GamePage) -> None:
    assert (shown.step, shown.over) == (0, False)


def test_buttons_step_through_the_game(shown: GamePage, ada: Player) -> None:
    controls = shown.page.locator(".controls")
    for name, step in (("Next step", 1), ("Next step", 2), ("Previous step", 1), ("Last step", 11), ("First step", 0)):
        controls.get_by_role("button", name=name, exact=True).click()
        shown.reach(step)
        assert shown.zones() == seen(ada, shown.game, step, "spectator")


def test_keys_step_through_the_game(shown: GamePage, ada: Player) -> None:
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 11), ("Home", 0)):
        shown.press(key)
        shown.reach(step)
        assert shown.zones() == seen(ada, shown.game, step, "spectator")


def test_the_ending_is_told_at_the_last_step_alone(shown: GamePage) -> None:
    shown.press("End")
    shown.reach(11)
    assert shown.page.locator(".banner").inner_text().startswith("Lost (given up)")
    shown.press("ArrowLeft")
    shown.reach(10)
    assert not shown.over


def test_it_plays_at_sixteen_times_the_speed_to_the_end_and_stops(shown: GamePage) -> None:
    shown.page.get_by_label("Speed").select_option("16")
    shown.page.get_by_role("button", name="Play", exact=True).click()
    shown.reach(11)
    expect(shown.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_space_plays_and_pauses_and_plus_and_minus_set_the_speed(shown: GamePage) -> None:
    shown.press("+")
    shown.press("+")
    assert shown.page.get_by_label("Speed").input_value() == "4"
    shown.press("-")
    assert shown.page.get_by_label("Speed").input_value() == "2"
    shown.press("Space")
    shown.reach_at_least(1)
    shown.press("Space")
    expect(shown.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_an_undo_says_which_step_stands_again(shown: GamePage) -> None:
    shown.slide(6)
    assert "step 4 stands again." in shown.told


def test_moments_are_jumped_to_by_keys_and_by_the_list(shown: GamePage) -> None:
    moments = shown.page.locator(".moments option:not([value=''])")
    moments.first.wait_for(state="attached")
    steps = [int(str(option.get_attribute("value"))) for option in moments.all()]
    assert {6, 11} <= set(steps), "the undo and the ending"
    later = [step for step in steps if step > 0]
    shown.press("]")
    shown.reach(later[0])
    shown.press("End")
    shown.press("[")
    shown.reach(steps[-2])
    shown.page.get_by_label("Moments").select_option("6")
    shown.reach(6)


def test_a_click_in_the_list_of_moves_goes_there_and_marks_it(shown: GamePage) -> None:
    shown.page.locator(".moves [data-step='3'] button").click()
    shown.reach(3)
    expect(shown.page.locator(".moves [aria-current]")).to_have_text(re.compile(r"^3"))


def test_the_sentences_of_the_step_are_in_a_live_region(shown: GamePage) -> None:
    shown.press("ArrowRight")
    shown.reach(1)
    assert "The player draws" in shown.told
    assert shown.page.locator(".told").get_attribute("aria-live") == "polite"


def test_the_address_keeps_step_and_viewer_and_is_obeyed(shown: GamePage, site: Service, drawn: Game) -> None:
    shown.look_as("all")
    shown.slide(7)
    shown.page.wait_for_url(re.compile(r"#step=7&viewer=all$"))
    again = GamePage(shown.page, site, drawn, "?again#step=4&viewer=seat-0")
    assert (again.step, again.viewer) == (4, "seat-0")
    again.page.evaluate("location.hash = '#step=9&viewer=all'")
    again.reach(9)
    assert again.viewer == "all"


def test_the_link_to_a_step_is_copied(shown: GamePage) -> None:
    shown.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown.slide(5)
    shown.page.get_by_role("button", name="Copy link").click()
    shown.page.get_by_text("The link to this step is copied.").wait_for()
    link = shown.page.evaluate("navigator.clipboard.readText()")
    assert link == f"{shown.site.url}/games/{shown.game['id']}#step=5&viewer=spectator"


def test_the_question_mark_shows_the_keys(shown: GamePage) -> None:
    shown.press("?")
    expect(shown.page.get_by_role("dialog", name="Keys")).to_be_visible()
    shown.press("ArrowRight")
    shown.press("Escape")
    expect(shown.page.get_by_role("dialog", name="Keys")).to_be_hidden()
    assert shown.step == 0


def test_cards_glide_from_zone_to_zone_unless_less_motion_is_wished(shown: GamePage) -> None:
    shown.page.evaluate(_COUNT_FLIGHTS)
    shown.press("ArrowRight")
    shown.reach(1)
    assert shown.page.evaluate("window.flights") == 1
    shown.page.emulate_media(reduced_motion="reduce")
    shown.press("ArrowRight")
    shown.reach(2)
    assert shown.page.evaluate("window.flights") == 1


_COUNT_FLIGHTS = """() => {
    window.flights = 0;
    const count = (changes) => changes.forEach((change) => { window.flights += change.addedNodes.length; });
    new MutationObserver(count).observe(document.querySelector("svg.table .flights"), { childList: true });
}"""


def test_a_game_that_may_not_be_seen_says_so(page: Page, site: Service, ada: Player, forgiven: list[str]) -> None:
    forgiven.append("status of 404")
    game = opened(ada, "golf", visibility="private")
    answer = page.goto(f"{site.url}/games/{game['id']}")
    assert answer is not None
    assert answer.status == 404


def test_the_solo_game_can_be_replayed_while_it_is_played(page: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "golf", seed="still open")
    say(ada, game, moves(ada, game)[0])
    shown = GamePage(page, site, game)
    assert shown.step == 1
    shown.press("ArrowLeft")
    shown.reach(0)
    assert shown.zones() == seen(ada, game, 0, "spectator")
