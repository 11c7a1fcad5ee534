"""A game's page as the tests use it: opened with a session, read from its elements, worked by clicks and keys."""

from random import Random
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, FloatRect, Locator, Page

from tests.api.playing import Game, look, of, opened
from tests.api.serving import Player, Service

Table = dict[str, list[str]]
_READY = """() => {
    const table = document.querySelector("svg.table"), over = !document.querySelector(".banner")?.hidden;
    return table && !("busy" in table.dataset) && (over || table.dataset.listed === table.dataset.version);
}"""
_SHOWS = "([name, value]) => document.querySelector('svg.table')?.dataset[name] === value"
_SHOWS_AT_LEAST = "(step) => Number(document.querySelector('svg.table')?.dataset.step) >= step"
_LISTEN = """() => {
    const region = document.querySelector(".told");
    window.heard = [];
    new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true });
}"""
_ZONES = """() => Object.fromEntries([...document.querySelectorAll("svg.table [data-zone-id]")].map((zone) =>
    [zone.dataset.zoneId, [...zone.querySelectorAll("[data-card]")].map((card) => card.dataset.card)]))"""
_BRIGHT = "svg.table [data-lit][tabindex]:not([data-chosen])"
_WAYS = {
    "touch": _BRIGHT,
    "say": ".panel .choices > :not(.apart) .say:not([disabled])",
    "narrow": ".panel .narrow[aria-pressed=false], .offer:enabled[aria-pressed=false]",
    "cell": ".panel .cell[aria-disabled=false][aria-pressed=false]",
}
_COUNT = """(ways) => Object.fromEntries(Object.entries(ways).map(
    ([name, selector]) => [name, document.querySelectorAll(selector).length]))"""


def sign_in(context: BrowserContext, site: Service, player: Player) -> None:
    """Give this browser a session of the player."""
    origin = {"Origin": "{0.scheme}://{0.netloc}".format(urlsplit(site.url))}
    answer = context.request.post(f"{site.url}/sign-in", form={"token": player.token}, headers=origin)
    assert answer.ok, answer.text()


def box_of(part: Locator) -> FloatRect:
    """Where it lies in the window; it must be drawn."""
    box = part.bounding_box()
    assert box is not None
    return box


def end_sessions(player: Player) -> None:
    """End every session of the player, as another browser would."""
    for token in player.get("/v1/tokens").json()["tokens"]:
        if token.get("session"):
            assert player.http.delete(f"/v1/tokens/{token['id']}").status_code == 204


class GamePage:
    """The page of one game."""

    def __init__(self, page: Page, site: Service, game: Game, link: str = "") -> None:
        self.page, self.game, self.site = page, game, site
        page.goto(f"{site.url}/games/{game['id']}{link}")
        page.wait_for_function("() => document.querySelector('svg.table')?.dataset.step")

    @property
    def step(self) -> int:
        """The step that is shown."""
        return int(self.table.get_attribute("data-step") or -1)

    @property
    def viewer(self) -> str:
        """Through whose eyes: `seat-0`, `spectator`, `all`."""
        return str(self.table.get_attribute("data-viewer"))

    @property
    def table(self) -> Locator:
        return self.page.locator("svg.table")

    @property
    def told(self) -> str:
        """What the live region says."""
        return self.page.locator(".told").inner_text()

    def listen(self) -> None:
        """Note from now on what the live region says: the next step's words may come at once."""
        self.page.evaluate(_LISTEN)

    def hear(self, words: str) -> None:
        """Wait until these words have been said since then."""
        self.page.wait_for_function("(words) => window.heard.includes(words)", arg=words)

    @property
    def over(self) -> bool:
        return self.page.locator(".banner").is_visible()

    def zones(self) -> Table:
        """The cards of every zone, read from the page."""
        zones: Table = self.page.evaluate(_ZONES)
        return zones

    def ready(self) -> None:
        """Wait until it is known what may be done, or the game is over."""
        self.page.wait_for_function(_READY)

    def reach(self, step: int) -> None:
        """Wait until this step is shown."""
        self.page.wait_for_function(_SHOWS, arg=["step", str(step)])

    def reach_at_least(self, step: int) -> None:
        """Wait until this step is shown or, where nobody looked in time, a later one."""
        self.page.wait_for_function(_SHOWS_AT_LEAST, arg=step)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def slide(self, step: int) -> None:
        """Move the slider; who plays asks for it first."""
        if not self.page.locator(".controls").is_visible():
            self.page.get_by_role("button", name="Replay", exact=True).click()
        self.page.get_by_label("Step", exact=True).fill(str(step))
        self.reach(step)

    def look_as(self, viewer: str) -> None:
        """Choose through whose eyes."""
        self.page.get_by_label("Seen by").select_option(viewer)
        self.page.wait_for_function(_SHOWS, arg=["viewer", viewer])

    def card(self, zone: str, index: int) -> Locator:
        return self.page.locator(f'[data-zone="{zone}"][data-index="{index}"]')

    def say_by_lot(self, rng: Random) -> None:
        """One command by clicks on what lights up and what can be pressed, as the lot has it."""
        before = self.table.get_attribute("data-version")
        for _ in range(40):
            self.click_by_lot(rng)
            self.ready()
            if self.over or self.table.get_attribute("data-version") != before:
                return
        raise AssertionError(f"forty clicks say nothing: {self.page.locator('.panel').inner_text()}")

    def click_by_lot(self, rng: Random) -> None:
        """A click on something that lights up, or a button; a list is set by lot first."""
        counts = self._ways()
        assert any(counts.values()), f"nothing lights up: {self.page.locator('.panel').inner_text()}"
        name = rng.choice([name for name, count in counts.items() if count])
        for chosen in self.page.locator(".panel select").all() if name == "say" else []:
            chosen.select_option(index=rng.randrange(chosen.locator("option").count()))
        way = self.page.locator(_WAYS[name]).nth(rng.randrange(counts[name]))
        # The middle of a card may lie under other cards, and the corner of a turned one is none of its own.
        corner = way.get_attribute("data-card") is not None and "rotate" not in (way.get_attribute("transform") or "")
        way.click(**({"position": {"x": 4, "y": 4}} if name == "touch" and corner else {}))

    def can_go_on(self) -> bool:
        """Whether something lights up or can be pressed, besides undo and resigning."""
        self.ready()
        return not self.over and any(self._ways().values())

    def _ways(self) -> dict[str, int]:
        counts: dict[str, int] = self.page.evaluate(_COUNT, _WAYS)
        return counts

    def resign(self) -> None:
        """Resign at every seat that is asked, until the game is over."""
        while not self.over:
            self.page.locator('[data-say="game/resign"]').click()
            self.page.locator('[data-sure="game/resign"]').click()
            self.ready()


def dealt(page: Page, site: Service, player: Player, *key: str, **body: Any) -> tuple[GamePage, Game]:
    """The page of a new game of the player, once it is known what may be done there."""
    game = opened(player, *key, **body)
    game_page = GamePage(page, site, game)
    game_page.ready()
    return game_page, game


def frame_zones(frame: dict[str, Any]) -> Table:
    """The cards of every zone as the API tells them."""
    zones = (frame["view"] or {"zones": []})["zones"]
    return {zone["id"]: ["#"] * zone.get("face_down", 0) + list(zone.get("cards", ())) for zone in zones}


def seen(player: Player, game: Game, step: int, viewer: str) -> Table:
    """The cards of every zone in the API's frame of this step."""
    answer = player.get(of(game, f"/frames/{step}"), params=eyes(viewer))
    assert answer.status_code == 200, answer.text
    return frame_zones(answer.json())


def eyes(viewer: str) -> dict[str, Any]:
    """A viewer's key as the API's parameters."""
    if viewer == "all":
        return {"known": "now"}
    return {"spectator": True} if viewer == "spectator" else {"seat": int(viewer.removeprefix("seat-"))}


def moved(game_page: GamePage, ada: Player, game: Game, step: int = 1) -> None:
    """The page shows this step, the game stands there, and both have the same cards."""
    game_page.reach(step)
    assert look(ada, game)["step"] == step
    assert game_page.zones() == seen(ada, game, step, "seat-0")
