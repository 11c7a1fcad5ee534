"""Games played by chance from a fixed seed: real records of real game types."""

from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any
from uuid import UUID

import pytest
from msgspec import Struct

from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game
from domain.play.deciding import Act, Step, legal_commands, play
from domain.play.endings import late_seats
from domain.play.table import Opening, join, open_game

START = 1_700_000_000_000_000
SECRET = ev.Sealed(sha256(b"deal").digest(), sha256(b"key").digest())


def player(seat: int) -> UUID:
    return UUID(int=100 + seat)


def act(seat: int | None, number: int) -> Act:
    return Act(player(seat or 0), seat, START + number * 1_000_000)


def refusal(decide: Callable[..., object], *asked: Any, **more: Any) -> str:
    """The rule by which it is refused."""
    with pytest.raises(Illegal) as refused:
        decide(*asked, **more)
    return refused.value.rule


def seated(found: AnyGameType, seats: int | None = None, secret: ev.Sealed = SECRET, **more: Any) -> Step:
    """A game that is dealt, every seat taken by a player of its own unless `more` says otherwise."""
    players = tuple(map(player, range(seats or found.seats[0])))
    opening = Opening(**{"type": found, "options": found.options(), "players": players} | more)
    return open_game(UUID(int=7), opening, secret, act(0, 0))


def opened(key: str, seats: int = 1, **more: object) -> Step:
    """A game with seat 0 taken; with one seat it is dealt."""
    options = GAME_TYPES[key].options(**more)
    players = (player(0), *[None] * (seats - 1))
    return open_game(UUID(int=7), Opening(type=GAME_TYPES[key], options=options, players=players), SECRET, act(0, 0))


def solitaire(moves: int = 30, lots: int = 4) -> list[AnyRecord]:
    """Klondike: moves, an undo among them, and a resignation."""
    return wander(opened("klondike"), moves, lots)


def wander(step: Step, moves: int, lots: int) -> list[AnyRecord]:
    """The records of so many listed commands, the tenth of them an undo where there is one, then a resignation."""
    records, game, random = list(step.records), step.game, Random(lots)
    for number in range(1, moves + 1):
        seat, command = _chosen(game, random, number == 10)
        said = play(game, command, act(seat, number))
        records, game = records + list(said.records), said.game
    return records + list(play(game, ev.Resign(), act(0, moves + 1)).records)


def until_all_have_acted(found: AnyGameType, seats: int, most_late: int = 99) -> tuple[list[AnyRecord], Game]:
    """A game with a minute a move, on until every seat has acted and the next is awaited of no more seats than that."""
    step, lots = seated(found, seats, move_seconds=60), Random(5)
    records, game = list(step.records), step.game
    while len(game.acted) < seats or len(late_seats(game)) > most_late:
        seat = late_seats(game)[0]
        listed = [one for one in legal_commands(game, seat) if not isinstance(one, ev.Resign)]
        said = play(game, lots.choice(listed), act(seat, len(records)))
        records, game = records + list(said.records), said.game
    return records, game


def _chosen(game: Game, random: Random, back: bool) -> tuple[int, Struct]:
    listed = [(seat, command) for seat in range(len(game.players)) for command in legal_commands(game, seat)]
    undone = [choice for choice in listed if isinstance(choice[1], ev.Undo)]
    return random.choice(
        undone if back and undone else [c for c in listed if not isinstance(c[1], ev.Undo | ev.Resign)]
    )


def duel(moves: int = 30, lots: int = 4) -> list[AnyRecord]:
    """Spite & Malice: seat 1 joins with a seed of its own, then both play."""
    waiting = opened("spite_and_malice", 2)
    joined = join(waiting.game, ev.Join(client_seed="mine"), act(1, 0)._replace(seat=None))
    return list(waiting.records) + wander(joined, moves, lots)
