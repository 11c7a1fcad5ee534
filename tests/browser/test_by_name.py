"""Games by accessible names and keys alone, as somebody plays who does not see the table.

Every type is played from its first move to its own end, won or lost. The patiences have no undo, few passes and some of
them an ordered deal, so that they end soon; at the tables the house's bots sit at the other seats; of Bridge it is a
hand. Decs Building, which has no short end, is given up by name once two things were taken off their plates and placed.
"""

import re
from collections import Counter
from itertools import accumulate, pairwise
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from domain.games import GAME_TYPES
from domain.kit.cards import PACK, RANK
from tests.api.playing import look, of, opened
from tests.api.serving import Player, Service, done

from .game_pages import GamePage
from .looks import Checks

_PARTS = ("Board", "Actions", "You can take now")
_ELSEWHERE = re.compile(r"resign|close|take back|no|\d+ places", re.IGNORECASE)
_GOOD = (r"Place it here|.+ for .+", r"(Foundation|Spades|Hearts|Diamonds|Clubs)\b.*|Here|.+, fits here")
_SQUARE = re.compile(r"row (\d+), column (\d+)")
_PLACED = 2
_RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]
_TOUCHES, _MOVES = 25, 100
_NEWS = "(before) => document.querySelector('svg.table').dataset.version !== before"
_WORDS_NOW = """async () => new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html")
    .querySelector("[data-state=words]").textContent"""
_SHORT: dict[str, Any] = {
    "undo": False, "passes": 1, "draw": 3, "foundation_return": False, "length": "hand", "stock": 2, "short": True,
}  # fmt: skip
_DEALS = {
    "freecell": sorted(PACK, key=lambda card: -RANK[card]),
    "klondike": sorted(PACK, key=lambda card: RANK[card] % 4),
    "yukon": sorted(PACK, key=lambda card: RANK[card] * 3 % 7),
    "spider": sorted(PACK * 2, key=lambda card: RANK[card] % 4),
    "forty_thieves": sorted(PACK * 2, key=lambda card: (RANK[card], card)),
}
_SEATS = {"screaming_yoda": 5}


class Stop(NamedTuple):
    """Something in Chromium's accessibility tree that can be pressed."""

    part: str
    role: str
    name: str
    focused: bool
    pressed: bool
    disabled: bool


class Listener:
    """Who hears a game's page and has a keyboard, and tries what was tried least, low cards before high ones."""

    def __init__(self, shown: GamePage, rng: Random) -> None:
        self.shown, self.rng, self.tried = shown, rng, Counter[tuple[str, ...]]()
        self._session = shown.page.context.new_cdp_session(shown.page)
        page = self._session.send("DOM.getDocument", {"depth": 0})["root"]["backendNodeId"]
        groups = {part: self._query(page, role="group", accessibleName=part) for part in _PARTS}
        self._parts = {part: nodes[0]["backendDOMNodeId"] for part, nodes in groups.items() if nodes}
        shown.press("Enter")
        shown.listen()

    def _query(self, node: int, **which: str) -> list[Any]:
        nodes: list[Any] = self._session.send("Accessibility.queryAXTree", {"backendNodeId": node, **which})["nodes"]
        return [one for one in nodes if not one["ignored"]]

    def hear(self, *parts: str) -> list[Stop]:
        """What Tab comes to in these parts, or all that a game is played in."""
        stops = []
        for part in parts or self._parts:
            for node in self._query(self._parts[part], **({} if part == "Actions" else {"role": "button"})):
                state = {one["name"]: one["value"].get("value") for one in node["properties"]}
                role, name = node["role"]["value"], node["name"]["value"]
                if role in ("button", "combobox") and state.get("focusable"):
                    pressed, disabled = state.get("pressed") == "true", bool(state.get("disabled"))
                    stops.append(Stop(part, role, name, bool(state.get("focused")), pressed, disabled))
        return stops

    def move(self) -> bool:
        """One command, if there is one: its parts are reached by Tab and pressed by Enter."""
        before, ways = self.shown.table.get_attribute("data-version"), []
        for _ in range(_TOUCHES):
            stops = self.hear()
            able = [at for at, stop in enumerate(stops) if not stop.pressed and not stop.disabled]
            ways = [at for at in able if not _ELSEWHERE.fullmatch(stops[at].name)]
            if not ways:
                return False
            self._check(stops)
            chosen = tuple(stop.name for stop in stops if stop.pressed)
            at = min(ways, key=lambda way: self._worth(chosen, stops[way]))
            self.tried[*chosen, stops[at].name] += 1
            self._press(stops, at)
            if self.shown.over or self.shown.table.get_attribute("data-version") != before:
                assert self.shown.page.evaluate("window.heard.splice(0).join('')"), f"nothing is said of {stops[at]}"
                return True
        raise AssertionError(f"{_TOUCHES} presses say nothing: {ways}")

    def _worth(self, chosen: tuple[str, ...], stop: Stop) -> tuple[Any, ...]:
        """The less the better: what ends a command or leads home, plates, what was tried least, low cards."""
        plate = stop.part == _PARTS[-1]
        good = next((at for at, words in enumerate(_GOOD) if not plate and re.fullmatch(words, stop.name)), len(_GOOD))
        rank = next((place for place, rank in enumerate(_RANKS) if stop.name.startswith(rank)), len(_RANKS))
        return good, not plate, self.tried[*chosen, stop.name], rank, self.rng.random()

    def give_up(self) -> None:
        for words in ("resign", "yes, resign"):
            stops = self.hear()
            self._press(stops, next(at for at, stop in enumerate(stops) if stop.name.lower() == words))

    def _press(self, stops: list[Stop], at: int) -> None:
        """By Tab, to which the squares of a board are one place, and by arrow keys from square to square."""
        squares = [_SQUARE.match(stop.name) for stop in stops]
        tabs = list(accumulate((not (square and before) for before, square in pairwise(squares)), initial=0))
        way = tabs[at] - next(tab for tab, stop in zip(tabs, stops, strict=True) if stop.focused)
        for _ in range(abs(way)):
            self.shown.press("Tab" if way > 0 else "Shift+Tab")
        focused = {stop.name for stop in (self.hear(stops[at].part) if way else stops) if stop.focused}
        if goal := squares[at]:
            [start] = filter(None, map(_SQUARE.match, focused))
            for number, keys in enumerate((("ArrowUp", "ArrowDown"), ("ArrowLeft", "ArrowRight")), 1):
                far = int(goal[number]) - int(start[number])
                for _ in range(abs(far)):
                    self.shown.press(keys[far > 0])
            focused = {stop.name for stop in self.hear(stops[at].part) if stop.focused}
        assert stops[at].name in focused
        self.shown.press("ArrowDown" if stops[at].role == "combobox" else "Enter")
        self.shown.ready()

    def _check(self, stops: list[Stop]) -> None:
        """The focus is in the game; everything has a name of its own, save like cards of a hand."""
        assert [stop for stop in stops if stop.focused], f"the focus is lost: {stops}"
        names = Counter((stop.part, stop.name) for stop in stops if not re.search(", Hand", stop.name))
        assert "" not in {name for _, name in names}
        assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("key", sorted({*GAME_TYPES, "megi_9"}))
def test_a_whole_game_is_played_by_names_and_keys(key: str, at_home: Page, site: Service, ada: Player) -> None:
    game_type, more = (GAME_TYPES[key], {}) if key in GAME_TYPES else (GAME_TYPES["megiddo"], {"variant": key})
    options = {name: value for name, value in _SHORT.items() if name in game_type.options.__struct_fields__}
    seats = _SEATS.get(key, game_type.seats[0])
    several = {"seats": seats} if seats > 1 else {}
    start = {"deal": _DEALS[key]} if key in _DEALS else {"seed": "by name"}
    game = opened(ada, game_type.key, rated=False, options=options | more, **several, **start)
    for _ in range(1, seats):
        done(ada.post(of(game, "/bots"), {"level": "greedy"}))
    shown, said = GamePage(at_home, site, game), 0
    shown.ready()
    listener = Listener(shown, Random(key))
    while not shown.over:
        before = shown.table.get_attribute("data-version")
        if sum(count for names, count in listener.tried.items() if names[-1] == "Place it here") == _PLACED:
            listener.give_up()
        elif listener.move():
            said += 1
            assert said < _MOVES
        else:  # somebody else moves
            shown.page.wait_for_function(_NEWS, arg=before)
            shown.ready()
    assert look(ada, game)["status"] == "finished"
    expect(at_home.get_by_role("region").get_by_role("heading", level=2).first).to_be_focused()
    shown.press("Tab")
    expect(at_home.get_by_role("button", name="Play again", exact=True)).to_be_focused()
    at_home.get_by_text("The table in words").press("Enter")
    expect(at_home.locator("[data-state=words]")).to_have_text(at_home.evaluate(_WORDS_NOW))


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
