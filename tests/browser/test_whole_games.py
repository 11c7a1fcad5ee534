"""Whole games on a page: by keys alone, in few presses, and against a bot that never waits for the page."""

import os

from playwright.sync_api import Page

from tests.api.boxes import ending_turn
from tests.api.playing import Game, look, of, opened, say
from tests.api.serving import Player, Service

from .game_pages import GamePage, dealt, seen

_PRESSES, _STEPS = 6, int(os.environ.get("SOAK_STEPS", "100"))
_ON_TABLE = "() => document.activeElement.closest('svg.table') !== null"
_KEY = """(version) => {
    const here = document.activeElement, lit = [...document.querySelectorAll("svg.table [data-lit][tabindex='0']")];
    const middle = (node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const [x, y] = middle(here), way = (node) => middle(node).map((at, axis) => at - [x, y][axis]);
    if (window.wanted?.version !== version) { // the nearest other card, and it stays the one that is wanted
        const cards = lit.filter((node) => node !== here && node.closest("[data-zone-id]")?.dataset.zoneId !== "stock");
        const near = cards.sort((one, other) => Math.hypot(...way(one)) - Math.hypot(...way(other)));
        window.wanted = { version, node: near[0] ?? lit[0] };
    }
    if (here.matches("[data-chosen]") || here === window.wanted.node) return "Enter";
    const [right, down] = way(window.wanted.node);
    if (Math.abs(right) > Math.abs(down)) return right > 0 ? "ArrowRight" : "ArrowLeft";
    return down > 0 ? "ArrowDown" : "ArrowUp";
}"""
_HEARD = """(before) => document.activeElement.hasAttribute("data-chosen")
    || document.querySelector("svg.table").dataset.version !== before"""
_OWN_TURN = """(version) => {
    const { dataset } = document.querySelector("svg.table"), over = !document.querySelector(".banner")?.hidden;
    const own = document.querySelector("svg.table .plate[data-seat='0'][data-turn]") !== null;
    const known = own && dataset.listed === dataset.version;
    return Number(dataset.version) >= version && !("busy" in dataset) && (over || known);
}"""


def test_golf_is_played_to_its_end_by_keys_in_six_presses_a_move_and_the_focus_stays(
    at_home: Page, site: Service, ada: Player
) -> None:
    game_page, game = dealt(at_home, site, ada, "golf", seed="keys only")
    game_page.press("Enter")  # into the table
    while game_page.can_go_on():
        _move_by_keys(game_page)
    kinds = {step["command"]["type"] for step in _told(ada, game)}
    assert kinds == {"golf/draw", "golf/move"}
    assert look(ada, game)["status"] == "finished" or look(ada, game)["view"]["stuck"]


def _told(ada: Player, game: Game) -> list[Game]:
    """The frames of the moves."""
    frames: list[Game] = ada.get(of(game, "/frames"), params={"first": 1, "limit": 200}).json()["frames"]
    return frames


def _move_by_keys(game_page: GamePage) -> None:
    before = game_page.table.get_attribute("data-version")
    for _ in range(_PRESSES):
        assert game_page.page.evaluate(_ON_TABLE), f"the focus is lost at step {game_page.step}"
        game_page.press(key := game_page.page.evaluate(_KEY, before))
        if key == "Enter":
            game_page.page.wait_for_function(_HEARD, arg=before)
            game_page.ready()  # while a command is under way, its card may have moved away with the focus
        if game_page.table.get_attribute("data-version") != before:
            return
    raise AssertionError(f"{_PRESSES} presses are not enough at step {game_page.step}")


def test_a_page_follows_a_bot_of_the_house_to_the_end(at_home: Page, site: Service, ada: Player) -> None:
    """One game in `make test`; in `make soak` as many as it takes to a thousand steps."""
    followed = 0
    while followed < _STEPS:
        game = opened(ada, "spite_and_malice", rated=False)
        assert ada.post(of(game, "/bots"), {"level": "greedy"}).status_code == 200
        followed += _follow(GamePage(at_home, site, game), ada, game)


def _follow(game_page: GamePage, ada: Player, game: Game) -> int:
    """Play through the API to the end; the page has caught up whenever nobody else can move. The steps there were."""
    version = 0
    while True:
        game_page.page.wait_for_function(_OWN_TURN, arg=version)
        now = look(ada, game)
        assert game_page.step == now["step"]
        if now["status"] == "finished":
            assert game_page.zones() == seen(ada, game, now["step"], game_page.viewer)
            return int(now["step"])
        answer = say(ada, game, ending_turn(ada, game))
        assert answer.status_code == 200, answer.text
        version = answer.json()["version"]
