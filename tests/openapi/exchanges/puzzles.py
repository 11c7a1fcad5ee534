"""A puzzle of a game that Ada lost, which Bob solves."""

from tests.api.puzzled import RIGHT, lost_with_puzzle
from tests.openapi.exchanges.cast import Cast
from tests.openapi.exchanges.stage import NOBODY


def play(cast: Cast) -> None:
    """Ada's game, mined past the running server."""
    stage, ada, bob = cast.stage, cast.ada, cast.bob
    stage.refuse("get_next_puzzle", bob, "no_such_thing")
    stage.refuse("get_daily_puzzle", None, "no_such_thing")
    game, _ = lost_with_puzzle(ada, stage.service.conninfo)
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
