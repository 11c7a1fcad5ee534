"""A game with a planted mistake, and the puzzle of its position after the second step."""

from typing import Any
from uuid import UUID

import msgspec
import psycopg

from service.puzzles import collection
from service.puzzles.corpus import corpus_statement
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


def ship(conninfo: str) -> None:
    """Put the puzzles that come with the service, past the running server."""
    statement = corpus_statement()
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(statement.sql.encode(), statement.params)


def line_of(conninfo: str, puzzle: object) -> list[list[Any]]:
    """For each move of this puzzle's solution the commands that make it."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        row = connection.execute("SELECT line FROM puzzles WHERE puzzle = %s", (puzzle,)).fetchone()
    assert row is not None
    line: list[list[Any]] = msgspec.json.decode(row[0])
    return line


def lost_with_puzzle(player: Player, conninfo: str) -> tuple[Game, int]:
    """The same; its puzzle is put past the running server."""
    game, step = lost(player)
    with psycopg.connect(conninfo, autocommit=True) as connection:
        ids = UUID(game["id"]), UUID(player.id)
        collection.put(connection, *ids, "black_hole", 2, ["two_of_a_rank"], [[RIGHT]])
    return game, step
