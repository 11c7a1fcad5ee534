"""A first lesson by hand: what it asks for lights up, other moves are answered kindly, one comes back where one was."""

import re

from playwright.sync_api import Page, expect

from service.web.lessons import lesson_of
from tests.api.serving import Service

from .looks import Checks

_ALONE = (
    "(cards) => [...document.querySelectorAll('.card[data-lit]')].map(({ dataset }) => dataset.card).join() === cards"
)


def test_a_patience_is_learned_on_a_phone_with_taps(phone: Page, site: Service, checks: Checks) -> None:
    steps = lesson_of("klondike").steps
    phone.goto(site.url)
    phone.locator("summary[aria-label$='more of Klondike']").tap()
    phone.get_by_role("link", name="Learn Klondike").tap()
    assert checks.wrong(phone) == []
    phone.get_by_role("button", name="Begin the lesson").tap()
    words = phone.locator(".lesson-words")
    expect(words).to_have_text(steps[0].say)
    phone.wait_for_function(_ALONE, arg="9D,8C")
    assert checks.wrong(phone) == []
    phone.locator('.panel [data-say="klondike/draw"]').tap()
    expect(words).to_contain_text("A good move, too")
    phone.get_by_role("button", name="Take it back").tap()
    expect(words).to_have_text(steps[0].say)
    _tap(phone, "8C", "9D")
    expect(words).to_have_text(steps[1].say)
    expect(phone.locator("[data-look]")).to_have_attribute("data-zone-id", "foundation_diamonds")
    phone.get_by_role("button", name="Show me").tap()
    expect(words).to_have_text(steps[2].say)
    phone.get_by_role("button", name="Undo").tap()
    expect(words).to_have_text(steps[1].say)
    phone.reload()
    expect(words).to_have_text(steps[1].say)
    for step in steps[2:]:
        phone.get_by_role("button", name="Skip", exact=True).tap()
        expect(words).to_have_text(step.say)
    _tap(phone, "KS", None)
    expect(phone.locator(".lesson-step")).to_have_text("The end of the lesson")
    expect(phone.locator(".lesson").get_by_role("button", name="Play now")).to_be_visible()
    expect(phone.locator(".lesson").get_by_role("link", name="FreeCell")).to_be_visible()
    phone.get_by_role("button", name="Play on here").tap()
    expect(phone.locator(".lesson")).to_have_count(0)
    assert "lesson" not in phone.url


def test_a_game_of_two_is_learned_against_an_opponent_that_the_page_plays(page: Page, site: Service) -> None:
    steps = lesson_of("spite_and_malice").steps
    page.goto(f"{site.url}/lessons/spite_and_malice")
    page.get_by_role("button", name="Begin the lesson").click()
    words, table = page.locator(".lesson-words"), page.locator("svg.table")
    expect(words).to_have_text(steps[0].say)
    _click(page, "hand_0", "KH", "play_0")
    expect(page.locator(".told")).to_have_text("You may do that, too. Here the lesson shows another move.")
    _click(page, "hand_0", "AS", "play_0")
    expect(words).to_have_text(steps[1].say)
    for step in steps[2:5]:
        page.get_by_role("button", name="Skip", exact=True).click()
        expect(words).to_have_text(step.say)
    _click(page, "hand_0", "9D", "discard_0_0")
    expect(words).to_have_text(steps[5].say)
    expect(table).to_have_attribute("data-viewer", "seat-0")
    expect(page.locator('[data-zone-id="play_0"] [data-card]').last).to_have_attribute("data-card", "6H")
    page.get_by_role("button", name="Leave the lesson").click()
    expect(page.locator(".lesson")).to_have_count(0)
    _click(page, "hand_0", "9H", "discard_0_1")
    expect(table).to_have_attribute("data-viewer", re.compile("seat-1"))


def _tap(phone: Page, card: str, target: str | None) -> None:
    """Tap a card, then the one that it goes on or the empty column."""
    phone.wait_for_function("() => document.querySelectorAll('svg.table [data-lit]').length > 0")
    phone.locator(f'svg.table [data-card="{card}"]').tap(position={"x": 5, "y": 5})
    if target:
        phone.locator(f'svg.table [data-card="{target}"]').tap(position={"x": 5, "y": 5})
    else:
        phone.locator('svg.table [data-place^="tableau"][data-empty]').tap()


def _click(page: Page, zone: str, card: str, target: str) -> None:
    """Click a card of a zone, then the place or the pile that it goes to."""
    page.wait_for_function("() => document.querySelectorAll('svg.table [data-lit]').length > 0")
    page.locator(f'[data-zone-id="{zone}"] [data-card="{card}"]').click(position={"x": 5, "y": 5})
    page.locator(f'[data-place="{target}"]').click()
