"""A game with a planted mistake, and the puzzle of its position after the second step."""

from typing import Any
from uuid import UUID

import msgspec
import psycopg

from service.puzzles import collection
from tests.analysis.planted import planted

from .playing import Game, opened, say
from .serving import Player

RIGHT = {"type": "black_hole/move", "source": "tableau_14", "target": "foundation"}
"""The one move that wins."""


def lost(player: Player, planting: tuple[Any, ...] = ("black_hole", "planted 28", 38), **more: Any) -> tuple[Game, int]:
    """The game, and the step of the mistake."""
    plan = planted(*planting)
    game = opened(player, plan.key, seed=plan.seed, **more)
    answer = say(player, game, [msgspec.to_builtins(command) for command in plan.commands])
    assert answer.json()["accepted"] == len(plan.commands), answer.text
    return game, plan.lost_step


def lost_with_puzzle(player: Player, conninfo: str) -> tuple[Game, int]:
    """The same; its puzzle is put past the running server."""
    game, step = lost(player)
    with psycopg.connect(conninfo, autocommit=True) as connection:
        ids = UUID(game["id"]), UUID(player.id)
        collection.put(connection, *ids, "black_hole", 2, ["two_of_a_rank"], [[RIGHT]])
    return game, step
