"""`python -m tests.benchmarks.bots [GAMES [KEY ...]]`: greedy against random, in memory, at two-seat tables.

Both choose as `kibitz bot` does, from what the API would tell them: views and legal commands as JSON. Seats change from
game to game, deals are seeded. Prints one JSON document: by game type the games greedy won, drew and lost, and its
share (a draw counts half).
"""

import json
import sys
from collections import Counter
from hashlib import sha256
from random import Random
from time import process_time
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from domain.capabilities import OptionRules
from domain.games import GAME_TYPES
from domain.kit.evaluation import Position
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, legal_moves, play
from domain.play.frames import view_of
from domain.play.table import Opening, open_game
from service.house.engine import CHOICES, Choice
from service.live.shapes import AnyPlayCommand

from .measures import say, short

PLAYERS = (UUID(int=0xB0), UUID(int=0xB1), UUID(int=0xB2))
START = 1_700_000_000_000_000
MOST = 5000
"""Commands of a game; who has not won by then has not won."""


class Ended(NamedTuple):
    """How one game ended for greedy, and after how many commands."""

    outcome: str
    commands: int


def two_seat_types() -> list[str]:
    """The game types that two can play against each other."""
    return [key for key, found in GAME_TYPES.items() if 2 in found.seats]


def measured(key: str, games: int) -> dict[str, Any]:
    """So many games of this type with its default options."""
    say(f"{games} games of {key}")
    began = process_time()
    ended = [_played(key, number) for number in range(games)]
    outcomes = Counter(one.outcome for one in ended)
    return {
        "games": games,
        **{outcome: outcomes[outcome] for outcome in ("won", "drawn", "lost", "unfinished")},
        "greedy_share": short((outcomes["won"] + outcomes["drawn"] / 2) / games),
        "commands_mean": short(sum(one.commands for one in ended) / games),
        "processor_seconds": short(process_time() - began),
    }


def _played(key: str, number: int) -> Ended:
    """Game `number`: greedy has seat 0 in even ones."""
    greedy, random, game = number % 2, Random(f"{key} {number}"), opened(key, number)
    choices: list[Choice] = [CHOICES["random"]] * 2
    choices[greedy] = CHOICES["greedy"]
    commands = 0
    while game.status == "playing" and commands < MOST:
        game, commands = _said(game, choices, random), commands + 1
    return Ended(_outcome(game, greedy), commands)


def opened(key: str, number: int) -> Game:
    """Game `number` of this type, at its smallest table."""
    found = GAME_TYPES[key]
    players = PLAYERS[: found.seats[0]]
    secret = ev.Sealed(sha256(f"{key} {number}".encode()).digest(), bytes(32))
    opening = Opening(
        type=found,
        options=found.get(OptionRules).settle(found.options(), len(players)),
        players=players,
        origin="given_seed",
    )
    return open_game(UUID(int=0x5C), opening, secret, Act(PLAYERS[0], None, START)).game


def _said(game: Game, choices: list[Choice], random: Random) -> Game:
    """The game after one seat that is to act has spoken, or has chosen to say nothing."""
    view = _json(view_of(game, None))
    seat = random.choice(view["to_act"])
    chosen = choices[seat](_position(game, seat), random)
    if chosen is None:
        return game
    command = msgspec.convert(chosen, AnyPlayCommand)
    return play(game, command, Act(PLAYERS[seat], seat, START)).game


def _position(game: Game, seat: int) -> Position:
    commands = [_json(command) for command in legal_moves(game, seat)]
    return Position(game.type.key, _json(game.options), seat, _json(view_of(game, seat)), commands)


def _json(value: Any) -> Any:
    return msgspec.to_builtins(value)


def _outcome(game: Game, greedy: int) -> str:
    if game.result is None:
        return "unfinished"
    if not game.result.winners or len(game.result.winners) == 2:
        return "drawn"
    return "won" if greedy in game.result.winners else "lost"


def main(arguments: list[str]) -> None:
    """Play the named game types, all for two if none is named."""
    games = int(arguments[0]) if arguments else 500
    print(json.dumps({key: measured(key, games) for key in arguments[1:] or two_seat_types()}, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
