"""A game with a planted mistake, and the puzzle of its position after the second step."""

from uuid import UUID

import msgspec
import psycopg

from service.puzzles import collection
from tests.analysis.planted import planted

from .playing import Game, opened, say
from .serving import Player

RIGHT = {"type": "black_hole/move", "source": "tableau_14", "target": "foundation"}
"""The one move that wins."""


def lost_with_puzzle(player: Player, conninfo: str) -> tuple[Game, int]:
    """The game, and the step of the mistake; its puzzle is put past the running server."""
    found = planted("black_hole", "planted 28")
    game = opened(player, found.key, seed=found.seed)
    say(player, game, [msgspec.to_builtins(command) for command in found.commands])
    with psycopg.connect(conninfo, autocommit=True) as connection:
        ids = UUID(game["id"]), UUID(player.id)
        collection.put(connection, *ids, found.key, 2, ["two_of_a_rank"], [[RIGHT]])
    return game, found.lost_step
