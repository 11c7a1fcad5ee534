"""`python -m tests.benchmarks.strong_bots [GAMES [SECONDS [KEY ...]]]`: the house's strong bot against its greedy ones.

In memory, at the smallest table of each type; the strong bot has one seat, another one from game to game, and so many
seconds of processor time a command. Deals are seeded; what is thought of in a second is not. Prints one JSON document:
by game type the games won, drawn and lost, the share with its standard error, and the share that an equal would have.
"""

import json
import sys
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev
from time import process_time
from typing import Any
from uuid import UUID

import msgspec

from domain.games import GAME_TYPES
from domain.kit.evaluation import Evaluator
from domain.play.aggregate import Game
from domain.play.deciding import Act, play
from service.house.engine import Budget, choose_command
from service.live.shapes import AnyPlayCommand

from .bots import MOST, START, opened
from .measures import say, short

_SEARCHED = [key for key, game_type in GAME_TYPES.items() if game_type.has(Evaluator)]


def measured(key: str, games: int, seconds: float) -> dict[str, Any]:
    """So many games of this type with its default options."""
    say(f"{games} games of {key}")
    began = process_time()
    shares = [_share_of_strong(key, number, Budget(seconds)) for number in range(games)]
    seats = len(opened(key, 0).players)
    return {
        "games": games, "seats": seats, "seconds_a_command": seconds, "won": sum(share == 1 for share in shares),
        "drawn": sum(0 < share < 1 for share in shares), "lost": sum(share == 0 for share in shares),
        "share": short(mean(shares)), "standard_error": short(stdev(shares) / sqrt(games)),
        "share_of_an_equal": short(1 / seats), "processor_seconds": short(process_time() - began),
    }  # fmt: skip


def _share_of_strong(key: str, number: int, budget: Budget) -> float:
    """What the strong bot gets of game `number`: 1 won alone, 0 lost, a draw its part."""
    game, random = opened(key, number), Random(f"{key} {number}")
    strong, commands = number % len(game.players), 0
    while game.status == "playing" and commands < MOST:
        game, commands = _after_one(game, strong, budget, random), commands + 1
    if game.result is None or not game.result.winners:
        return 1 / len(game.players)
    return (strong in game.result.winners) / len(game.result.winners)


def _after_one(game: Game, strong: int, budget: Budget, random: Random) -> Game:
    """The game after one seat that is to act has spoken, or has chosen to say nothing."""
    to_act: Sequence[int] = game.type.look(game.state, None).to_act
    seat = random.choice(to_act)
    chosen = choose_command(game.type, game.options, game.state, seat, random, budget if seat == strong else None)
    if chosen is None:
        return game
    command = msgspec.convert(chosen, AnyPlayCommand)
    return play(game, command, Act(UUID(int=0xB0 + seat), seat, START)).game


def main(arguments: list[str]) -> None:
    """Play the named game types, all that are searched if none is named."""
    games = int(arguments[0]) if arguments else 100
    seconds = float(arguments[1]) if len(arguments) > 1 else 0.05
    print(json.dumps({key: measured(key, games, seconds) for key in arguments[2:] or _SEARCHED}, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
