"""Hands at a table on a page: drags that wait for nothing, a line of play to repeat, a line that is slow."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from playwright.sync_api import Page

from tests.api.playing import Game, moves, opened, say
from tests.api.serving import Player

from .game_pages import GamePage

Command = dict[str, Any]


def middle(game_page: GamePage, zone: str) -> tuple[float, float]:
    """The middle of what can be seen of a zone's last card, or of its empty place."""
    cards, box = game_page.page.locator(f'[data-zone="{zone}"]'), None
    for _ in range(100):  # while it is looked at, the table may be drawn anew
        box = (cards.last if cards.count() else game_page.page.locator(f'[data-place="{zone}"]')).bounding_box()
        if box is not None:
            break
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(game_page: GamePage, source: str, target: str) -> None:
    """Press, move and let go, with nothing waited for."""
    mouse = game_page.page.mouse
    mouse.move(*middle(game_page, source))
    mouse.down()
    mouse.move(*middle(game_page, target), steps=4)
    mouse.up()


def line_of_play(ada: Player, seed: str, count: int) -> tuple[Game, list[Command]]:
    """A game of FreeCell played through the API for so many moves of one card, and the moves."""
    game, rng, line = opened(ada, "freecell", seed=seed), Random(seed), []
    for _ in range(count):
        single = [move for move in moves(ada, game) if move.get("count", 1) == 1 and "source" in move]
        last = line[-1] if line else {}
        line.append(rng.choice([move for move in single if move["source"] != last.get("target")]))
        assert say(ada, game, line[-1]).status_code == 200
    return game, line


@contextmanager
def slow_line(page: Page, milliseconds: int) -> Iterator[None]:
    """Every request waits so long."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    slow = {"offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", slow)
    yield
    session.send("Network.emulateNetworkConditions", slow | {"latency": 0})
    session.detach()
