"""Asking where a game was lost, and waiting for the answer."""

import time
from typing import Any

import httpx

from .playing import Game, of
from .serving import Player


def ask(player: Player, game: Game, **body: Any) -> httpx.Response:
    return player.post(of(game, "/analysis"), body)


def await_analysis(player: Player, game: Game) -> dict[str, Any]:
    """The report, once it is done; somebody has asked for it."""
    while (told := player.get(of(game, "/analysis")).raise_for_status().json())["status"] != "done":
        time.sleep(0.05)
    report: dict[str, Any] = told["report"]
    return report
