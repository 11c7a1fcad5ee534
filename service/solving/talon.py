"""Stock and waste as one: all cards that drawing and turning over can bring up, computed once per talon."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from .finding import AnyGameType, Way
from .steps import state_after


class Turn(NamedTuple):
    """The commands that lead to this stock and waste, and how often the waste was turned over on the way."""

    commands: tuple[Any, ...]
    stock: tuple[str, ...]
    waste: tuple[str, ...]
    recycles: int


@dataclass(frozen=True, eq=False)
class Talon:
    """What a game type's stock and waste are played with.

    empty   options -> a table without a card
    wanted  position -> the cards that would have a place if they lay on top of the waste
    moves   position -> all moves
    """

    game_type: AnyGameType
    draw: Any
    recycle: Any
    recycles_left: Callable[[Any], int | None]
    empty: Callable[[Any], Any]
    wanted: Callable[[Any], set[str]]
    moves: Callable[[Any], Iterable[Any]]


def phase(state: Any) -> Hashable:
    """Where the talon stands; its cards are known from those that lie elsewhere.

    Where passes are not limited, every card can come up if they are drawn one at a time; three at a time, those come up
    that a new pass brings, which is the case at each third card, and else also those that this pass brings.
    """
    if state.options.passes is not None:
        return len(state.waste), state.recycles
    return len(state.waste) % 3 and len(state.waste) if state.options.draw == 3 and state.stock else 0


def drawing_ways(talon: Talon, state: Any) -> Iterator[Way]:
    """The ways that draw, perhaps turn over, and then play the top card of the waste."""
    places, game_type = talon.wanted(state), talon.game_type
    for turn in _turns(talon, _bare_talon(talon, state)):
        if turn.waste and turn.waste[-1] in places:
            there = replace(state, stock=turn.stock, waste=turn.waste, recycles=state.recycles + turn.recycles)
            for move in talon.moves(there):
                if move.source == "waste":
                    yield Way((*turn.commands, move), state_after(game_type, there, move))


def _bare_talon(talon: Talon, state: Any) -> Any:
    """The position with only the talon, as a key for the cache of turns."""
    recycles = 0 if state.options.passes is None else state.recycles
    return replace(talon.empty(state.options), stock=state.stock, waste=state.waste, recycles=recycles)


@lru_cache(maxsize=20_000)
def _turns(talon: Talon, bare: Any) -> tuple[Turn, ...]:
    return tuple(_each_turn(talon, bare))


def _each_turn(talon: Talon, bare: Any) -> Iterator[Turn]:
    """The turns, the shortest first: once the talon lies as before, the rest has been seen."""
    seen, state = {bare.waste}, bare
    commands: tuple[Any, ...] = ()
    while command := _next_command(talon, state):
        state, commands = state_after(talon.game_type, state, command), (*commands, command)
        if state.waste in seen:
            return
        seen.add(state.waste)
        yield Turn(commands, state.stock, state.waste, state.recycles - bare.recycles)


def _next_command(talon: Talon, state: Any) -> Any:
    if state.stock:
        return talon.draw
    return talon.recycle if state.waste and talon.recycles_left(state) != 0 else None
