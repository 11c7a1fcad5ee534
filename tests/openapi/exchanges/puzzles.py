"""A puzzle of a game that Ada lost, which Bob solves."""

from uuid import UUID

import msgspec
import psycopg

from service.puzzles import collection
from tests.analysis.planted import planted
from tests.api.playing import opened, say
from tests.openapi.exchanges.cast import Cast
from tests.openapi.exchanges.stage import NOBODY

RIGHT = {"type": "black_hole/move", "source": "tableau_14", "target": "foundation"}


def play(cast: Cast) -> None:
    """Ada's game, mined past the running server."""
    stage, ada, bob = cast.stage, cast.ada, cast.bob
    stage.refuse("get_next_puzzle", bob, "no_such_thing")
    stage.refuse("get_daily_puzzle", None, "no_such_thing")
    found = planted("black_hole", "planted 28")
    game = opened(ada, found.key, seed=found.seed)
    say(ada, game, [msgspec.to_builtins(command) for command in found.commands])
    with psycopg.connect(stage.service.conninfo, autocommit=True) as connection:
        collection.put(connection, UUID(game["id"]), UUID(ada.id), found.key, 2, ["two_of_a_rank"], [[RIGHT]])
    puzzle = stage.succeed("get_daily_puzzle", None)
    stage.name(puzzle=puzzle["id"], puzzled=game["id"])
    one, said = {"puzzle_id": puzzle["id"]}, {"commands": [RIGHT]}
    stage.succeed("get_next_puzzle", bob, query={"game_type": "black_hole"})
    stage.refuse("attempt_puzzle", bob, "puzzle_over", {"commands": [RIGHT, RIGHT]}, **one)
    stage.succeed("attempt_puzzle", bob, said, **one)
    stage.succeed("get_puzzle", bob, **one)
    stage.refuse("get_puzzle", bob, "no_such_thing", puzzle_id=NOBODY)
    stage.succeed("get_puzzle_standing", bob)
    stage.refuse("get_puzzle_standing", None, "unauthenticated")
