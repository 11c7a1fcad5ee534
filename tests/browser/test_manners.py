"""The table's manners: a card in hand, keys, what leaving costs, whole sentences, chips that are of use."""

from playwright.sync_api import Page, expect

from tests.api.playing import look, moves, of, opened, say
from tests.api.serving import Player, Service

from .game_pages import GamePage, box_of, moved
from .hands import line_of_play, middle
from .looks import Checks

_CUT = """() => {
    const region = document.querySelector(".told"), { bottom } = region.getBoundingClientRect();
    const seen = [...region.querySelectorAll("p:not(.unseen)")];
    return [seen.length, seen.filter((one) => one.getBoundingClientRect().bottom > bottom + 1).length];
}"""


def test_a_card_in_hand_is_whole_outside_the_board_and_escape_puts_it_back(
    at_home: Page, site: Service, ada: Player
) -> None:
    _, [move] = line_of_play(ada, "in hand", 1)
    game = opened(ada, "freecell", seed="in hand")
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    board = box_of(game_page.table)
    below = board["y"] + board["height"]
    place = {"x": board["x"] + 200, "y": below, "width": 60, "height": 40}
    bare = at_home.screenshot(clip=place)  # type: ignore[arg-type]
    at_home.mouse.move(*middle(game_page, move["source"]))
    at_home.mouse.down()
    at_home.mouse.move(place["x"] + 30, below + 10, steps=5)
    assert at_home.screenshot(clip=place) != bare  # type: ignore[arg-type]
    assert at_home.evaluate("document.documentElement.scrollWidth <= innerWidth")
    game_page.press("Escape")
    expect(at_home.locator(".dragged, .lifted")).to_have_count(0)
    assert at_home.screenshot(clip=place) == bare  # type: ignore[arg-type]
    at_home.mouse.move(*middle(game_page, move["target"]))
    at_home.mouse.up()
    game_page.ready()
    assert look(ada, game)["step"] == 0


def test_keys_take_back_and_do_again_hint_and_deal_and_the_dialog_lists_them(
    at_home: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game = opened(ada, "klondike", rated=False)
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    at_home.get_by_role("button", name="draw", exact=True).click()
    game_page.reach(1)
    game_page.listen()
    for step, key in enumerate(("Control+z", "Control+Shift+z", "Meta+z", "Control+y", "Control+z", "Meta+Shift+z"), 2):
        game_page.ready()
        game_page.press(key)
        moved(game_page, ada, game, step)
    assert at_home.evaluate("window.heard.filter((words) => words === 'Taken back: step 0 stands again.').length") == 3
    game_page.ready()
    game_page.press("h")
    assert game_page.told.startswith("Hint: ")
    game_page.press("?")
    keys = at_home.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    for key in ("Esc", "Ctrl+Z", "Ctrl+Y Ctrl+Shift+Z", "H", "N", "Tab Enter", "?"):
        expect(keys.get_by_text(key, exact=True)).to_be_visible()
    game_page.press("n")
    assert checks.wrong(at_home) == []
    keys.get_by_role("button", name="Close").click()
    game_page.press("n")
    at_home.wait_for_url(lambda url: "/games/" in url and game["id"] not in url)


def test_who_leaves_a_begun_game_that_counts_is_asked_once_and_told_what_it_costs(
    at_home: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game = opened(ada, "golf")
    assert game["rated"]
    say(ada, game, moves(ada, game)[0])
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    at_home.locator('[data-say="game/resign"]').click()
    expect(at_home.locator(".apart")).to_contain_text("It counts as lost.")
    at_home.get_by_role("button", name="No", exact=True).click()
    game_page.press("n")
    question = at_home.get_by_role("dialog", name="Leave this game?")
    expect(question).to_contain_text("after a day without a move it counts as lost")
    assert checks.wrong(at_home) == []
    question.get_by_role("button", name="Go on playing").click()
    game_page.press("n")
    question.get_by_role("button", name="New deal").click()
    at_home.wait_for_url(lambda url: "/games/" in url and game["id"] not in url)
    assert look(ada, game)["status"] == "playing"
    fresh = at_home.url
    game_page.ready()
    game_page.press("n")  # nothing was done in it yet: nothing is asked
    at_home.wait_for_url(lambda url: "/games/" in url and url.partition("#")[0] != fresh.partition("#")[0])


def test_what_is_told_ends_with_a_whole_sentence_and_all_of_it_is_heard(
    at_home: Page, site: Service, ada: Player
) -> None:
    for key in ("klondike", "spider", "deck_the_yard"):
        game_page = GamePage(at_home, site, opened(ada, key, seed="whole sentences"))
        for width, height in ((1280, 800), (390, 844), (320, 568)):
            at_home.set_viewport_size({"width": width, "height": height})
            game_page.ready()
            at_home.wait_for_timeout(50)
            seen, cut = at_home.evaluate(_CUT)
            assert (seen > 0, cut) == (True, 0), (key, width)
        text = at_home.locator(".told").text_content() or ""
        sentences = ada.get(of(game_page.game, "/frames/0")).json()["sentences"]
        assert [sentence for sentence in sentences if sentence not in text] == [], key


_TOOLS = """() => {
    const box = (one) => one.getBoundingClientRect(), tools = [...document.querySelectorAll(".tools > *:not(dialog)")];
    const board = box(document.querySelector("svg.table")), bar = box(document.querySelector(".bar"));
    return {
        out: tools.filter((one) => one.offsetWidth && (box(one).left < 0 || box(one).right > innerWidth)).length,
        lines: new Set(tools.filter((one) => one.matches("button") && one.offsetWidth).map((one) => box(one).top)).size,
        board: [board.height / innerHeight, board.bottom], bar: bar.height, beside: bar.left >= board.right - 1,
    };
}"""


def test_on_a_small_phone_and_on_one_held_sideways_the_bar_leaves_the_table_its_room(
    at_home: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game = opened(ada, "klondike", rated=False)
    for width, height in ((320, 568), (390, 844), (844, 390), (568, 320)):
        at_home.set_viewport_size({"width": width, "height": height})
        GamePage(at_home, site, game).ready()
        seen = at_home.evaluate(_TOOLS)
        assert seen["out"] == 0, width
        if width > height:
            assert seen["beside"], width
            assert seen["board"][0] > 0.7, seen
            assert seen["board"][1] <= height, seen
        else:
            assert seen["lines"] == 1, width
            assert seen["board"][0] > 0.5, seen
        if width == 320:
            assert seen["bar"] <= 32
            assert at_home.locator("header.top").bounding_box()["height"] < 60  # type: ignore[index]
    assert checks.wrong(at_home) == []
