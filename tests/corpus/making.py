"""Making stored games: candidates of every kind, of which those are kept that show something no stored game shows."""

from collections.abc import Collection, Iterator, Sequence
from itertools import count
from random import Random
from typing import Any

import msgspec

from domain.capabilities import NumberedDeals, OptionRules
from domain.game_type import Illegal
from domain.games import AnyGameType

from . import kinds, lines, marks
from .files import Records, name
from .play import Plan, Play

_PATIENCE, _GIVEN_UP = 150, 3000
"""Candidates in a row that bring nothing new, after which it is enough, and after which what is missing is given up."""
_PLAYED_OUT, _MOST_PLAYED_OUT, _STEPS = 4, 16, 300
"""Games that a revision begins with beside the known lines: as many as make so many steps, at least and at most."""
_SHORT = 100
"""Records of a game that may be kept for the options it has together."""


class Gathering:
    """Games of one revision: what they show so far, and what is missing."""

    def __init__(self, game_type: AnyGameType, games: Sequence[Records], unreachable: Collection[str]) -> None:
        self.game_type, self.kept = game_type, list[Records]()
        self._demanded = marks.demanded(game_type) - set(unreachable)
        self.seen: set[str] = set()
        self.pairs: set[tuple[str, str]] = set()
        for game in games:
            self._learn(game)

    @property
    def missing(self) -> set[str]:
        """What no game shows, though one could."""
        return self._demanded - self.seen

    def offer(self, game: Records) -> bool:
        """Keep the game if it shows anything that is missing, a new ending, or two values of options first together."""
        paired = len(game) < _SHORT and not self._pairs(game) <= self.pairs
        if new := bool((self.missing | _reasons(game) - self.seen) & marks.shown(game)) or paired:
            self.keep(game)
        return new

    def keep(self, game: Records) -> None:
        """Keep the game."""
        self.kept.append(game)
        self._learn(game)

    def _learn(self, game: Records) -> None:
        self.seen |= marks.shown(game)
        self.pairs |= self._pairs(game)

    def _pairs(self, game: Records) -> set[tuple[str, str]]:
        return marks.pairs(self.game_type, game[0].event.options)


def _reasons(game: Records) -> set[str]:
    return {mark for mark in marks.shown(game) if mark.startswith("reason ")}


def gathered(game_type: AnyGameType, games: Sequence[Records], unreachable: Collection[str]) -> Gathering:
    """Games to be added to these; with nothing missing, none."""
    gathering = Gathering(game_type, games, unreachable)
    for game in [] if games else _from_the_start(gathering):
        gathering.keep(tuple(game.records))
    idle = 0
    if gathering.missing:
        for game in _candidates(gathering, len(games)):
            idle = 0 if gathering.offer(tuple(game.records)) else idle + 1
            if idle >= (_GIVEN_UP if gathering.missing else _PATIENCE):
                break
    return gathering


def _from_the_start(gathering: Gathering) -> Iterator[Play]:
    """Known lines, and games that are played out: more of the rules than the rest asks for."""
    yield from lines.known(gathering.game_type)
    steps = 0
    for number in range(_MOST_PLAYED_OUT):
        if number >= _PLAYED_OUT and steps > _STEPS:
            return
        if (game := _made(gathering, kinds.whole, -1 - number)) is not None:
            steps += game.game.step
            yield game


def _candidates(gathering: Gathering, first: int) -> Iterator[Play]:
    """Games of every kind, without end."""
    for number in count(first):
        found = [*kinds.ALONE, *(kinds.IN_COMPANY if gathering.game_type.seats[-1] > 1 else ())]
        found += [kinds.numbered_deal] if gathering.game_type.has(NumberedDeals) else []
        for kind in found + ([kinds.noted] if marks.reads_notations(gathering.game_type) else []):
            if (game := _made(gathering, kind, number)) is not None:
                yield game


def _made(gathering: Gathering, kind: kinds.Kind, number: int) -> Play | None:
    """A game of this kind whose options, seats and commands are chosen for what is missing; None if it cannot be."""
    label = f"{name(gathering.game_type)} {kind.__name__} {number}"
    lots = Random(label)
    seats = lots.choice(gathering.game_type.seat_counts)
    for _ in range(20):
        try:
            options = _options(gathering, seats, lots)
            return kind(Plan(label, gathering.game_type, options, seats), _wanted(gathering))
        except Illegal:
            continue
    return None


def _options(gathering: Gathering, seats: int, lots: Random) -> Any:
    """Options at random, half of them at their default, one at a value that is missing; raises Illegal."""
    game_type, chosen = gathering.game_type, dict[str, Any]()
    for field, values in marks.choices(game_type).items():
        unseen = [value for value in values if f"option {field}={value}" not in gathering.seen]
        if unseen and lots.random() < 0.5:
            chosen[field] = lots.choice(unseen)
        elif lots.random() < 0.5:
            chosen[field] = lots.choice(values)
    return game_type.get(OptionRules).settle(msgspec.convert(chosen, game_type.options), seats)


def _wanted(gathering: Gathering) -> list[type]:
    """The commands that are missing."""
    missing = gathering.missing
    return [command for command in gathering.game_type.commands if f"command {marks.tag(command)}" in missing]
