"""A replay's strip by mouse, finger and key: steps, moments, whose they were, how long they took; and long games."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.api import truth
from tests.api.playing import Game, of, opened, say, seated
from tests.api.serving import Player, Service, registered
from tests.api.test_table import reached

from .client import MODULES, give_modules
from .game_pages import GamePage, box_of, seen, sign_in
from .looks import Checks

DRAW, UNDO, RESIGN = ({"type": name} for name in ("klondike/draw", "game/undo", "game/resign"))
STEPS = 21


@pytest.fixture(scope="module")
def drawn(ada: Player) -> Game:
    """A finished Klondike: ten draws, one taken back, nine more, and a resignation. Its last step is 21."""
    game = opened(ada, seed="a strip")
    commands = [*[DRAW] * 10, UNDO, *[DRAW] * 9, RESIGN]
    assert say(ada, game, commands).json()["accepted"] == STEPS
    return game


def place_of(page: Page, step: int, steps: int = STEPS) -> tuple[float, float]:
    """Where in the window the strip has this step."""
    box = box_of(page.locator(".timeline svg"))
    return box["x"] + box["width"] * step / steps, box["y"] + box["height"] / 2


def test_the_strip_is_pointed_at_clicked_dragged_and_worked_by_keys(
    page: Page, site: Service, drawn: Game, checks: Checks
) -> None:
    game_page, slider = GamePage(page, site, drawn), page.get_by_role("slider", name="Step")
    page.mouse.move(*place_of(page, 11))
    expect(page.locator(".tip")).to_have_text(re.compile(r"^Step 11\b.*Taken back"))
    page.mouse.click(*place_of(page, 5))
    game_page.reach(5)
    expect(page.locator(".moves [aria-current]")).to_have_text(re.compile("^5"))
    page.mouse.down()
    page.mouse.move(*place_of(page, 9), steps=3)
    page.mouse.move(*place_of(page, 14), steps=3)
    page.mouse.up()
    game_page.reach(14)
    slider.press("ArrowRight")
    game_page.reach(15)
    slider.press("End")
    game_page.reach(STEPS)
    expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^step {STEPS} of {STEPS}: .*given up"))
    expect(page.locator(".tip")).to_have_text(re.compile(rf"^Step {STEPS}\b.*given up"))
    assert page.locator(".timeline path").count() < 10, "however long the game is"
    assert checks.wrong(page) == []


def test_a_finger_goes_along_the_strip_and_the_moves_are_in_a_drawer(page: Page, site: Service, drawn: Game) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    game_page = GamePage(page, site, drawn)
    track = box_of(page.locator(".track"))
    assert track["height"] >= 44
    protocol, x = page.context.new_cdp_session(page), place_of(page, 3)
    for kind, points in (("touchStart", [x]), ("touchMove", [place_of(page, 12)]), ("touchEnd", [])):
        touch = [{"x": across, "y": down} for across, down in points]
        protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touch})
    game_page.reach(12)
    moves = page.get_by_role("list", name="Moves")
    expect(moves).to_be_hidden()
    page.get_by_text("Moves and facts").click()
    expect(moves.locator("[aria-current]")).to_have_text(re.compile("^12"))
    page.get_by_label("Speed").select_option("As played")
    page.get_by_role("button", name="Play", exact=True).click()
    game_page.reach(STEPS)
    expect(moves.locator("[aria-current]")).to_have_text(re.compile(f"^{STEPS}"))


def test_steps_have_the_colour_and_the_name_of_who_made_them(
    page: Page, site: Service, ada: Player, bob: Player
) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    say(bob, game, RESIGN)
    GamePage(page, site, game)
    expect(page.get_by_role("list", name="Whose steps").get_by_role("listitem")).to_have_text(["Ada", "Bob"])
    last = int(page.get_by_role("slider", name="Step").get_attribute("max") or 0)
    page.mouse.move(*place_of(page, last, last))
    expect(page.locator(".tip")).to_have_text(re.compile(rf"^Step {last}, Bob\b"))
    bars = [page.locator(f".timeline path.whose-{colour}").get_attribute("d") or "" for colour in (0, 1)]
    assert [f"M{last - 0.4:g} " in bar for bar in bars] == [False, True]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 768)])
def test_strip_and_buttons_of_a_replay_are_in_the_window_however_long_the_names_are(
    page: Page, site: Service, ada: Player, width: int, height: int
) -> None:
    names = ("Maximiliane Wolkenstein", "Bartholomew Featherstone", "Wilhelmina Achterberg")
    others = [registered(site, name) for name in names]
    game = seated(opened(ada, "screaming_yoda", seats=4), *others)
    for player in (ada, *others[:2]):
        say(player, game, RESIGN)
    sign_in(page.context, site, ada)
    page.set_viewport_size({"width": width, "height": height})
    game_page = GamePage(page, site, game, "#step=1000")
    buttons = [page.get_by_role("button", name=name, exact=True) for name in ("Play", "Previous step", "First step")]
    for part in (page.locator(".track"), *buttons):
        expect(part).to_be_in_viewport(ratio=1)
    track, table = box_of(page.locator(".track")), box_of(game_page.table)
    assert track["y"] >= table["y"] + table["height"], "nothing of the table is covered"
    last = game_page.step
    buttons[1].click()
    game_page.reach(last - 1)
    assert page.evaluate("scrollY") == 0


def test_a_replay_as_it_was_played_waits_as_its_players_did_but_never_long(page: Page, site: Service) -> None:
    give_modules(page)
    page.goto(site.url)
    told = page.evaluate(f"""async () => {{
        const {{ pauseBefore, spanWords }} = await import("{MODULES}");
        const clock = {{ opened: 0, times: [0, 0.01, 1.31, 3700], seats: [null, 0, 0, 0] }};
        return [[1, 2, 3].map((step) => Math.round(pauseBefore(clock, step))), [1.3, 80, 400, 7200].map(spanWords)];
    }}""")
    assert told == [[250, 1300, 2000], ["1.3 s", "80 s", "7 min", "2 h"]]


def test_a_fork_is_a_branch_for_who_may_know_of_it(page: Page, site: Service, ada: Player, bob: Player) -> None:
    game = opened(ada, seed="branches")
    say(ada, game, [*[DRAW] * 6, RESIGN])
    game_page, hidden = [
        bob.post(of(game, "/fork"), {"step": step, "visibility": visibility}).json()
        for step, visibility in ((2, "public"), (4, "unlisted"))
    ]
    reached(site, truth.head(site))
    GamePage(page, site, game)
    expect(page.locator(".branch")).to_have_count(1)
    assert hidden["id"] not in page.content()
    page.get_by_role("link", name="From step 2 on, by Bob").click()
    expect(page).to_have_url(re.compile(game_page["id"]))
    page.get_by_text("About this game, its record").click()
    expect(page.get_by_role("link", name="an earlier game")).to_have_attribute("href", f"/games/{game['id']}#step=2")
    sign_in(page.context, site, bob)
    GamePage(page, site, game)
    expect(page.locator(".branch")).to_have_count(2)


def test_two_replays_of_one_deal_go_in_step_and_each_waits_at_its_end(
    page: Page, site: Service, ada: Player, bob: Player, drawn: Game, checks: Checks, forgiven: list[str]
) -> None:
    short, foreign = opened(bob, seed="a strip"), opened(bob, seed="another deal")
    for game in (short, foreign):
        say(bob, game, [*[DRAW] * 4, RESIGN])
    page.goto(f"{site.url}/beside?left={short['id']}&right={drawn['id']}")
    tables = page.locator("svg.table")
    expect(page.get_by_role("slider", name="Step")).to_have_count(1)
    for number in (0, 1):  # until both are drawn the strip below them moves
        expect(tables.nth(number)).to_have_attribute("data-step", "0")
    for step, told in ((3, ("3", "3")), (12, ("5", "12")), (4, ("4", "4"))):
        page.mouse.click(*place_of(page, step))
        for table, at in zip(tables.all(), told, strict=True):
            expect(table).to_have_attribute("data-step", at)
    page.keyboard.press("ArrowRight")
    expect(tables.nth(1)).to_have_attribute("data-step", "5")
    page.set_viewport_size({"width": 390, "height": 800})
    upper, lower = (box_of(table) for table in tables.all())
    assert lower["y"] >= upper["y"] + upper["height"]
    assert checks.wrong(page) == []
    forgiven.append("status of 404")
    live = opened(bob, seed="a strip")
    for other in (foreign, live):
        answer = page.goto(f"{site.url}/beside?left={drawn['id']}&right={other['id']}")
        assert answer is not None
        assert answer.status == 404


def test_a_step_deep_in_a_game_is_asked_for_first_in_few_requests_and_nothing_shifts(
    page: Page, site: Service, ada: Player
) -> None:
    game, around = opened(ada, seed="a long strip"), [*[DRAW] * 24, {"type": "klondike/recycle"}]
    say(ada, game, [*around * 12, RESIGN])
    sign_in(page.context, site, ada)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.add_init_script(_NOTE_SHIFTS)
    game_page = GamePage(page, site, game, "#step=210")
    expect(page.locator(".moves [aria-current]")).to_have_text(re.compile("^210"))
    expect(page.get_by_role("button", name="Continue from here")).to_be_visible()
    frames = [url for url in requested if "/frames?" in url]
    assert "first=200&last=224" in frames[0]
    assert len(frames) <= 3
    counted = [url for url in requested if not url.endswith("/icon.svg")]  # which a browser with windows asks for, too
    assert len(counted) <= 8, "page, styles, script, moments, frames"
    assert page.evaluate("window.shifted") < 0.02
    assert game_page.step == 210


_NOTE_SHIFTS = """
    window.shifted = 0;
    const note = (entry) => { window.shifted += entry.hadRecentInput ? 0 : entry.value; };
    const shifts = new PerformanceObserver((list) => list.getEntries().forEach(note));
    shifts.observe({ type: "layout-shift", buffered: true });
"""


LONG = 700
"""Steps of the long game: some pages of frames."""


@pytest.fixture(scope="module")
def long_game(ada: Player) -> Game:
    """Draws round and round the stock, then a resignation."""
    game = opened(ada, seed="a long game")
    turn = [{"type": "klondike/draw"}] * 24 + [{"type": "klondike/recycle"}]
    commands = (turn * (LONG // 25))[: LONG - 1]
    for first in range(0, len(commands), 350):
        part = commands[first : first + 350]
        assert say(ada, game, part).json()["accepted"] == len(part)
    say(ada, game, {"type": "game/resign"})
    return game


def test_a_link_into_a_long_game_fetches_what_lies_around_it(page: Page, site: Service, long_game: Game) -> None:
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url) if "/frames" in request.url else None)
    game_page = GamePage(page, site, long_game, "#step=433")
    expect(page.locator(".moves [aria-current]")).to_have_text(re.compile(r"^433"))
    ranges = [
        tuple(map(int, match.groups())) for url in requested if (match := re.search(r"first=(\d+)&last=(\d+)", url))
    ]
    assert sum(last - first + 1 for first, last in ranges) <= 400
    assert game_page.step == 433


def test_a_long_game_is_the_same_from_end_to_end_and_keeps_few_frames(
    page: Page, site: Service, ada: Player, long_game: Game
) -> None:
    game_page = GamePage(page, site, long_game)
    for step in (LONG, 1, 399, 400, LONG - 1, 0):
        game_page.slide(step)
        assert game_page.zones() == seen(ada, long_game, step, "spectator")
    assert page.locator(".moves li").count() < 130
