"""`make shots`: every game and the other pages as screenshots, on a desktop, a laptop and a phone, light and dark.

One server and one browser; a page is loaded once, for its looks differ in size and colours alone. The folder also gets
an `index.html` with all of them side by side.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from html import escape
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, sync_playwright

from domain.games import GAME_TYPES
from service.postgres import private_server
from tests import clusters
from tests.api.analysing import ask, await_analysis
from tests.api.browsing import caught_up
from tests.api.furnished import Furnished
from tests.api.playing import Game, opened, play_on, seated
from tests.api.puzzled import lost_with_puzzle
from tests.api.serving import Player, Service, serving

from .chromium import ARGUMENTS, PATIENCE, executable
from .game_pages import sign_in
from .looks import SCHEMES

SIZES = {"desktop": (1440, 900), "laptop": (1280, 720), "phone": (390, 844)}
_STEPS, _SEED = 24, "shots"
_DRAWN = "() => document.querySelector('svg.table')?.dataset.step"
_SETTLED = """() => Promise.all([document.fonts.ready, ...[...document.images].map((image) => {
    image.loading = "eager";
    return image.decode().catch(() => undefined);
})]).then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))"""
_PLAYABLE = """() => {
    const table = document.querySelector("svg.table"), over = document.querySelector(".kibitz.replay") !== null;
    return table && !("busy" in table.dataset) && (over || table.dataset.listed === table.dataset.version);
}"""


def _games(players: list[Player]) -> Iterator[tuple[str, Game]]:
    """A game of each type as it stands after some random commands, everybody at a seat of their own."""
    forms: dict[str, dict[str, Any]] = {key: {"game_type": key} for key in GAME_TYPES}
    forms["megi_9"] = {"game_type": "megiddo", "options": {"variant": "megi_9"}}
    for name, form in forms.items():
        game = opened(players[0], seed=name, **form)
        game = seated(game, *players[1 : len(game["seats"])])
        list(play_on(players, game, Random(name), most=_STEPS))
        yield name, game


def _lost(service: Service, player: Player) -> tuple[Game, int]:
    """A game with a mistake that was found, of which there is a puzzle; and its step."""
    game, step = lost_with_puzzle(player, service.conninfo)
    ask(player, game)
    await_analysis(player, game)
    return game, step


def places(service: Service) -> Iterator[tuple[str, str, Player | None]]:
    """The name of each page, its path, and who is signed in there."""
    room = Furnished(service)
    over = opened(room.ada, "golf", options={"undo": False})
    list(play_on([room.ada], over, Random(_SEED), most=200))
    waiting = opened(room.bob, "screaming_yoda", seats=3)
    for name, game in _games([room.ada, room.bob, room.cyd, room.eve]):
        yield f"game-{name}", f"/games/{game['id']}", room.ada
    lost, step = _lost(service, room.ada)
    judged = {"id": room.ada.post("/v1/deals", {"game_type": "freecell", "deal_number": 1}).json()["game_id"]}
    await_analysis(room.ada, judged)
    caught_up(service)
    box = f"/leagues/{room.box['id']}"
    for name, path, who in (
        ("replay", f"/games/{room.game['id']}#step=12", None), ("finished", f"/games/{over['id']}", room.ada),
        ("lost", f"/games/{lost['id']}#step={step}", room.ada), ("puzzle", "/puzzles", room.bob),
        ("deals", "/deals", None), ("deal", "/deals/freecell", room.ada),
        ("judged", f"/games/{judged['id']}", room.eve),
        ("waiting", f"/games/{waiting['id']}", room.ada), ("front-stranger", "/", None), ("front", "/", room.ada),
        ("leagues", "/leagues", room.ada), ("league", box, room.ada), ("season", f"{box}/seasons/1", room.ada),
        ("days", "/days", room.ada), ("contest", f"/contests/{room.contest}", room.ada),
        ("account", "/account", room.ada),
        ("player", f"/players/{room.ada.id}", room.ada), ("game-type", "/game-types/spite_and_malice", None),
        ("form", "/games/new/spite_and_malice", room.ada), ("sign-in", "/sign-in", None),
        ("scoreboard", "/scoreboards/golf", None), ("ladder", "/ladders/spite_and_malice", None),
        ("rubber", "/scoreboards/bridge_solitaire", None),
    ):  # fmt: skip
        yield name, path, who


def _shoot(page: Page, name: str, folder: Path) -> None:
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.evaluate(_SETTLED)
            page.screenshot(path=folder / f"{name}-{size}-{scheme}.png")


def _index(folder: Path, names: list[str]) -> None:
    rows = []
    for name in names:
        files = [f"{name}-{size}-{scheme}.png" for size in SIZES for scheme in SCHEMES]
        shown = "".join(f'<a href="{file}"><img src="{file}" height="300" alt="{file}"></a> ' for file in files)
        rows.append(f"<h2>{escape(name)}</h2><p>{shown}</p>")
    text = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title>{"".join(rows)}</html>\n'
    (folder / "index.html").write_text(text)


def main(words: list[str]) -> int:
    """Make the folder's screenshots."""
    parser = ArgumentParser(prog="python -m tests.browser.shots", description=__doc__)
    parser.add_argument("folder", nargs="?", default="build/shots", type=Path, help="default: %(default)s")
    parser.add_argument("--only", default="", metavar="WORD", help="pages whose name has this word in it")
    chosen = parser.parse_args(words)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    names = []
    with (
        TemporaryDirectory() as data, private_server(clusters.fill(Path(data)), clusters.FAST) as server,
        serving(server.dsn, heartbeat=15.0) as service,
    ):  # fmt: skip
        chosen_places = [place for place in places(service) if chosen.only in place[0]]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
            context = browser.new_context()
            context.set_default_timeout(PATIENCE)
            for name, path, who in chosen_places:
                context.clear_cookies()
                if who is not None:
                    sign_in(context, service, who)
                page = context.new_page()
                page.goto(service.url + path)
                if path.startswith("/games/") and "new" not in path:
                    page.wait_for_function(_DRAWN if who is None or name == "waiting" else _PLAYABLE)
                _shoot(page, name, chosen.folder)
                page.close()
                names.append(name)
            browser.close()
    _index(chosen.folder, names)
    sys.stdout.write(f"{len(names) * len(SIZES) * len(SCHEMES)} screenshots: {chosen.folder / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
