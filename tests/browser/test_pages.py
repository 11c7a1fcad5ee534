"""The pages in a real browser: accessible in light and dark and on a phone, usable by keyboard and without script."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import BrowserContext, Dialog, Page, expect

from tests.api.browsing import caught_up
from tests.api.playing import Game, look, opened, play_on, seated
from tests.api.serving import Player, Service, registered

from .game_pages import box_of, sign_in
from .looks import SCHEMES, Checks, Scheme

STYLES = Path(__file__).parents[2] / "service" / "web" / "static"
_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{(?:[^{}]*\{[^{}]*\})*\s*\}")
_DECLARED = re.compile(r"([\w-]+):\s*([^;{}]+)[;}]")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LITERAL = re.compile(
    r"#[0-9a-f]{3,8}\b|(?:rgb|hsl|lab|lch)a?\(|font(?:-size)?:[^;}]*?\d+(?:r?em|px|pt)"
    r"|box-shadow: *[^;}]*?\d+(?:r?em|px)|[\d.]+m?s\b|(?<!-)(?:margin|padding|gap)[\w-]*:[^;}]*?\drem"
)
_PLACE = "\n:root { font:"
"""Where the look ends in base.css and the rules begin."""


@pytest.fixture(scope="module")
def games(site: Service, ada: Player, bob: Player) -> dict[str, Game]:
    """Games in every state, and the read models as far as they are."""
    rng = Random(4)
    live, over = opened(ada, "klondike"), opened(ada, "golf", options={"undo": False})
    rubber, company = opened(ada, "bridge_solitaire"), seated(opened(ada, "spite_and_malice"), bob)
    for game, players, most in ((live, [ada], 12), (over, [ada], 200), (rubber, [ada], 60), (company, [ada, bob], 20)):
        list(play_on(players, game, rng, most=most))
    assert look(ada, over)["status"] == "finished"
    made = {"live": live, "over": over, "rubber": rubber, "company": company}
    made["waiting"] = opened(bob, "screaming_yoda", seats=3)
    caught_up(site)
    return made


PLACES: dict[str, Callable[[dict[str, Game], Player], str]] = {
    "front": lambda games, player: "/",
    "sign in": lambda games, player: "/sign-in",
    "live game": lambda games, player: f"/games/{games['live']['id']}",
    "finished game": lambda games, player: f"/games/{games['over']['id']}#step=1",
    "waiting game": lambda games, player: f"/games/{games['waiting']['id']}",
    "game of two": lambda games, player: f"/games/{games['company']['id']}",
    "form": lambda games, player: "/games/new/spite_and_malice",
    "question": lambda games, player: "/deals/freecell",
    "player": lambda games, player: f"/players/{player.id}",
    "scoreboards": lambda games, player: "/scoreboards",
    "scoreboard": lambda games, player: "/scoreboards/golf",
    "rubber": lambda games, player: f"/rubbers/{games['rubber']['id']}",
    "rules": lambda games, player: "/game-types/bridge_solitaire",
    "rules for several": lambda games, player: "/game-types/spite_and_malice",
    "account": lambda games, player: "/account",
    "missing": lambda games, player: "/games/nothing",
}


def test_axe_finds_nothing_grave_and_nothing_scrolls_sideways(
    page: Page, site: Service, ada: Player, games: dict[str, Game], checks: Checks, forgiven: list[str]
) -> None:
    """For a stranger every page, for a player those that differ from theirs, and all that scripts draw."""
    forgiven.append("the server responded with a status of 404")
    faults: dict[str, list[str]] = {}
    for viewer in ("stranger", "player"):
        if viewer == "player":
            sign_in(page.context, site, ada)
        for name, place in PLACES.items():
            url = site.url + place(games, ada)
            if not checks.is_new(page.request.get(url).text()) and "game" not in name:
                continue
            page.goto(url)
            if "game" in name:
                page.wait_for_function("() => document.querySelector('svg.table')?.dataset.step")
            faults[f"{name}, {viewer}"] = checks.wrong(page)
    assert {name: wrong for name, wrong in faults.items() if wrong} == {}


def test_an_old_game_that_waits_for_you_is_the_first_on_the_front_page_and_on_your_own(
    page: Page, site: Service, bob: Player
) -> None:
    eve = registered(site, "Eve")
    sign_in(page.context, site, eve)
    game = seated(opened(eve, "megiddo", options={"first_seat": "seat_0"}), bob)
    for _ in range(7):
        opened(eve, "golf")
    caught_up(site)
    link = page.locator(f'a[href="/games/{game["id"]}"]')
    for path in ("/", f"/players/{eve.id}"):
        page.goto(site.url + path)
        expect(page.locator("ul.boards > li").first.filter(has=link)).to_contain_text("your turn")
    expect(page.locator("ul.games li", has=link)).to_contain_text("your turn")


def test_without_script_one_registers_opens_a_game_reads_the_table_and_signs_out(plain: Page, site: Service) -> None:
    plain.goto(site.url + "/sign-in")
    plain.get_by_label("What shall you be called?").fill("Grace")
    plain.get_by_role("button", name="Make a player").click()
    assert plain.locator(".secret").inner_text().startswith("kbz_")
    plain.get_by_role("link", name="I have kept it").click()
    plain.locator("summary[aria-label$='more of Klondike']").click()
    plain.get_by_role("link", name="All options of Klondike").click()
    plain.get_by_label("Draw").select_option("3")
    plain.get_by_role("button", name="Open the game").click()
    plain.wait_for_url("**/games/*-*")
    expect(plain.get_by_role("heading", name="Klondike", exact=True)).to_be_visible()
    plain.get_by_text("The table in words").click()
    expect(plain.locator(".spoken")).to_contain_text("Column 1:")
    plain.get_by_role("button", name="Sign out").click()
    expect(plain.get_by_role("link", name="Sign in", exact=True).first).to_be_visible()


def test_without_script_one_click_deals_to_a_guest_on_a_phone_whose_navigation_takes_one_line(
    plain: Page, site: Service
) -> None:
    plain.set_viewport_size({"width": 390, "height": 844})
    plain.goto(site.url)
    header = box_of(plain.locator("header.top"))
    assert header["height"] < 64
    plain.get_by_role("button", name="Play Klondike").click()
    plain.wait_for_url("**/games/*-*")
    expect(plain.get_by_role("heading", name="Klondike", exact=True)).to_be_visible()
    plain.get_by_text("Menu", exact=True).click()
    expect(plain.locator(".menu").get_by_text("Guest")).to_be_visible()


def test_what_is_planted_is_found(page: Page, site: Service) -> None:
    page.goto(site.url + "/sign-in")
    checks = Checks()
    assert checks.wrong(page) == []
    for part in ("main", "header.top"):
        page.evaluate(_PLANT, part)
        faults = checks.wrong(page)
        assert [fault.partition(": ")[0] for fault in faults if "button-name" in fault] == [
            "light, 1280 wide",
            "light, 360 wide",
        ]
        page.reload()
        assert checks.wrong(page) == []
    page.evaluate(_EMPTY)  # of a kind that was right with words
    assert ["button-name" in fault for fault in checks.wrong(page)] == [True, True]
    page.reload()
    page.evaluate(_DIM)
    assert {fault.split(": ")[0] for fault in Checks().wrong(page)} == {"dark, 1280 wide", "dark, 360 wide"}


_PLANT = "(part) => document.querySelector(part).append(document.createElement('button'))"
_EMPTY = "() => { document.querySelector('main button').textContent = ''; }"
_DIM = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("@media (prefers-color-scheme: dark) { h1 { color: #222222; } }");
    document.adoptedStyleSheets = [sheet];
}"""


def test_colours_sizes_shadows_and_times_stand_in_one_place_and_the_dark_changes_colours_alone() -> None:
    """`light-dark()` takes colours and nothing else; what reads none holds in the dark if in the light."""
    sheets = {path.name: _COMMENT.sub("", path.read_text()) for path in STYLES.glob("*.css")}
    drawn, around, (place, _, sheets["base.css"]) = (
        sheets.pop("cards.css"), sheets.pop("reference.css"), sheets["base.css"].partition(_PLACE),
    )  # fmt: skip
    literal = {(name, value) for name, text in sheets.items() for value in _LITERAL.findall(text)}
    assert literal == set()
    assert "prefers-color-scheme" not in "".join((around, place, *sheets.values()))
    assert "#" not in around
    assert len(_LITERAL.findall(place)) > 80
    sizes = [float(size) for size in re.findall(r"--text-\w+: ([\d.]+)rem", place)]
    assert len(sizes) <= 6
    assert min(sizes) * 16 >= 11
    assert {name for rules in _DARK.findall(drawn) for name, _ in _DECLARED.findall(rules)} == {
        "color",
        "fill",
        "stroke",
    }


@pytest.fixture
def dark_phone(context: BrowserContext) -> Page:
    """A page of a phone at night."""
    made = context.new_page()
    made.set_viewport_size({"width": 360, "height": 740})
    made.emulate_media(color_scheme="dark")
    return made


def test_the_first_tab_skips_to_the_page(dark_phone: Page, site: Service) -> None:
    dark_phone.goto(site.url)
    dark_phone.keyboard.press("Tab")
    skip = dark_phone.get_by_role("link", name="Skip to the page")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    dark_phone.keyboard.press("Enter")
    expect(dark_phone.locator("main")).to_be_focused()


def test_dark_is_dark_and_light_is_light(page: Page, site: Service) -> None:
    seen: dict[Scheme, int] = {}
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.goto(site.url)
        colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        seen[scheme] = sum(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
    assert seen["dark"] < 100
    assert seen["light"] > 700


def test_a_name_is_never_markup_and_a_token_never_in_the_address(dark_phone: Page, site: Service) -> None:
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    dark_phone.on("dialog", note)
    dark_phone.goto(site.url + "/sign-in")
    dark_phone.get_by_label("What shall you be called?").fill("<img src=x onerror=alert(1)>")
    dark_phone.get_by_role("button", name="Make a player").click()
    expect(dark_phone.get_by_role("heading", level=1)).to_contain_text("<img src=x onerror=alert(1)>")
    assert "kbz_" not in dark_phone.url
    dark_phone.get_by_text("Menu", exact=True).click()
    dark_phone.get_by_role("link", name="<img").first.click()
    expect(dark_phone.get_by_role("heading", level=1)).to_contain_text("<img")
    assert dialogs == []


def test_a_script_cannot_read_the_session(dark_phone: Page, site: Service, ada: Player) -> None:
    sign_in(dark_phone.context, site, ada)
    dark_phone.goto(site.url)
    dark_phone.get_by_text("Menu", exact=True).click()
    expect(dark_phone.get_by_role("button", name="Sign out")).to_be_visible()
    assert dark_phone.evaluate("document.cookie") == ""


def test_a_foreign_page_cannot_act_for_who_is_signed_in(dark_phone: Page, site: Service, ada: Player) -> None:
    sign_in(dark_phone.context, site, ada)
    caught_up(site)
    before = ada.get("/v1/games", params={"player_id": ada.id, "limit": 1}).json()["games"]
    form = f'<form method="post" action="{site.url}/games/new/golf"><button>Win a prize</button></form>'
    dark_phone.route("http://evil.example/", lambda route: route.fulfill(content_type="text/html", body=form))
    dark_phone.goto("http://evil.example/")
    dark_phone.get_by_role("button").click()
    expect(dark_phone.get_by_role("heading", level=1)).to_have_text("Not from here")
    caught_up(site)
    assert ada.get("/v1/games", params={"player_id": ada.id, "limit": 1}).json()["games"] == before


def test_the_proof_is_checked_on_the_page(dark_phone: Page, site: Service, games: dict[str, Game]) -> None:
    dark_phone.goto(f"{site.url}/games/{games['over']['id']}")
    dark_phone.get_by_role("button", name="Check it here").click()
    expect(dark_phone.locator("#proof .checks li").first).to_contain_text("Right")
    expect(dark_phone.locator("#proof .checks")).not_to_contain_text("Wrong")
