"""Information-set Monte Carlo tree search: the command that does best over worlds the seat cannot tell apart.

One tree for the seat that searches; each round begins in another world (P. Cowling, E. Powley, D. Whitehouse,
Information Set Monte Carlo Tree Search, IEEE TCIAIG 4, 2012). What the greedy choice likes is tried first (the PUCT
rule of D. Silver and others, Nature 529, 2016). Behind the tree all seats play greedily for some commands, then the
position is judged.
"""

from collections.abc import Callable, Sequence
from heapq import nlargest
from math import sqrt
from random import Random
from time import process_time
from typing import Any, NamedTuple

from msgspec import Struct

from domain.capabilities import Resample
from domain.chance import Chance
from domain.games import AnyGameType
from domain.view import Seat
from service.house.greedy_play import GreedyPlay, Reply

Worth = Callable[[Any, Seat], float]
"""The share of a win, 0 to 1, that a seat may expect of a state in which the game goes on."""


class Outlook(NamedTuple):
    """How a game type is searched.

    `worth` judges the state in which the turn has passed so many `turns` times since the search's own position, for
    states are compared only at the same point; None: the state where the tree ends, at once. `width`: of so many
    commands that the greedy choice likes best one is chosen; `trust`: how much its order counts against what the rounds
    have shown. `stronger`: whether it was shown to beat greedy play by over two standard errors
    (`tests/benchmarks/HOUSE.md`).
    """

    worth: Worth
    turns: int | None
    width: int
    trust: float
    reply: Reply = lambda state: None
    stronger: bool = False


class Budget(NamedTuple):
    """When a search ends: after so many seconds of processor time, or so many rounds."""

    seconds: float
    rounds: int = 100_000


_FEWEST = 8
"""Rounds before which nothing is settled."""
_DECAY = 0.65
"""The prior of a command, relative to the one before it in the greedy order."""


class _Node:
    """A sequence of commands from the searching seat's position: how often it was reached, and what came of it."""

    __slots__ = ("after", "offered", "share", "visits")

    def __init__(self) -> None:
        self.visits, self.share = 0, 0.0
        self.after: dict[Struct, _Node] = {}
        self.offered: list[Struct] = []

    def mean(self, unknown: float) -> float:
        return self.share / self.visits if self.visits else unknown


class Search:
    """One search: `world` is any state that this seat cannot tell from the game's own."""

    def __init__(
        self, game_type: AnyGameType, options: dict[str, Any], world: Struct, seat: Seat, outlook: Outlook,
        random: Random,
    ) -> None:  # fmt: skip
        self._type, self._world, self._seat, self._outlook = game_type, world, seat, outlook
        self._play, self._random = GreedyPlay(game_type, options, outlook.reply, random), random
        self._hides = game_type.has(Resample)
        self._root = _Node()

    def best_command(self, budget: Budget) -> Struct:
        """The command that was tried most often; of equal ones what the greedy choice likes best."""
        offered = self._ranked(self._world, self._seat)
        began = process_time()
        while len(offered) > 1 and not self._is_settled(offered, budget, process_time() - began):
            self._play_round()
        return max(offered, key=self._visits)

    def _is_settled(self, offered: Sequence[Struct], budget: Budget, spent: float) -> bool:
        """Whether the budget is spent, or the rounds that are left cannot change what was tried most often."""
        rounds = self._root.visits
        left = min(budget.rounds - rounds, rounds * (budget.seconds - spent) / spent if spent else budget.rounds)
        if rounds < _FEWEST:
            return rounds >= budget.rounds or spent >= budget.seconds
        first, second = nlargest(2, map(self._visits, offered))
        return left <= 0 or first - second > left

    def _visits(self, command: Struct) -> int:
        found = self._root.after.get(command)
        return 0 if found is None else found.visits

    def _play_round(self) -> None:
        state = self._type.get(Resample).draw(self._world, self._seat, Chance(self._random.randbytes(32)))
        path = [(self._root, self._seat)]
        node, fresh, left = self._root, False, self._outlook.turns
        while not fresh and left != 0 and (seat := self._play.mover(state)) is not None:
            command = self._select(node, self._offered(node, state, seat))
            state = self._play.state_after(state, seat, command)
            fresh = command not in node.after
            node = node.after.setdefault(command, _Node())
            path.append((node, seat))
            left = None if left is None else left - (seat != self._play.mover(state))
        state = self._play.play(state, left or 0)
        shares: dict[Seat, float] = {}
        for passed, seat in path:
            if seat not in shares:
                shares[seat] = self._share(state, seat)
            passed.visits += 1
            passed.share += shares[seat]

    def _offered(self, node: _Node, state: Struct, seat: Seat) -> list[Struct]:
        """What is chosen from at this node; where nothing is hidden it is the same in every round."""
        if not node.offered or self._hides:
            node.offered = self._ranked(state, seat)
        return node.offered

    def _select(self, node: _Node, offered: Sequence[Struct]) -> Struct:
        """The command with the best mean, to which untried and liked ones get an addition."""
        known = [node.after.get(command) for command in offered]
        tried = [one for one in known if one is not None]
        visits = sum(one.visits for one in tried)
        unknown = sum(one.share for one in tried) / visits if visits else 0.5
        best, chosen, prior = -1.0, offered[0], (1 - _DECAY) * self._outlook.trust * sqrt(visits + 1)
        for command, one in zip(offered, known, strict=True):
            seen, mean = (0, unknown) if one is None else (one.visits, one.mean(unknown))
            if (value := mean + prior / (1 + seen)) > best:
                best, chosen = value, command
            prior *= _DECAY
        return chosen

    def _ranked(self, state: Struct, seat: Seat) -> list[Struct]:
        return self._play.rank(state, seat, self._outlook.width)

    def _share(self, state: Struct, seat: Seat) -> float:
        share = self._play.share(state, seat)
        return self._outlook.worth(state, seat) if share is None else share
