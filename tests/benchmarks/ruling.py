"""The rules, by game type: what may be said, deciding and evolving, whole random games."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from domain.games import GAME_TYPES, AnyGameType
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, legal_commands, play
from domain.play.frames import view_of

from .measures import REPEATS, interleaved, say, short, spread
from .scripts import PLAYER, START, Said, Script, script

_GAMES = 6
_MOST = 300
_FRESH = 3  # games whose playing is timed in each repeat


class Position(NamedTuple):
    """A game, and what was said next."""

    game: Game
    said: Said


def measured() -> dict[str, Any]:
    """The section of the document; every rate in calls a second of processor time."""
    return {key: _measured(GAME_TYPES[key]) for key in GAME_TYPES}


def _measured(found: AnyGameType) -> dict[str, Any]:
    say(f"rules of {found.key}")
    played = [script(found.key, number, _MOST) for number in range(_GAMES)]
    positions = [position for one in played for position in _positions(one)]
    count = len(positions)
    rates = interleaved({name: (partial(work, positions), count) for name, work in _WORKS.items()})
    whole = interleaved({"random_games": (partial(_random_games, found.key), _FRESH)}, REPEATS)
    lengths = [len(one.said) for one in played]
    return {
        **{f"{name}_per_second": spread(numbers) for name, numbers in (rates | whole).items()},
        "steps_of_a_random_game": {"mean": short(sum(lengths) / len(lengths)), "at_most": _MOST},
    }


def _positions(found: Script) -> list[Position]:
    """Each position where a command of the game type itself was said next."""
    before = [step.game for step in found.steps]
    return [Position(game, said) for game, said in zip(before, found.said, strict=False) if not _undo(said)]


def _undo(said: Said) -> bool:
    return isinstance(said.command, ev.Undo)


def _legal(positions: list[Position]) -> None:
    for game, said in positions:
        legal_commands(game, said.seat)


def _decide_and_evolve(positions: list[Position]) -> None:
    """The game type's own work for a command."""
    for game, said in positions:
        state = game.state
        for event in game.type.decide(state, said.seat, said.command):
            state = game.type.evolve(state, event)


def _play(positions: list[Position]) -> None:
    """The whole step: deciding, records, digests and the game after them."""
    for game, said in positions:
        play(game, said.command, Act(PLAYER, said.seat, START))


def _look(positions: list[Position]) -> None:
    for game, said in positions:
        view_of(game, said.seat)


def _random_games(key: str) -> None:
    """Games played to the end, or to the most steps: listing, choosing, playing."""
    for number in range(_FRESH):
        script.__wrapped__(key, number, _MOST)


_WORKS: dict[str, Callable[[list[Position]], None]] = {
    "legal_commands": _legal,
    "decide_and_evolve": _decide_and_evolve,
    "whole_steps": _play,
    "looks": _look,
}
