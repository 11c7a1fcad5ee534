"""Tables that were laid by hand: what stands where, what is written on it, and that hands reach it."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from domain.games import GAME_TYPES
from tests.api.playing import look, moves, opened, play_on, say, seated
from tests.api.serving import Player, Service

from .game_pages import GamePage, box_of, moved

SIZES = ((1280, 800), (390, 844), (320, 568))
_SMALL = """() => [...document.querySelectorAll("svg.table :is(.zone-label, .table-count, .plate text, .board text)")]
    .filter((text) => text.textContent && getComputedStyle(text).visibility !== "hidden")
    .map((text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a])
    .filter(([, size]) => size < 10.9)"""
_NOTES = (
    """() => [...document.querySelectorAll("[data-zone-id^=play_] .table-count")].map((text) => text.textContent)"""
)
_WRITTEN = """(symbol) => [...document.querySelectorAll(`#card-${symbol} text`)].map((text) => text.textContent)"""


def left_of(game_page: GamePage, zone: str) -> float:
    return box_of(game_page.page.locator(f'[data-place="{zone}"]'))["x"]


def test_a_bulb_with_its_name_goes_between_the_patterns_that_ask_for_it(
    at_home: Page, site: Service, ada: Player
) -> None:
    game = opened(ada, "deck_the_yard", seed="bulbs")
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    assert left_of(game_page, "pattern_0") < left_of(game_page, "lineup") < left_of(game_page, "pattern_1")
    patterns = [card for zone in ("pattern_0", "pattern_1") for card in game_page.zones()[zone]]
    play = next(move for move in moves(ada, game) if move["type"] == "deck_the_yard/play_colour")
    [name] = at_home.evaluate(_WRITTEN, play["card"])
    assert name in ("Red", "Green", "Yellow", "Blue", "Purple", "Pink")
    assert any(name == at_home.evaluate(_WRITTEN, card)[0] for card in patterns)
    game_page.card("hand_0", game_page.zones()["hand_0"].index(play["card"])).click()
    at_home.locator('[data-place="lineup"]').click()
    moved(game_page, ada, game)
    assert game_page.zones()["lineup"] == [play["card"]]


@pytest.mark.parametrize("key", GAME_TYPES)
def test_what_is_written_on_a_table_can_be_read_at_every_size(
    at_home: Page, site: Service, ada: Player, bob: Player, cyd: Player, key: str
) -> None:
    game = opened(ada, key, seed="labels")
    game_page = GamePage(at_home, site, seated(game, *(bob, cyd)[: len(game["seats"]) - 1]))
    for width, height in SIZES:
        at_home.set_viewport_size({"width": width, "height": height})
        at_home.wait_for_function("() => document.querySelector('svg.table .felt')")
        game_page.page.wait_for_timeout(300)
        assert at_home.evaluate(_SMALL) == [], (width, height)
    at_home.set_viewport_size({"width": 1280, "height": 800})


def test_a_play_deck_says_what_it_takes_next(at_home: Page, site: Service, ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice", seed="takes"), bob)
    assert list(play_on([ada, bob], game, Random(1), most=9))
    game_page = GamePage(at_home, site, game)
    ranks = look(ada, game)["view"]["facts"]["next_ranks"]
    assert at_home.evaluate(_NOTES) == [f"takes {rank.replace('T', '10')} next" for rank in ranks]
    assert [left_of(game_page, f"discard_0_{pile}") for pile in range(4)] == sorted(
        left_of(game_page, f"discard_0_{pile}") for pile in range(4)
    )


@pytest.mark.parametrize("key", ["spider", "forty_thieves"])
def test_columns_use_the_height_of_a_phone(at_home: Page, site: Service, ada: Player, key: str) -> None:
    at_home.set_viewport_size({"width": 390, "height": 844})
    game_page = GamePage(at_home, site, opened(ada, key, seed="height"))
    first, second = (box_of(game_page.card("tableau_0", index)) for index in (2, 3))
    face_down = key == "spider"
    assert second["y"] - first["y"] > first["height"] * (0.35 if face_down else 0.75)
    at_home.set_viewport_size({"width": 1280, "height": 800})


def test_a_bid_is_a_tap_in_the_bidding_box(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "bridge_solitaire", seed="box")
    say(ada, game, next(move for move in moves(ada, game) if move["type"] == "bridge_solitaire/select"))
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    bids = [move for move in moves(ada, game) if move["type"] == "bridge_solitaire/bid"]
    box = at_home.locator(".bidding-box .bid")
    assert box.count() == len(bids)
    spades = [f"{bid['level']} ♠" for bid in bids if bid["strain"] == "S"]
    assert " ".join(at_home.locator(".bid-row", has_text="♠").inner_text().split()) == " ".join(spades)
    in_window = box_of(box.last)
    assert in_window["y"] + in_window["height"] <= 800
    box.first.click()
    moved(game_page, ada, game, 2)
    contract = look(ada, game)["view"]["facts"]["contract"]
    assert (contract["level"], contract["strain"]) == (bids[0]["level"], bids[0]["strain"])


_LEGEND = """() => [...document.querySelectorAll(".felt .plate")].map((table) => [...table.querySelectorAll("text")]
    .map((text) => [text.textContent, getComputedStyle(text).fill]))"""
_RED = "rgb(196, 18, 47)"


def test_calls_lie_on_the_table_and_the_hand_is_in_suits(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "bridge_solitaire", seed="box")
    say(ada, game, next(move for move in moves(ada, game) if move["type"] == "bridge_solitaire/select"))
    shown = GamePage(at_home, site, game)
    shown.ready()
    at_home.set_viewport_size({"width": 390, "height": 844})
    at_home.wait_for_timeout(300)
    last = box_of(at_home.locator(".bid").last)
    assert last["y"] + last["height"] <= 844
    at_home.set_viewport_size({"width": 1280, "height": 800})
    at_home.wait_for_timeout(300)
    [auction] = at_home.evaluate(_LEGEND)
    assert [text for text, _ in auction[:6]] == ["", "House", "You", "Calls", "3♠", ""]
    box, plate = (box_of(at_home.locator(part)) for part in (".bidding-box", ".felt .plate"))
    assert box["x"] + box["width"] <= plate["x"]
    at_home.locator('.bid[data-word="H"]').first.click()
    moved(shown, ada, game, 2)
    assert shown.zones()["hand_0"] == look(ada, game)["view"]["zones"][-1]["cards"]
    suits = [card[1] for card in shown.zones()["hand_0"]]
    assert sorted(suits, key="SHCD".index) == suits, suits
    [table] = at_home.evaluate(_LEGEND)
    facts = look(ada, game)["view"]["facts"]
    assert [text for text, _ in table[3:]] == [
        "Calls", "3♠", "4♥", "Contract", "", "4♥", "Tricks", str(facts["tricks_it"]), f"{facts['tricks_me']} of 10",
    ]  # fmt: skip
    assert [fill == _RED for _, fill in table[3:6]] == [False, False, True]
    for width, height in SIZES:
        at_home.set_viewport_size({"width": width, "height": height})
        at_home.wait_for_timeout(300)
        assert at_home.evaluate(_SMALL) == [], (width, height)
        hand, plate = box_of(shown.card("hand_0", 0)), box_of(at_home.locator(".felt .plate"))
        assert plate["y"] + plate["height"] <= hand["y"] < height


def test_the_lesson_points_at_the_bid_that_it_wants(page: Page, site: Service) -> None:
    page.goto(f"{site.url}/lessons/bridge_solitaire")
    page.get_by_role("button", name="Begin the lesson").click()
    page.get_by_role("button", name="Skip").click()
    aimed = page.locator(".bid.aimed")
    aimed.wait_for()
    assert aimed.all_inner_texts() == ["2\u2009♠"]
    lesson, bid, hand = (
        box_of(page.locator(part).first) for part in (".lesson", ".bidding-box", '[data-zone="hand_0"]')
    )
    assert lesson["y"] + lesson["height"] < bid["y"]
    assert bid["y"] + bid["height"] <= hand["y"]
    aimed.click()
    page.locator(".lesson-step", has_text="Step 3").wait_for()


def test_a_clock_is_turned_at_the_pile_that_comes_next_and_runs_at_a_speed(
    at_home: Page, site: Service, ada: Player
) -> None:
    game = opened(ada, "the_clock", seed="dial")
    shown = GamePage(at_home, site, game)
    shown.ready()
    for step, (width, height) in enumerate(SIZES, 1):
        at_home.set_viewport_size({"width": width, "height": height})
        at_home.wait_for_timeout(300)
        numerals = [table[0][0] for table in at_home.evaluate(_LEGEND)]
        assert numerals == [str(hour) for hour in range(1, 13)]
        assert at_home.evaluate(_SMALL) == [], (width, height)
        zone = look(ada, game)["view"]["facts"]["next_pile"]
        at_home.locator(f'[data-zone="{zone}"][data-lit]').click()
        moved(shown, ada, game, step)
    at_home.set_viewport_size({"width": 1280, "height": 800})
    shown.ready()
    at_home.keyboard.press("-")
    expect(at_home.locator(".pace")).to_have_value("0.5")
    at_home.keyboard.press("p")
    at_home.get_by_role("button", name="Pause", exact=True).wait_for()
    shown.reach(4)
    at_home.keyboard.press("+")
    shown.reach_at_least(5)
    at_home.keyboard.press("p")
    at_home.get_by_role("button", name="Let it run").wait_for()
    shown.ready()
    stands = shown.step
    at_home.wait_for_timeout(1500)
    assert look(ada, game)["step"] == shown.step == stands
    at_home.locator(".pace").select_option("At once")
    at_home.get_by_role("button", name="Let it run").click()
    shown.reach(stands + 1)
    assert look(ada, game)["status"] == "finished"
