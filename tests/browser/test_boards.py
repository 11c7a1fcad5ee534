"""Boards among a game's facts are drawn; what is told of a game before it begins; names as they are written."""

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from domain.games import GAME_TYPES
from tests.api.browsing import caught_up
from tests.api.playing import Game, legal, look, of, opened, say
from tests.api.serving import Player, Service, registered

from .client import MODULES, give_modules
from .game_pages import GamePage, box_of, dealt, sign_in
from .looks import Checks
from .test_weight import FORMS


def _built(ada: Player) -> Game:
    """A game of Decs Building in which somebody has drawn something."""
    game, rng = opened(ada, "decs_building", seed="boards", seats=2, hot_seat=True), Random(3)
    while not any(len(seat["features"]) > 1 for seat in look(ada, game)["view"]["facts"]["seats"]):
        seat = look(ada, game)["view"]["to_act"][0]
        commands = [entry for entry in legal(ada, game, seat) if not entry["type"].startswith("game/")]
        placing = [entry for entry in commands if "place" in entry["type"] or "draw" in entry["type"]]
        assert say(ada, game, rng.choice(placing or commands), params={"seat": seat}).status_code == 200
    return game


def test_buildings_are_drawn_as_the_facts_tell_them(at_home: Page, site: Service, ada: Player) -> None:
    game = _built(ada)
    GamePage(at_home, site, game)
    figures = at_home.locator(".boards figure")
    expect(figures).to_have_count(2)
    for seat, facts in enumerate(look(ada, game)["view"]["facts"]["seats"]):
        signs = figures.nth(seat).locator("svg text").all_text_contents()
        assert signs == [sign.replace(".", "") for row in facts["grid"] for sign in row]
        assert figures.nth(seat).locator("rect.board-part").count() == sum(
            len(entry["cells"]) for entry in facts["features"]
        )
        expect(figures.nth(seat)).to_contain_text(f"score {facts['score']}")
    assert ".." not in at_home.locator(".fact-list").inner_text()


def test_what_can_be_had_lies_on_plates_with_its_price_and_is_had_by_plate_and_cards(
    at_home: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game, rng, buys = opened(ada, "decs_building", seed="plates", seats=2, hot_seat=True), Random(5), list[Game]()
    while len(buys) < 3:
        seat = look(ada, game)["view"]["to_act"][0]
        listed = [entry for entry in legal(ada, game, seat) if not entry["type"].startswith("game/")]
        buys = [entry for entry in listed if entry.get("space") in ("small_star", "snowflake")]
        if len(buys) < 3:
            assert say(ada, game, rng.choice(listed), params={"seat": seat}).status_code == 200
    game_page, plates = GamePage(at_home, site, game), at_home.locator(".offers .offer")
    game_page.ready()
    open_now = {
        " ".join(filter(None, (entry["space"], entry.get("alternative")))) for entry in listed if "space" in entry
    }
    assert (
        set(plates.and_(at_home.locator(":enabled")).evaluate_all("(all) => all.map((one) => one.dataset.offer)"))
        == open_now
    )
    expect(plates).to_have_count(21)
    expect(at_home.locator("[data-offer=reindeer]")).to_have_accessible_name(
        re.compile("^Reindeer a king a club a spade and a pawn 70 points needs 1 more king")
    )
    assert checks.wrong(at_home) == []
    first, rest = (at_home.get_by_role("group", name=name, exact=True) for name in _GROUPS)
    expect(first.locator(".offer")).to_have_count(len(open_now))
    hand = next(zone["cards"] for zone in look(ada, game)["view"]["zones"] if zone["id"] == f"hand_{seat}")
    for offer, suit, word in (("large_angel", "H", "heart"), ("candy_cane", "C", "club")):
        lack = 2 - sum(card[0] in "A*" or (card[1] == suit and card[0] not in "JQK") for card in hand)
        if lack > 0:
            text = f"needs {lack} more {word}{'s' if lack > 1 else ''}"
            expect(rest.locator(f"[data-offer={offer}] .missing")).to_have_text(text)
    ways = [entry["payment"] for entry in buys if entry["space"] == _longest(buys)]
    plate = first.locator(f"[data-offer='{_longest(buys)}']")
    plate.click()
    expect(plate).to_have_attribute("aria-pressed", "true")
    chosen = at_home.locator(f"[data-zone='hand_{seat}'][data-chosen]")
    paid = sorted(chosen.evaluate_all("(all) => all.map((card) => card.dataset.card)"))
    assert paid in [sorted(way) for way in ways]
    other = next(way for way in ways if sorted(way) != paid and len(set(way) - set(paid)) == 1)
    [instead] = set(other) - set(paid)
    at_home.locator(f"[data-zone='hand_{seat}'][data-card='{instead}']").click(position={"x": 4, "y": 4})
    expect(at_home.locator(f"[data-zone='hand_{seat}'][data-card='{instead}'][data-chosen]")).to_have_count(1)
    expect(chosen).to_have_count(len(paid))
    name = plate.locator("strong").inner_text()
    at_home.locator(".panel .say").filter(has_text=name).first.click()
    expect(at_home.locator(".told")).to_contain_text(f"takes {name} and pays")
    expect(at_home.get_by_role("heading", name="Press the dot where it shall go")).to_be_visible()


_GROUPS = ("You can take now", "What else can be had")


def _longest(buys: list[Game]) -> str:
    """The space with most ways to pay."""
    spaces = [entry["space"] for entry in buys]
    return max(spaces, key=spaces.count)


def test_a_short_board_has_its_parts_where_its_rows_are(at_home: Page, site: Service, ada: Player) -> None:
    give_modules(at_home)
    at_home.goto(f"{site.url}/")
    drawn = """async (modules) => {
        const { boardsOf } = await import(modules);
        const parts = [{ feature: "santa", cells: [[7, 1]], works: false }];
        const seat = { grid: ["........", "A.......", "........"], score: 1, parts };
        const figures = boardsOf({ zones: [], facts: { seats: [seat] } }, { players: ["Ada"] }, {});
        return figures.map((one) => [...one.querySelectorAll(".board-part")].map((part) => part.textContent)).flat();
    }"""
    assert at_home.evaluate(drawn, MODULES) == ["row 7, column 1: santa, works: no"]


def test_before_it_begins_a_game_says_what_it_waits_for(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "klondike", await_seeds=True)
    caught_up(site)
    at_home.goto(f"{site.url}/")
    listed = at_home.locator(f"section:has(#own) li:has(a[href='/games/{game['id']}'])")
    expect(listed).to_contain_text("waits for its player's own seed")
    at_home.goto(f"{site.url}/games/{game['id']}")
    expect(at_home.locator(".heading")).to_contain_text("Waits for its player's own seed.")
    at_home.get_by_label("Your own seed for the deal").fill("thirteen")
    at_home.get_by_role("button", name="Give the seed").click()
    at_home.wait_for_function("() => document.querySelector('svg.table [data-card]')")
    assert look(ada, game)["status"] == "playing"


def test_a_board_game_speaks_of_no_cards_before_it_begins(
    at_home: Page, site: Service, ada: Player, bob: Player
) -> None:
    game = opened(ada, "megiddo", seats=2)
    assert bob.post(of(game, "/join"), {}).status_code == 200
    at_home.goto(f"{site.url}/games/{game['id']}#step=0&viewer=spectator")
    expect(at_home.locator(".status")).to_have_text("The game has not begun yet.")


def test_names_stand_as_they_are_written(page: Page, site: Service) -> None:
    small, tall = registered(site, "zoe_the_Small"), registered(site, "BIG Tall")
    sign_in(page.context, site, small)
    game = opened(small, "spite_and_malice", seats=2)
    assert tall.post(of(game, "/join"), {}).status_code == 200
    page.goto(f"{site.url}/games/{game['id']}")
    expect(page.locator(".about")).to_contain_text("Kings are wild")
    assert say(tall, game, {"type": "game/resign"}, params={"seat": 1}).status_code == 200
    page.reload()
    expect(page.locator(".heading .outcome")).to_have_text("You won against BIG Tall (given up).")


def test_type_is_larger_on_a_narrow_screen_and_change_with_it(at_home: Page, site: Service, ada: Player) -> None:
    game_page, _ = dealt(at_home, site, ada, "klondike", seed="narrow")
    at_home.locator("svg.table .card[data-lit]").first.wait_for()
    size = at_home.locator("svg.table .zone-count text").first
    assert size.get_attribute("font-size") == "17"
    at_home.set_viewport_size({"width": 390, "height": 800})
    expect(size).not_to_have_attribute("font-size", "17")
    assert float(size.get_attribute("font-size") or 0) > 20
    assert at_home.locator("svg.table .card[data-lit]:not([role=button])").count() == 0
    assert game_page.zones()["stock"]


@pytest.mark.parametrize("game_type", ["klondike", "freecell", "canfield", "golf", "pyramid", "black_hole"])
def test_cards_of_eight_columns_and_fewer_are_a_finger_wide_on_a_phone(
    game_type: str, at_home: Page, site: Service, ada: Player
) -> None:
    at_home.set_viewport_size({"width": 390, "height": 844})
    dealt(at_home, site, ada, game_type)
    box = box_of(at_home.locator("svg.table [data-card] rect").first)
    assert box["width"] >= 44
    assert at_home.evaluate("document.documentElement.scrollWidth") == 390
    prints = "[...document.querySelectorAll('#card-7S > g > g')].map((part) => getComputedStyle(part).display)"
    small = box["width"] * 0.21 < 11  # a rank with pips would be lower than letters may be
    assert at_home.evaluate(prints) == (["none", "inline"] if small else ["inline", "none"])
    at_home.set_viewport_size({"width": 1280, "height": 844})
    at_home.wait_for_function(f"{prints}.join() === 'inline,none'")


_PLACES = """() => {
    const felt = document.querySelector("svg.table").getBoundingClientRect();
    const all = [...document.querySelectorAll("svg.table :is(.zone-place, .zone-cards .card, .felt > :not(text))")]
        .map((node) => node.getBoundingClientRect()).filter(({ width, height }) => width && height);
    const least = (of) => Math.min(...all.map(of));
    return [
        least((box) => box.left) - felt.left, felt.right + least((box) => -box.right),
        least((box) => box.top) - felt.top, felt.bottom + least((box) => -box.bottom),
        felt.height / innerHeight, felt.bottom - innerHeight,
    ];
}"""


@pytest.mark.parametrize("name", sorted(FORMS))
def test_a_board_lies_in_the_middle_of_its_felt_and_is_as_large_as_fits(
    name: str, at_home: Page, site: Service, ada: Player
) -> None:
    form = FORMS[name]
    seats = GAME_TYPES[form["game_type"]].seats[0]
    game = opened(ada, seed="centre", **form, **({"seats": seats, "hot_seat": True} if seats > 1 else {}))
    GamePage(at_home, site, game).ready()
    for width, height in ((1440, 900), (1280, 720), (390, 844), (844, 390)):
        at_home.set_viewport_size({"width": width, "height": height})
        at_home.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        left, right, top, bottom, share, below = gaps = at_home.evaluate(_PLACES)
        assert abs(left - right) <= 2, (width, height, gaps)
        assert min(left + right, 2 * top, 2 * bottom) <= 0.04 * min(width, height), (width, height, gaps)
        assert bottom > -2, (width, height, gaps)
        assert share >= 0.55, (width, height, gaps)
        assert below < 0, (width, height, gaps)


_IN_BAR = """(texts) => {
    const bar = document.querySelector(".bar").getBoundingClientRect();
    const chips = [...document.querySelectorAll(".bar .chip")];
    return texts.every((text) => chips.some((chip) => {
        const box = chip.getBoundingClientRect();
        return chip.textContent.includes(text)
            && bar.left <= box.left && box.right <= bar.right && box.bottom <= bar.bottom;
    }));
}"""
"""Measured at one moment, for type that comes late moves chips: whether all of these lie in the bar in full."""


@pytest.mark.parametrize("width", [390, 1280])
def test_contract_and_tricks_stand_beside_the_table_and_the_sheet_is_no_list(
    width: int, at_home: Page, site: Service, ada: Player
) -> None:
    game, rng = opened(ada, "bridge_solitaire", seed="chips"), Random(1)
    while look(ada, game)["view"]["facts"]["contract"] is None:
        commands = [entry for entry in legal(ada, game) if entry["type"] != "game/resign"]
        assert say(ada, game, rng.choice(commands)).status_code == 200
    at_home.set_viewport_size({"width": width, "height": 844})
    GamePage(at_home, site, game).ready()
    at_home.wait_for_function(_IN_BAR, arg=["Contract ", "Player's tricks 0", "House's tricks 0"])
    expect(at_home.locator(".fact-list dt")).to_have_count(0)
