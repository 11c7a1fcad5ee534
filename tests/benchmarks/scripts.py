"""Games known beforehand: seeded deals played by listed commands, as records and as requests.

A game that is opened with the same seed over HTTP has the same deal, so every command of its script is accepted.
"""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game
from domain.play.deciding import Act, Step, legal_commands, play
from domain.play.table import Opening, open_game

PLAYER = UUID(int=0xBE)
START = 1_700_000_000_000_000
MIX = ("klondike", "spite_and_malice", "bridge_solitaire")
"""What clients play in turns. A fixed mix: runs stay comparable when game types are added."""
_UNDO = 0.05  # share of the steps that take one back, where that is offered


class Said(NamedTuple):
    """A command, the seat that gives it, and the version it was given at."""

    seat: int
    command: Struct
    version: int


class Script(NamedTuple):
    """One game: how to open it, what is said, its steps, and the game in the end."""

    body: dict[str, Any]
    said: tuple[Said, ...]
    steps: tuple[Step, ...]

    @property
    def records(self) -> tuple[AnyRecord, ...]:
        """All records, in order."""
        return tuple(record for step in self.steps for record in step.records)

    @property
    def game(self) -> Game:
        """The game as it stands in the end."""
        return self.steps[-1].game


@cache
def script(key: str, number: int, most: int = 300, resigned: bool = False) -> Script:
    """Game `number` of this type, at most so many commands long; `resigned`: given up at last if it is not over."""
    body, lots = _body(key, number), Random(f"{key} {number}")
    found = GAME_TYPES[key]
    secret = ev.Sealed(sha256(body["seed"].encode()).digest(), bytes(32))
    players = (PLAYER,) * found.seats[0]
    opening = Opening(type=found, options=found.options(), players=players, origin="given_seed")
    steps, said = [open_game(UUID(int=0x5C), opening, secret, Act(PLAYER, None, START))], list[Said]()
    while len(said) < most and (choice := _choice(steps[-1].game, lots)) is not None:
        said.append(choice)
        steps.append(_played(steps[-1].game, choice, len(said)))
    if resigned and steps[-1].game.status == "playing":
        steps.append(_played(steps[-1].game, Said(0, ev.Resign(), 0), len(said) + 1))
    return Script(body, tuple(said), tuple(steps))


def _body(key: str, number: int) -> dict[str, Any]:
    alone = len(GAME_TYPES[key].seats) == 1 and GAME_TYPES[key].seats[0] == 1
    return {"game_type": key, "seed": f"benchmark {number}"} | ({} if alone else {"hot_seat": True})


def _choice(game: Game, lots: Random) -> Said | None:
    """A listed command of a seat that is to act."""
    if game.status != "playing" or game.state is None:
        return None
    seat = game.type.look(game.state, 0).to_act[0]
    listed = [one for one in legal_commands(game, seat) if not isinstance(one, ev.Resign)]
    onward = [one for one in listed if not isinstance(one, ev.Undo)]
    back = len(onward) < len(listed) and (lots.random() < _UNDO or not onward)
    return Said(seat, ev.Undo() if back else lots.choice(onward), game.version) if listed else None


def _played(game: Game, said: Said, number: int) -> Step:
    return play(game, said.command, Act(PLAYER, said.seat, START + number * 1_000_000))


def scripts(key: str, most: int = 300, resigned: bool = False) -> Iterator[Script]:
    """Games of this type without end."""
    number = 0
    while True:
        yield script(key, number, most, resigned)
        number += 1


def long_script(key: str, length: int) -> Script:
    """The first game of this type that lasts for so many commands."""
    return next(found for found in scripts(key, length) if len(found.said) == length)
