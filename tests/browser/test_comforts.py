"""Comforts beside the table: what was done and how long it took, undo and redo, cards sent home, deals, settings."""

import json
from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from domain.games import GAME_TYPES
from domain.kit.cards import PACK
from tests.api.holding import announced, entered, resign
from tests.api.playing import Game, look, moves, opened, say, seated
from tests.api.serving import Player, Service

from .client import ask_modules
from .game_pages import GamePage, box_of, dealt, moved, seen, sign_in
from .hands import drag
from .looks import Checks
from .test_league_pages import aside

_SHIFTS = """() => {
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shifts += value;
    }).observe({ type: "layout-shift" });
}"""
_LEAPT = """() => {
    window.leapt = false;
    new MutationObserver(() => { window.leapt ||= document.querySelector(".leaping") !== null; })
        .observe(document.querySelector("svg.table"), { childList: true });
}"""
_FIRST = """() => document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    const table = document.querySelector("svg.table [data-card]");
    window.felt ??= table && document.documentElement.dataset.felt;
}).observe(document, { childList: true, subtree: true }))"""


@pytest.fixture
def tidy(at_home: Page) -> Iterator[Page]:
    """Ada's browser, which keeps no settings afterwards."""
    yield at_home
    at_home.evaluate("localStorage.clear()")


def _tool(game_page: GamePage, name: str) -> Locator:
    return game_page.page.locator(".tools").get_by_role("button", name=name, exact=True)


def _make_again(game_page: GamePage, ada: Player, game: Game, steps: Iterable[int]) -> None:
    """Redo, to each of these steps."""
    for step in steps:
        _tool(game_page, "Redo").click()
        moved(game_page, ada, game, step)
        game_page.ready()


def _nearly_home(player: Player, left: int) -> Game:
    """A FreeCell whose cards lie in order, all but so many of them at home."""
    order = sorted(PACK, key=lambda card: -"A23456789TJQK".index(card[0]))
    game = opened(player, "freecell", deal=order)
    for _ in range(len(order) - left):
        home = next(move for move in moves(player, game) if str(move.get("target")).startswith("foundation"))
        assert say(player, game, home).status_code == 200
    return game


def test_cards_go_home_one_by_one_until_the_game_is_won_and_nothing_shifts(
    page: Page, site: Service, ada: Player, checks: Checks
) -> None:
    sign_in(page.context, site, ada)
    page.emulate_media(reduced_motion="no-preference")
    game = _nearly_home(ada, 24)
    game_page = GamePage(page, site, game)
    game_page.ready()
    page.evaluate(_SHIFTS)
    page.evaluate(_LEAPT)
    begun = game_page.step
    _tool(game_page, "Send cards home").click()
    game_page.reach_at_least(begun + 1)
    game_page.press("Shift")
    expect(_tool(game_page, "Send cards home")).to_have_attribute("aria-pressed", "false")
    game_page.ready()
    assert look(ada, game)["status"] == "playing"
    _tool(game_page, "Send cards home").click()
    ending = page.locator(".ending")
    expect(ending.get_by_role("heading")).to_have_text("You won!")
    expect(ending).to_contain_text("52 moves in ")
    assert look(ada, game)["status"] == "finished"
    expect(page.locator(".bar .chip")).to_have_count(0)
    assert page.evaluate("window.leapt")
    assert page.evaluate("window.shifts") < 0.02
    assert checks.wrong(page) == []
    ending.get_by_role("button", name="Close").click()
    expect(ending).to_be_hidden()


def test_who_has_lost_asks_why_beside_playing_again(at_home: Page, site: Service, ada: Player) -> None:
    game_page = GamePage(at_home, site, opened(ada, "golf", rated=False))
    game_page.ready()
    for name in ("resign", "Yes, resign"):
        at_home.get_by_role("button", name=name, exact=True).click()
    at_home.locator(".ending").get_by_role("button", name="Where was it lost?").click()
    expect(at_home.locator(".ending")).to_be_hidden()
    expect(at_home.get_by_role("region", name="Analysis").get_by_role("status").first).to_be_in_viewport()


def test_moves_are_taken_back_done_again_and_the_deal_is_begun_anew_in_the_same_game(
    at_home: Page, site: Service, ada: Player
) -> None:
    game = opened(ada, "klondike", rated=False)
    dealt = seen(ada, game, 0, "seat-0")
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    expect(_tool(game_page, "Undo")).to_be_disabled()
    expect(_tool(game_page, "Same deal again")).to_be_disabled()
    for step in (1, 2, 3):
        game_page.page.locator('.panel [data-say="klondike/draw"]').click()
        game_page.reach(step)
        game_page.ready()
    drawn = game_page.zones()
    expect(game_page.page.locator(".tally")).to_contain_text("3 moves")
    for _ in range(2):
        _tool(game_page, "Undo").click()
    game_page.reach(5)
    game_page.ready()
    _make_again(game_page, ada, game, (6, 7))
    assert game_page.zones() == drawn
    expect(_tool(game_page, "Redo")).to_be_disabled()
    _tool(game_page, "Same deal again").click()
    game_page.reach(10)
    assert game_page.zones() == dealt
    game_page.ready()
    _tool(game_page, "Hint").click()
    assert "Hint: " in game_page.told
    lit = game_page.page.locator("svg.table [data-lit]").count()
    assert 0 < lit < sum(map(len, dealt.values()))


def test_moves_of_before_the_page_was_opened_are_taken_back_and_made_again(
    at_home: Page, site: Service, ada: Player
) -> None:
    """On a phone, where no list of moves has asked for their steps."""
    game = opened(ada, "klondike", rated=False)
    say(ada, game, [{"type": "klondike/draw"}] * 3)
    at_home.set_viewport_size({"width": 390, "height": 844})
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    drawn = game_page.zones()
    for step in (4, 5):
        _tool(game_page, "Undo").click()
        game_page.reach(step)
        game_page.ready()
    _make_again(game_page, ada, game, (6, 7))
    assert game_page.zones() == drawn


def test_where_nothing_is_taken_back_a_rated_game_is_given_up_for_its_deal_and_the_next_one_does_not_count(
    at_home: Page, site: Service, ada: Player, checks: Checks, forgiven: list[str]
) -> None:
    forgiven.append("net::ERR_FAILED")
    game = opened(ada, "the_clock")
    assert game["rated"]
    say(ada, game, moves(ada, game)[0])
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    assert game_page.page.get_by_role("button", name="Hint").count() == 0
    _tool(game_page, "Same deal again").click()
    assert checks.wrong(at_home) == []
    at_home.route("**/commands?*", lambda route: route.abort(), times=1)
    game_page.page.get_by_role("button", name="Give up").click()
    expect(at_home.get_by_role("dialog")).to_have_count(0)
    expect(at_home.locator(".told")).to_have_text("The server cannot be reached; try again.")
    _tool(game_page, "Same deal again").click()
    game_page.page.get_by_role("button", name="Give up").click()
    at_home.wait_for_url(lambda url: "/games/" in url and game["id"] not in url)
    again = look(ada, {"id": at_home.url.partition("/games/")[2].partition("#")[0]})
    assert (again["rated"], again["forked_from"]) == (False, {"game_id": game["id"], "step": 0})
    assert look(ada, game)["result"]["reason"] == "resigned"
    assert seen(ada, again, 0, "all" if again["result"] else "seat-0") == seen(ada, game, 0, "seat-0")


def test_a_friend_who_is_nobody_here_plays_the_same_deal_as_a_guest(
    page: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game = opened(ada, "canfield")
    dealt = seen(ada, game, 0, "seat-0")
    resign(ada, game)
    page.goto(f"{site.url}/games/{game['id']}/deal")
    assert checks.wrong(page) == []
    page.get_by_role("button", name="Play this deal").click()
    page.wait_for_function("() => document.querySelector('svg.table')?.dataset.listed")
    assert game["id"] not in page.url
    zones = page.evaluate("""() => [...document.querySelectorAll("svg.table [data-zone-id]")].map((zone) =>
        [zone.dataset.zoneId, [...zone.querySelectorAll("[data-card]")].map((card) => card.dataset.card)])""")
    assert dict(zones) == dealt


def test_the_link_to_a_deal_of_several_shows_the_cards_as_they_were_dealt(
    page: Page, site: Service, ada: Player, bob: Player
) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    say(ada, game, {"type": "game/resign"})
    page.goto(f"{site.url}/games/{game['id']}/deal")
    picture = page.get_by_alt_text("The table after the deal.")
    assert picture.evaluate("async (image) => { await image.decode(); return image.naturalHeight; }") > 400


def test_a_deal_that_is_hidden_still_is_dealt_to_nobody(at_home: Page, site: Service, ada: Player) -> None:
    """Neither while the game goes on nor, in a contest, when one's own attempt is over and others still play."""
    running, attempt = opened(ada, "golf"), entered(ada, aside(announced, site.conninfo, "golf"))
    resign(ada, attempt)
    game_page = GamePage(at_home, site, attempt)
    expect(_tool(game_page, "Same deal again")).to_be_disabled()
    ours = {"Origin": site.url}
    for game, to_strangers in ((running, 409), (attempt, 404)):
        path = f"/games/{game['id']}/deal"
        own = at_home.request.get(site.url + path), at_home.request.post(site.url + path, headers=ours)
        assert [answer.status for answer in own] == [409, 409]
        stranger = site.http.post(f"{path}/as-guest", headers=ours)
        assert stranger.status_code == to_strangers
        assert "set-cookie" not in stranger.headers


def test_every_game_type_has_a_new_deal_with_the_same_options_for_a_guest(
    page: Page, site: Service, ada: Player
) -> None:
    for key in GAME_TYPES:
        game = opened(ada, key, visibility="public")
        page.context.clear_cookies()
        dealt = page.request.post(f"{site.url}/games/{game['id']}/new-deal/as-guest", headers={"Origin": site.url})
        assert dealt.ok, dealt.text()
        other = look(ada, {"id": dealt.url.partition("/games/")[2]})
        assert (other["game_type"], other["options"]) == (key, game["options"]), key
        assert other["rated"] == game["rated"]
        assert other["id"] != game["id"]
        assert other["creator"]["name"].startswith("Guest")


def test_settings_are_kept_hold_from_the_first_card_on_and_mirror_the_table(
    tidy: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game_page, game = dealt(tidy, site, ada, "klondike")
    stock = box_of(game_page.card("stock", 0))
    _tool(game_page, "Settings").click()
    assert checks.wrong(tidy) == []
    tidy.set_viewport_size({"width": 1280, "height": 900})
    for name, value in (("felt", "wine"), ("pack", "four"), ("hand", "left"), ("sounds", "on")):
        tidy.locator(f"input[name=setting-{name}][value={value}]").check()
    game_page.press("Escape")
    mirrored = box_of(game_page.card("stock", 0))
    assert mirrored["x"] > stock["x"] + 100
    tidy.mouse.click(mirrored["x"] + 20, mirrored["y"] + 20)
    moved(game_page, ada, game)
    tidy.add_init_script(f"({_FIRST})()")
    tidy.reload()
    tidy.wait_for_function("() => window.felt")
    assert tidy.evaluate("window.felt") == "wine"
    game_page.reach(1)
    assert game_page.card("stock", 0).bounding_box() == mirrored
    colour = "(card) => getComputedStyle(document.querySelector(`#${card} [color]`)).color"
    assert tidy.evaluate(colour, "card-7D") != tidy.evaluate(colour, "card-7H")


_SHOWN = """card => {
    const symbol = document.getElementById(`card-${card}`), picture = symbol.querySelector(".card-picture use");
    const hidden = [...symbol.querySelectorAll(".card-figure, .card-panel")].map((one) => one.getAttribute("display"));
    return [picture && document.querySelector(picture.getAttribute("href")).getBBox().width > 1000, hidden];
}"""


def test_courts_are_drawn_as_pictures_where_somebody_likes_them_so(tidy: Page, site: Service, ada: Player) -> None:
    game_page = GamePage(tidy, site, _nearly_home(ada, 12))
    game_page.ready()
    requested = list[str]()
    tidy.on("request", lambda request: requested.append(request.url))
    assert tidy.evaluate(_SHOWN, "KS") == [None, [None, None]]
    _tool(game_page, "Settings").click()
    tidy.locator("input[name=setting-courts][value=pictures]").check()
    tidy.wait_for_selector(".card-picture", state="attached")
    assert [tidy.evaluate(_SHOWN, card) for card in ("JC", "KS")] == [[True, ["none", "none"]]] * 2
    tidy.locator("input[name=setting-courts][value=figures]").check()
    assert tidy.evaluate(_SHOWN, "KS") == [None, [None, None]]
    tidy.locator("input[name=setting-courts][value=pictures]").check()
    assert [url.rsplit("/", 1)[1] for url in requested if "courts" in url] == ["courts.svg"]
    tidy.reload()
    tidy.wait_for_selector(".card-picture", state="attached")


def test_two_replays_side_by_side_have_the_felt_and_the_courts_that_somebody_likes(
    tidy: Page, site: Service, ada: Player
) -> None:
    one, other = (opened(ada, "klondike", seed="side by side") for _ in range(2))
    for game in (one, other):
        resign(ada, game)
    _tool(GamePage(tidy, site, one), "Settings").click()
    for name, value in (("felt", "wine"), ("courts", "pictures")):
        tidy.locator(f"input[name=setting-{name}][value={value}]").check()
    tidy.goto(f"{site.url}/beside?left={one['id']}&right={other['id']}")
    tidy.wait_for_selector(".card-picture", state="attached")
    expect(tidy.locator(".pane svg.table")).to_have_count(2)
    assert tidy.evaluate(_SHOWN, "KS") == [True, ["none", "none"]]
    felts = "[...document.querySelectorAll('.pane svg.table')].map((table) => getComputedStyle(table).backgroundColor)"
    assert tidy.evaluate(felts) == ["rgb(107, 35, 55)"] * 2


def test_who_chooses_again_while_the_courts_are_fetched_has_what_was_chosen_last(
    tidy: Page, site: Service, ada: Player
) -> None:
    game_page, _ = dealt(tidy, site, ada, "freecell")
    requested, held = list[str](), list[Route]()
    tidy.on("request", lambda request: requested.append(request.url))
    tidy.route("**/courts.svg", lambda route: held.append(route))
    _tool(game_page, "Settings").click()
    for value in ("pictures", "figures", "pictures", "figures"):
        tidy.locator(f"input[name=setting-courts][value={value}]").check()
    with tidy.expect_response("**/courts.svg"):
        held[0].continue_()
    tidy.wait_for_selector("#court-KS", state="attached")
    assert tidy.evaluate(_SHOWN, "KS") == [None, [None, None]]
    assert sum("courts" in url for url in requested) == len(held) == 1


def test_a_game_without_courts_offers_no_choice_of_them(tidy: Page, site: Service, ada: Player) -> None:
    game_page, _ = dealt(tidy, site, ada, "deck_the_yard")
    _tool(game_page, "Settings").click()
    tidy.locator("fieldset[data-setting=felt]").wait_for()
    assert tidy.locator("fieldset[data-setting=courts]").count() == 0


def _covered_twos() -> list[str]:
    """Cards for FreeCell: a two and its ace on top in three columns, two of them under a king; no club can go."""
    tops = (["3S", "2S", "AS"], ["2H", "AH", "KS"], ["2D", "AD", "KC"])
    rest = [
        card for card in sorted(PACK, key=lambda card: (card != "AC", card)) if not any(card in top for top in tops)
    ]
    under = [[rest.pop(0) for _ in range(4)] for _ in range(3)]
    columns = [[*below, *top] for below, top in zip(under, tops, strict=True)]
    columns += [[rest.pop(0) for _ in range(7 if column == 3 else 6)] for column in range(3, 8)]
    return [columns[place % 8][place // 8] for place in range(52)]


def test_safe_cards_go_home_by_themselves_where_somebody_likes_it_and_not_after_an_undo(
    tidy: Page, site: Service, ada: Player
) -> None:
    game_page, game = dealt(tidy, site, ada, "freecell", deal=_covered_twos())
    tidy.wait_for_timeout(800)
    assert look(ada, game)["step"] == 0, "by default nothing goes by itself"
    game_page.listen()
    _tool(game_page, "Settings").click()
    tidy.locator("input[name=setting-safe][value=home]").check()
    game_page.press("Escape")
    game_page.reach(2)
    tidy.wait_for_function("() => window.heard.some((words) => words.endsWith('It went by itself.'))")
    tidy.wait_for_timeout(800)
    assert game_page.zones()["foundation_spades"] == ["AS", "2S"], "the three waits for the red twos"
    drag(game_page, "tableau_1", "cell_0")
    game_page.reach(5)
    tidy.wait_for_timeout(800)
    assert look(ada, game)["step"] == 5
    drag(game_page, "tableau_2", "cell_1")
    game_page.reach(9)
    assert game_page.zones()["foundation_spades"] == ["AS", "2S", "3S"]
    game_page.ready()
    game_page.press("Control+z")
    game_page.reach(10)
    tidy.wait_for_timeout(800)
    assert game_page.zones()["foundation_spades"] == ["AS", "2S"], "what was taken back stays"
    assert look(ada, game)["step"] == 10


_SAFE = """({ nextSafe }, asked) => asked.map(({ home, card, from, built }) => {
    const zones = [{ id: from, label: "", layout: "column", x: 0, y: 0, cards: [card] }, ...home.map((cards, at) => (
        { id: `foundation_${at}`, label: "", layout: "pile", x: 0, y: 0, cards }))];
    const option = { command: { type: "move", source: from, target: "foundation_0" }, values: {}, tap: [], set: false,
        slots: [{ target: false, places: [`${from}/0`] }] };
    return nextSafe({ options: [option] }, { zones }, built) !== null;
})"""


def test_a_card_is_safe_once_both_cards_of_the_other_colour_one_below_are_home() -> None:
    home = [["AS", "2S"], ["AH"], ["AD", "2D"], ["AC", "2C", "3C"]]
    requested = [
        ("AS", "column_1", "alternate", True), ("2H", "column_1", "alternate", True),
        ("3D", "column_1", "alternate", True), ("3S", "column_1", "alternate", False),
        ("4C", "column_1", "alternate", False), ("4C", "column_1", "suit", True), ("3D", "waste", "alternate", False),
    ]  # fmt: skip
    cases = [{"home": home, "card": card, "from": zone, "built": built} for card, zone, built, _ in requested]
    assert ask_modules(_SAFE, json.dumps(cases)) == [safe for *_, safe in requested]


def test_a_game_whose_cards_do_not_go_home_alone_offers_no_choice_of_it(tidy: Page, site: Service, ada: Player) -> None:
    game_page = GamePage(tidy, site, opened(ada, "spider"))
    _tool(game_page, "Settings").click()
    expect(tidy.locator("[data-setting=safe]")).to_have_count(0)
