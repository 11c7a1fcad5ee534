"""What a game's page costs whoever opens it: at most 8 requests and 90 kB over the wire, and nothing painted twice.

A player's page is the heavy one: what tells the cards of a hand leaves uncompressed (`service/http/README.md`). The
largest paint is the first one, and what is drawn after it pushes nothing aside. The icon does not count: a browser with
tabs asks for it once the page is drawn, a headless one never does.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from msgspec import to_builtins
from playwright.sync_api import Page

from domain.games import GAME_TYPES
from service.web.static_files import FILES
from tests.analysis import planted
from tests.api.analysing import ask, await_analysis
from tests.api.playing import Game, look, opened, play_on, say
from tests.api.puzzled import lost
from tests.api.serving import Player, Service

from .game_pages import GamePage
from .test_analysis import PLANTED

STYLES = Path(__file__).parents[2] / "service" / "web" / "static"
MOST_REQUESTS, MOST_BYTES, MOST_SHIFT = 8, 90_000, 0.005
PHONE = {"width": 390, "height": 844}
_COMMANDS = 60
_ICON = "/icon.svg"
FORMS: dict[str, dict[str, Any]] = {key: {"game_type": key} for key in GAME_TYPES} | {
    "megi_9": {"game_type": "megiddo", "options": {"variant": "megi_9"}}
}


class Weighed:
    """What a page has asked for since then, by address, and what it weighed, headers too."""

    def __init__(self, page: Page) -> None:
        self._urls: dict[str, str] = {}
        self._bytes: dict[str, float] = {}
        network = page.context.new_cdp_session(page)
        network.on("Network.requestWillBeSent", self._begun)
        network.on("Network.responseReceived", self._answered)
        network.on("Network.loadingFinished", self._ended)
        network.send("Network.enable")
        network.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _begun(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        if not urlsplit(url).path.endswith(_ICON):
            self._urls[event["requestId"]] = url

    def _answered(self, event: dict[str, Any]) -> None:
        self._bytes[event["requestId"]] = event["response"]["encodedDataLength"]

    def _ended(self, event: dict[str, Any]) -> None:
        self._bytes[event["requestId"]] = event["encodedDataLength"]

    @property
    def parts(self) -> list[tuple[str, float]]:
        """The path of each request and its bytes; of a stream those of its headers."""
        return [(url.split("/", 3)[3], self._bytes.get(key, 0)) for key, url in self._urls.items()]


_BARS = """async () => {
    const sent = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const bars = [sent, document].map((page) => [...page.querySelectorAll(".bar > .status, .bar .chip")].map(
        (node) => node.textContent));
    return [...bars, sent.body.textContent];
}"""


_PAINTS = """() => new Promise((done) => {
    new PerformanceObserver((list) => done(list.getEntries())).observe({
        type: "largest-contentful-paint", buffered: true });
    setTimeout(() => done([]), 60_000);
}).then((paints) => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    return [paints, observer.takeRecords()];
}).then(([paints, shifts]) => ({
    first: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    largest: paints.map(({ startTime, element }) => [startTime, element?.textContent]),
    script: (({ startTime, responseEnd }) => [startTime, responseEnd])(
        performance.getEntriesByType("resource").find(({ name }) => /(game|puzzle)[.]js$/.test(name))),
    shifts: shifts.map(({ value, sources }) => [value, sources.map(({ node }) => node?.className)]),
}))"""


_RULES = """(texts) => texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return [...sheet.cssRules].map((rule) => rule.cssText.replaceAll(", ", ","));
})"""


def _require_light_and_calm(page: Page, site: Service, game: Game, link: str = "", part: str = ".bar") -> None:
    """The first paint is the largest one and waits for no script; what comes later shifts nothing and says the same."""
    weighed = Weighed(page)
    GamePage(page, site, game, link)
    page.locator(part).wait_for()
    page.wait_for_load_state("networkidle")
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    parts, paints, (sent, drawn, served) = weighed.parts, page.evaluate(_PAINTS), page.evaluate(_BARS)
    assert len(parts) <= MOST_REQUESTS, parts
    assert sum(size for _, size in parts) <= MOST_BYTES, parts
    requested, arrived = paints["script"]
    assert paints["first"] < requested, paints
    assert all(at < arrived or (words and words in served) for at, words in paints["largest"]), paints
    assert paints["largest"] != []
    assert sum(value for value, _ in paints["shifts"]) < MOST_SHIFT, paints["shifts"]
    assert link or sent == drawn != []


def _line_of_play(key: str, seed: str, rng: Random, most: int, **options: Any) -> Iterator[dict[str, Any]]:
    """Random legal commands of a game with the deal of this seed, found here and not asked of the server."""
    position = planted.opened(key, seed, **options)
    for _ in range(most):
        if not (listed := planted.moves(position)):
            return
        command = rng.choice(listed)
        position = planted.after(position, command)
        yield to_builtins(command)


@pytest.mark.parametrize("name", sorted(FORMS))
def test_a_page_of_every_game_type_is_light_and_begins_with_the_words_that_stay(
    name: str, at_home: Page, site: Service, ada: Player
) -> None:
    form = FORMS[name]
    seats = GAME_TYPES[form["game_type"]].seats[0]
    several = {"seats": seats, "hot_seat": True} if seats > 1 else {}
    game = opened(ada, seed="weighed", **form, **several)
    if seats == 1:
        line = list(_line_of_play(form["game_type"], "weighed", Random(name), _COMMANDS))
        assert say(ada, game, line).json()["accepted"] == len(line) > 0
    else:
        list(play_on([ada] * seats, game, Random(name), most=_COMMANDS))
    at_home.set_viewport_size(PHONE)
    for _ in ("as it stands", "over"):
        _require_light_and_calm(at_home, site, game)
        for seat in range(seats):
            say(ada, game, {"type": "game/resign"}, params={"seat": seat})
        at_home.goto("about:blank")


def test_a_game_played_to_its_end_a_lost_one_with_its_analysis_and_one_that_waits_are_light_too(
    at_home: Page, site: Service, ada: Player, bob: Player
) -> None:
    at_home.set_viewport_size(PHONE)
    played, waiting = (
        opened(ada, "golf", seed="weighed", options={"undo": False}),
        opened(bob, "screaming_yoda", seats=3),
    )
    say(ada, played, list(_line_of_play("golf", "weighed", Random("golf"), 200, undo=False)))
    assert look(ada, played)["status"] == "finished"
    given_away, step = lost(ada, PLANTED)
    ask(ada, given_away)
    await_analysis(ada, given_away)
    for game, link, part in (
        (played, "", ".bar"), (given_away, f"#step={step}", ".trace.missed"), (waiting, "", ".waiting-table"),
    ):  # fmt: skip
        _require_light_and_calm(at_home, site, game, link, part)
        at_home.goto("about:blank")


@pytest.mark.parametrize("name", sorted(path.name for path in STYLES.glob("*.css")))
def test_a_style_says_the_same_without_its_spaces_and_comments(name: str, page: Page) -> None:
    written, served = (STYLES / name).read_text("utf-8"), FILES[name].decode()
    full, bare = page.evaluate(_RULES, [written, served])
    assert full == bare != []
    assert len(served) < 0.9 * len(written)
