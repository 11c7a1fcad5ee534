"""The page to keep, opened from the disk with the network off: it plays every game type and asks for nothing."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from domain.games import GAME_TYPES
from domain.play.frames import Frame
from tests.service.pictures.golden_views import GOLDEN, kept

FIRST = {key: next(name for name, (of, _) in GOLDEN.items() if of == key) for key in GAME_TYPES}
SHOWN = """() => [...document.querySelectorAll("#kibitz svg.table .zone")].flatMap((zone) =>
    [...zone.querySelectorAll(".zone-cards .card")].map((card) => [card.dataset.zone, card.dataset.card]))"""
PAINTED = """() => [...document.querySelectorAll("#kibitz .card:not([visibility]) use")].every((use) =>
    document.getElementById(use.getAttribute("href").slice(1)) && use.getBoundingClientRect().width > 1)"""
Open = Callable[[str, str], dict[str, tuple[Frame, ...]]]


@pytest.fixture
def open_file(page: Page, tmp_path: Path, requested: list[str]) -> Iterator[Open]:
    """Opens the page of a golden game at an address, offline."""
    page.context.set_offline(True)

    def opened(name: str, fragment: str = "") -> dict[str, tuple[Frame, ...]]:
        text, frames = kept(name)
        (tmp_path / "game.html").write_text(text, encoding="utf-8")
        page.goto((tmp_path / "game.html").as_uri() + fragment)
        page.wait_for_selector("#kibitz .controls")
        return frames

    yield opened
    assert all(url.startswith(("file:", "data:")) for url in requested)


def at(page: Page, step: int) -> None:
    expect(page.locator("#kibitz output.where")).to_have_text(re.compile(f"^{step} /"))


def cards(frame: Frame) -> list[list[str]]:
    assert frame.view is not None
    return [[zone.id, card] for zone in frame.view.zones for card in [*["#"] * zone.face_down, *zone.cards]]


@pytest.mark.parametrize("key", GAME_TYPES)
def test_the_cards_of_every_game_type_are_those_of_its_frames_from_the_first_to_the_last(
    page: Page, open_file: Open, key: str
) -> None:
    """It is opened on a phone in the dark, where nothing may be wider than the screen."""
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme="dark")
    frames = open_file(FIRST[key], "#step=0&viewer=spectator")["spectator"]
    at(page, 0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    red, green, blue = page.evaluate(
        "getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number)"
    )
    assert max(red, green, blue) < 60
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light")
    for step in range(0, len(frames), max(len(frames) // 12, 1)):
        page.evaluate(f"location.hash = '#step={step}&viewer=spectator'")
        at(page, step)
        assert sorted(page.evaluate(SHOWN)) == sorted(cards(frames[step]))
        assert page.evaluate(PAINTED)
    page.keyboard.press("End")
    at(page, len(frames) - 1)
    assert sorted(page.evaluate(SHOWN)) == sorted(cards(frames[-1]))
    assert page.locator(".banner").inner_text()


def test_keys_buttons_slider_and_list_go_to_steps(page: Page, open_file: Open) -> None:
    open_file(FIRST["klondike"], "#step=3")
    at(page, 3)
    for key, step in (("ArrowRight", 4), ("ArrowLeft", 3), ("End", 116), ("Home", 0)):
        page.keyboard.press(key)
        at(page, step)
    page.get_by_role("button", name="Next step", exact=True).click()
    at(page, 1)
    page.get_by_role("slider", name="Step").fill("50")
    at(page, 50)
    expect(page.locator(".timeline path.whose-0")).to_have_attribute("d", re.compile(r"M114\.6 100V"))
    page.locator(".moves [data-step='52'] button").click()
    at(page, 52)
    expect(page).to_have_url(re.compile("step=52"))


def test_it_plays_by_itself_at_the_speed_that_is_chosen_and_stops(page: Page, open_file: Open) -> None:
    open_file(FIRST["klondike"], "#step=10")
    at(page, 10)
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#kibitz output.where")).not_to_have_text(re.compile("^1[0-2] /"))
    page.get_by_role("button", name="Pause", exact=True).click()
    where = page.locator("output.where").inner_text()
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")  # the page's timers ring in order, however late
    assert page.locator("output.where").inner_text() == where


def test_moments_are_jumped_to(page: Page, open_file: Open) -> None:
    open_file(FIRST["klondike"], "#step=5")
    at(page, 5)
    page.keyboard.press("[")
    at(page, 0)
    page.get_by_label("Moments").select_option("116")
    at(page, 116)


def test_a_seat_shows_what_it_saw_and_all_cards_what_was_hidden(page: Page, open_file: Open) -> None:
    frames = open_file(FIRST["spite_and_malice"], "#step=20&viewer=seat-1")
    at(page, 20)
    for viewer in ("seat-1", "all", "seat-0", "spectator"):
        page.get_by_label("Seen by").select_option(viewer)
        expect(page).to_have_url(re.compile(f"viewer={viewer}"))
        assert sorted(page.evaluate(SHOWN)) == sorted(cards(frames[viewer][20]))
    assert cards(frames["all"][20]) != cards(frames["seat-0"][20])


def test_the_table_is_set_as_one_likes_it_without_sounds(page: Page, open_file: Open) -> None:
    open_file(FIRST["klondike"], "#step=3")
    at(page, 3)
    before = page.locator("[data-zone-id=stock] .place").bounding_box()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Left-handed").check()
    page.locator("[data-setting=felt]").get_by_label("Green").check()
    assert page.locator("[data-setting]").count() == 5
    page.get_by_role("button", name="Done").click()
    after = page.locator("[data-zone-id=stock] .place").bounding_box()
    assert before
    assert after
    assert after["x"] > before["x"]
    assert page.evaluate("document.documentElement.dataset.felt") == "green"
