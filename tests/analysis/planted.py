"""Finished patiences with a planted mistake: a line that wins up to some step, then a move after which nothing does."""

from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game
from domain.play.deciding import Act, legal_commands, play
from domain.play.table import Opening, open_game
from service.solving import verdict
from tests.domain.played import SECRET, act
from tests.domain.played import player as seat_player

_QUICK = 2_000
"""Positions within which a move must be told to lose."""


class NoMistake(Exception):
    """The deal is not won by the solver, or no move of its line can be seen to lose."""


class Planted(NamedTuple):
    """The text of the deal's seed, the options said, the commands up to the end, and the step of the mistake."""

    key: str
    seed: str
    options: dict[str, Any]
    commands: tuple[Any, ...]
    lost_step: int


@cache
def planted(key: str, seed: str, at: int | None = None, **options: Any) -> Planted:
    """A game of this type with the deal of this seed: the latest step of the solver's line at which another move loses.

    `at`: a step to try first.
    """
    games = [opened(key, seed, **options)]
    line = verdict(key, games[0].options, games[0].state).commands
    if not line:
        raise NoMistake(f"the solver has no line that wins {key}, {seed}")
    for command in line[:-1]:
        games.append(after(games[-1], command))
    first = () if at is None else games[at - 1 : at]
    for game in (*first, *reversed(games)):
        for wrong in moves(game):
            lost = after(game, wrong)
            if lost.status == "playing" and verdict(key, lost.options, lost.state, _QUICK).verdict == "impossible":
                commands = (*line[: game.step], wrong, *_wander(lost, 6), ev.Resign())
                return Planted(key, seed, options, commands, game.step + 1)
    raise NoMistake(f"no move of the line of {key}, {seed}, is a mistake")


def records(key: str, seed: str, commands: Iterable[Any], **options: Any) -> list[AnyRecord]:
    """The records of a game with this deal, in which these commands were said."""
    step = open_game(UUID(int=7), _opening(key, options), _secret(seed), act(0, 0))
    made, game = list(step.records), step.game
    for number, command in enumerate(commands, 1):
        said = play(game, command, act(0, number))
        made, game = made + list(said.records), said.game
    return made


def _opening(key: str, options: Any) -> Opening:
    return Opening(type=GAME_TYPES[key], options=GAME_TYPES[key].options(**options), players=(seat_player(0),))


def opened(key: str, seed: str, **options: Any) -> Game:
    """A game with the deal of this seed."""
    return open_game(UUID(int=7), _opening(key, options), _secret(seed), act(0, 0)).game


def _secret(seed: str) -> ev.Sealed:
    """As a service deals a given seed."""
    return replace(SECRET, seed=sha256(seed.encode()).digest())


def moves(game: Game) -> list[Any]:
    """What may be said beside undo and resignation."""
    said = (command for command in legal_commands(game, 0))
    return [command for command in said if not isinstance(command, ev.Undo | ev.Resign)]


def after(game: Game, command: Any) -> Game:
    """The game after this command."""
    return play(game, command, Act(seat_player(0), 0, game.updated_at + 1)).game


def _wander(game: Game, most: int) -> Iterator[Any]:
    """A few more moves, as long as the game goes on without one."""
    lots = Random(most)
    for _ in range(most):
        if not (said := moves(game)):
            return
        command = lots.choice(said)
        game = after(game, command)
        if game.status != "playing":
            return
        yield command
