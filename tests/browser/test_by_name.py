"""Whole games by accessible names and keys alone, as somebody plays who does not see the table."""

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.api.playing import look, opened
from tests.api.serving import Player, Service

from .game_pages import GamePage
from .looks import Checks

_BUTTON = re.compile(r'^\s*- button "((?:[^"\\]|\\.)*)"(.*?):?$', re.MULTILINE)
_ELSEWHERE = {"resign", "Take back", "No"}
_TOUCHES = 20


def _ways(part: Locator) -> list[tuple[Locator, str]]:
    """The buttons that the accessibility tree has in this part of the page, and what they are called."""
    names = [name for name, state in _BUTTON.findall(part.aria_snapshot()) if "[pressed]" not in state]
    return [
        (part.get_by_role("button", name=name, exact=True), name)
        for name in dict.fromkeys(names)
        if name not in _ELSEWHERE
    ]


def _say_by_name(shown: GamePage, rng: Random) -> str:
    """One command: buttons are found by role and name, focused and pressed by Enter. What the last one was called."""
    before = shown.table.get_attribute("data-version")
    board, actions = (shown.page.get_by_role("group", name=name, exact=True) for name in ("Board", "Actions"))
    for _ in range(_TOUCHES):
        ways = [*_ways(board), *_ways(actions)]
        if not ways:
            return ""
        way, name = rng.choice(ways)
        way.nth(rng.randrange(way.count())).focus()
        shown.press("Enter")
        shown.ready()
        if shown.over or shown.table.get_attribute("data-version") != before:
            return name
    raise AssertionError(f"{_TOUCHES} presses say nothing: {board.aria_snapshot()} {actions.aria_snapshot()}")


@pytest.mark.parametrize(
    ("key", "more"),
    [("golf", {}), ("black_hole", {})],
    ids=("golf", "black_hole"),
)
def test_a_whole_game_is_played_by_names_and_keys(
    key: str, more: dict[str, Any], at_home: Page, site: Service, ada: Player
) -> None:
    game, rng, said = opened(ada, key, seed="by name", **more), Random(key), 0
    shown = GamePage(at_home, site, game)
    shown.ready()
    while not shown.over and _say_by_name(shown, rng):
        said += 1
    now = look(ada, game)
    assert said > 10
    assert now["status"] == "finished" or now["view"]["stuck"]


def test_three_seats_play_fifteen_moves_by_names_and_keys(at_home: Page, site: Service, ada: Player) -> None:
    """A whole game by lot takes some hundred moves."""
    game, rng = opened(ada, "screaming_yoda", seed="by name", seats=3, hot_seat=True), Random(3)
    shown = GamePage(at_home, site, game)
    shown.ready()
    begun, said = look(ada, game)["step"], 0
    while said < 15 and not shown.over and _say_by_name(shown, rng):
        said += 1
    assert said == 15
    assert look(ada, game)["step"] >= begun + 15


def test_a_pile_is_one_button_with_its_number_and_a_run_face_down_one_image(
    at_home: Page, site: Service, ada: Player, checks: Checks
) -> None:
    shown = GamePage(at_home, site, opened(ada, "klondike", rated=False))
    shown.ready()
    board = at_home.get_by_role("group", name="Board", exact=True)
    stock = board.get_by_label(re.compile("^Stock"))
    heard = [line for line in board.aria_snapshot().splitlines() if "Stock" in line]
    assert [line.strip() for line in heard] == ['- button "Stock, 24 cards face down"']
    assert stock.count() >= 1
    last = board.get_by_role("group", name="Column 7", exact=True)
    expect(last.get_by_role("img", name="6 cards face down, Column 7", exact=True)).to_have_count(1)
    assert len([line for line in last.aria_snapshot().splitlines() if "Column 7" in line]) == 3
    expect(at_home.get_by_role("group", name="Tools", exact=True).get_by_role("button", name="Hint")).to_be_visible()
    board.get_by_role("button", name="Stock, 24 cards face down", exact=True).focus()
    shown.press("Enter")
    shown.reach(1)
    expect(board.get_by_role("button", name="Stock, 23 cards face down", exact=True)).to_have_count(1)
    assert checks.wrong(at_home) == []


def test_the_table_in_words_follows_the_game(at_home: Page, site: Service, ada: Player) -> None:
    shown = GamePage(at_home, site, opened(ada, "klondike", rated=False))
    shown.ready()
    at_home.get_by_text("The table in words").click()
    words = at_home.locator("[data-state=words]")
    expect(words).to_contain_text("Stock: 24 cards face down.")
    at_home.get_by_role("button", name="draw", exact=True).click()
    expect(words).to_contain_text("Stock: 23 cards face down.")
