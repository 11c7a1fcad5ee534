"""Asking where a game was lost, and waiting for the answer."""

import time
from collections.abc import Iterable
from typing import Any

import httpx

from domain.play.aggregate import AnyRecord
from domain.play.open_record import OpenRecord, record_lines

from .playing import Game, of
from .recording import brought
from .serving import Player


def ask(player: Player, game: Game, **body: Any) -> httpx.Response:
    return player.post(of(game, "/analysis"), body)


def judge(player: Player, **body: Any) -> httpx.Response:
    return player.post("/v1/deals", body)


def await_analysis(player: Player, game: Game) -> dict[str, Any]:
    """The report, once it is done; somebody has asked for it."""
    while (state := player.get(of(game, "/analysis")).raise_for_status().json())["status"] != "done":
        time.sleep(0.05)
    return state["report"]


def imported(player: Player, records: Iterable[AnyRecord]) -> Game:
    """The game of these records, brought here by this player."""
    return brought(player, b"".join(record_lines(OpenRecord(tuple(records), None)))).raise_for_status().json()
