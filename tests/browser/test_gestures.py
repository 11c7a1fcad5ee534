"""Hands and fingers: quick drags and clicks on a slow line, touch, double clicks, the keyboard's focus, gliding."""

import pytest
from playwright.sync_api import Page, expect

from tests.api.playing import look, moves, opened
from tests.api.serving import Player, Service

from .game_pages import GamePage, box_of, dealt, frame_zones, moved
from .hands import drag, line_of_play, middle, slow_line

_GLIDES = """() => {
    window.glides = [];
    new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
            if (!node.classList?.contains("flying")) continue;
            const seen = [];
            window.glides.push(seen);
            const sample = () => {
                if (!node.isConnected) return;
                const { x, y } = node.getBoundingClientRect();
                seen.push(`${Math.round(x)} ${Math.round(y)}`);
                requestAnimationFrame(sample);
            };
            requestAnimationFrame(sample);
        }
    }).observe(document.querySelector("svg.table"), { childList: true, subtree: true });
}"""
_GLIDED = "() => window.glides.length > 0 && !document.querySelector('.flying')"
_FOCUS = "() => document.activeElement.closest('svg.table') !== null"


@pytest.mark.usefixtures("line")
def test_twelve_quick_drags_on_a_slow_line_are_twelve_moves(at_home: Page, site: Service, ada: Player) -> None:
    twin, line = line_of_play(ada, "twelve drags", 12)
    game_page, _ = dealt(at_home, site, ada, "freecell", seed="twelve drags")
    with slow_line(at_home, 300):
        for move in line:
            drag(game_page, move["source"], move["target"])
        game_page.reach(12)
    assert game_page.zones() == frame_zones(look(ada, twin))


def test_six_clicks_on_the_stock_are_six_draws(at_home: Page, site: Service, ada: Player) -> None:
    game_page, game = dealt(at_home, site, ada, "klondike", seed="six clicks")
    with slow_line(at_home, 100):
        at_home.mouse.click(*middle(game_page, "stock"), click_count=6)
        game_page.reach(6)
    assert len(frame_zones(look(ada, game))["waste"]) == 6


def test_a_click_while_the_table_is_drawn_anew_is_a_click(at_home: Page, site: Service, ada: Player) -> None:
    game_page, _ = dealt(at_home, site, ada, "klondike", seed="pressed")
    with slow_line(at_home, 100):
        at_home.mouse.click(*middle(game_page, "stock"))
        at_home.mouse.down()
        game_page.reach(1)
        at_home.mouse.up()
        game_page.reach(2)
    game_page.ready()
    assert game_page.step == 2


def test_a_finger_drags_a_card(at_home: Page, site: Service, ada: Player) -> None:
    _, [move] = line_of_play(ada, "a finger", 1)
    game_page, game = dealt(at_home, site, ada, "freecell", seed="a finger")
    session = at_home.context.new_cdp_session(at_home)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    (x, y), (right, down) = middle(game_page, move["source"]), middle(game_page, move["target"])
    way = [(x + (right - x) * part / 8, y + (down - y) * part / 8) for part in range(9)]
    for part, (left, top) in enumerate(way):
        kind = "touchMove" if part else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": left, "y": top}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    moved(game_page, ada, game)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    session.detach()


def test_a_double_click_sends_a_card_home_whatever_else_it_can_do(at_home: Page, site: Service, ada: Player) -> None:
    for number in range(40):
        game = opened(ada, "freecell", seed=f"home {number}")
        home = [move for move in moves(ada, game) if str(move.get("target")).startswith("foundation")]
        if home:
            break
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    at_home.mouse.dblclick(*middle(game_page, home[0]["source"]))
    moved(game_page, ada, game)
    assert sum(len(cards) for zone, cards in game_page.zones().items() if zone.startswith("foundation")) == 1


def test_a_drag_that_goes_nowhere_leaves_the_next_one_its_own(at_home: Page, site: Service, ada: Player) -> None:
    """A label or a buried card is pressed and pulled: nothing is selected, and the next drag is heard."""
    _, [move] = line_of_play(ada, "next drag", 1)
    game_page, game = dealt(at_home, site, ada, "freecell", seed="next drag")
    column = next(zone for zone, cards in game_page.zones().items() if len(cards) == 7 and zone != move["source"])
    buried = box_of(game_page.card(column, 0))
    for _ in range(2):
        at_home.mouse.move(buried["x"] + 8, buried["y"] + 4)
        at_home.mouse.down()
        at_home.mouse.move(buried["x"] + 300, buried["y"] + 200, steps=5)
        at_home.mouse.up()
    assert at_home.evaluate("String(getSelection())") == ""
    drag(game_page, move["source"], move["target"])
    moved(game_page, ada, game)


def test_the_keyboard_keeps_its_place_in_the_panel(at_home: Page, site: Service, ada: Player) -> None:
    game_page, _ = dealt(at_home, site, ada, "klondike", seed="by keys")
    resign, draw = (at_home.locator(f'.panel [data-say="{word}"]') for word in ("game/resign", "klondike/draw"))
    resign.press("Enter")
    at_home.keyboard.press("Enter")  # No
    expect(resign).to_be_focused()
    draw.press("Enter")
    game_page.reach(1)
    expect(draw).to_be_focused()
    GamePage(at_home, site, opened(ada, "freecell", seed="by keys")).ready()
    at_home.locator("svg.table .card[data-lit][tabindex='0']").first.press("Enter")
    at_home.get_by_role("button", name="Take back").press("Enter")
    expect(at_home.locator("svg.table .card[data-lit]:focus")).to_have_count(1)


def test_the_focus_stays_on_the_table_after_each_move_by_keys(at_home: Page, site: Service, ada: Player) -> None:
    _, line = line_of_play(ada, "by keys", 3)
    game = opened(ada, "freecell", seed="by keys")
    game_page = GamePage(at_home, site, game)
    for step, move in enumerate(line, 1):
        game_page.ready()
        for zone in (move["source"], move["target"]):
            cards = at_home.locator(f'[data-zone="{zone}"][tabindex="0"]')
            (cards.last if cards.count() else at_home.locator(f'[data-place="{zone}"]')).focus()
            game_page.press("Enter")
        game_page.reach(step)
        game_page.ready()
        assert at_home.evaluate(_FOCUS), step


def test_arrows_walk_to_what_can_be_chosen(at_home: Page, site: Service, ada: Player) -> None:
    game_page, _ = dealt(at_home, site, ada, "freecell", seed="walking")
    game_page.press("Enter")  # into the table
    assert at_home.evaluate(_FOCUS)
    seen = {at_home.evaluate("() => document.activeElement.dataset.zone")}
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        game_page.press(key)
        seen.add(at_home.evaluate("() => document.activeElement.dataset.zone"))
    assert len(seen) > 2
    assert game_page.step == 0


@pytest.mark.parametrize("less", [False, True])
def test_one_s_own_move_glides_once(less: bool, at_home: Page, site: Service, ada: Player) -> None:
    at_home.emulate_media(reduced_motion="reduce" if less else "no-preference")
    game_page, game = dealt(at_home, site, ada, "klondike", seed="a glide")
    at_home.evaluate(_GLIDES)
    at_home.mouse.click(*middle(game_page, "stock"))
    moved(game_page, ada, game)
    if not less:
        at_home.wait_for_function(_GLIDED)
        assert len(at_home.evaluate("window.glides")) == 1
        assert len(set(at_home.evaluate("window.glides")[0])) > 1  # a busy machine draws few pictures of it
    else:
        assert at_home.evaluate("window.glides") == []
    at_home.emulate_media(reduced_motion="no-preference")


def test_ctrl_z_takes_the_last_move_back(at_home: Page, site: Service, ada: Player) -> None:
    game_page, game = dealt(at_home, site, ada, "klondike", seed="control z")
    at_home.mouse.click(*middle(game_page, "stock"))
    moved(game_page, ada, game)
    game_page.ready()
    game_page.press("Control+z")
    moved(game_page, ada, game, 2)
    assert game_page.told == "Taken back: step 0 stands again."
