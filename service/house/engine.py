"""How a bot chooses a command: by lot, greedily, or by a search.

The search is an information-set Monte Carlo tree search: the command that does best over worlds that the seat cannot
tell apart. It has one tree for the seat that searches; each round begins in another world (P. Cowling, E. Powley, D.
Whitehouse, Information Set Monte Carlo Tree Search, IEEE TCIAIG 4, 2012). Commands that the greedy choice prefers are
tried first (the PUCT rule of D. Silver and others, Nature 529, 2016). Behind the tree all seats play greedily for some
commands, then the game's `Evaluator` judges the position.
"""

from collections.abc import Callable, Sequence
from heapq import nlargest
from math import sqrt
from random import Random
from time import process_time
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from domain.capabilities import Resample
from domain.chance import Chance
from domain.games import GAME_TYPES, AnyGameType
from domain.kit.evaluation import Evaluator, GreedyChoice, Move, Position
from domain.view import Seat

Choice = Callable[[Position, Random], Move | None]
"""Returns the command to send; None: send nothing now, since others may act."""
ChoiceName = Literal["random", "greedy"]


def choose_by_lot(position: Position, random: Random) -> Move | None:
    """A random command. If others may act too, None half of the time: else the bot would call out of turn for ever."""
    if position.may_wait and random.random() < 0.5:
        return None
    return random.choice(position.commands)


def choose_best(position: Position, random: Random) -> Move | None:
    """The command of most worth, equal ones by lot; by lot where the game type has no `GreedyChoice`.

    Returns None if all commands have negative worth and others may act.
    """
    game_type = GAME_TYPES.get(position.game_type)
    greedy = None if game_type is None else game_type.find(GreedyChoice)
    if greedy is None:
        return choose_by_lot(position, random)
    judge_move = greedy.judge(position)
    judged = [(judge_move(move), move) for move in position.commands]
    most = max(worth for worth, _ in judged)
    if most < 0 and position.may_wait:
        return None
    return random.choice([move for worth, move in judged if worth == most])


CHOICES: dict[ChoiceName, Choice] = {"random": choose_by_lot, "greedy": choose_best}


class GreedyPlay:
    """Greedy play of all seats of a game type with these options; lots decide between commands of equal worth."""

    def __init__(self, game_type: AnyGameType, options: dict[str, Any], random: Random) -> None:
        self._type, self._options, self._random = game_type, options, random
        self._judge, self._reply = game_type.get(GreedyChoice).judge, game_type.get(Evaluator).reply

    def rank(self, state: Struct, seat: Seat, width: int = 1) -> list[Struct]:
        """The `width` commands of most worth, the best first."""
        commands = self._type.legal_commands(state, seat)
        if len(commands) == 1:
            return list(commands)
        position = _position_of(self._type, self._options, state, seat, commands)
        judge_move, draw = self._judge(position), self._random.random
        pairs = zip(position.commands, commands, strict=True)
        judged = [(-judge_move(move), draw(), command) for move, command in pairs]
        judged.sort(key=lambda entry: entry[:2])
        return [command for _, _, command in judged[:width]]

    def mover(self, state: Any) -> Seat | None:
        """The seat on turn; None once the game is over."""
        mover: Seat | None = None if self._type.result(state) is not None else state.turn
        return mover

    def state_after(self, state: Struct, seat: Seat, command: Struct) -> Struct:
        """The state after this command and the replies to it."""
        next_command: tuple[Seat, Struct] | None = (seat, command)
        while next_command is not None:
            for event in self._type.decide(state, *next_command):
                state = self._type.evolve(state, event)
            next_command = self._reply(state)
        return state

    def play(self, state: Struct, turns: int) -> Struct:
        """The state after so many turns more, or at the end of the game."""
        while turns > 0 and (seat := self.mover(state)) is not None:
            state = self.state_after(state, seat, self.rank(state, seat)[0])
            turns -= seat != self.mover(state)
        return state

    def share(self, state: Struct, seat: Seat) -> float:
        """The seat's share of the win, 0 to 1; while the game goes on, by its evaluator."""
        result = self._type.result(state)
        if result is None:
            return self._type.get(Evaluator).worth(state, seat)
        return 0.5 if not result.winners else 1 / len(result.winners) if seat in result.winners else 0.0


def _position_of(
    game_type: AnyGameType, options: dict[str, Any], state: Struct, seat: Seat, commands: Sequence[Struct]
) -> Position:
    """The part of the state that the API shows this seat."""
    view, moves = msgspec.to_builtins((game_type.look(state, seat), commands))
    return Position(game_type.key, options, seat, view, moves)


class Budget(NamedTuple):
    """When a search ends: after so many seconds of processor time, or so many rounds."""

    seconds: float
    rounds: int = 100_000


_FEWEST = 8
"""Rounds before the search may end early."""
_DECAY = 0.65
"""The prior of a command, relative to the one before it in the greedy order."""


class _Node:
    """A sequence of commands from the searching seat's position: its visits, and the sum of the shares they brought."""

    __slots__ = ("after", "offered", "share", "visits")

    def __init__(self) -> None:
        self.visits, self.share = 0, 0.0
        self.after: dict[Struct, _Node] = {}
        self.offered: list[Struct] = []


class Search:
    """One search: `world` is any state that this seat cannot tell from the game's own."""

    def __init__(
        self, game_type: AnyGameType, options: dict[str, Any], world: Struct, seat: Seat, random: Random
    ) -> None:
        self._type, self._world, self._seat, self._random = game_type, world, seat, random
        self._evaluator = game_type.get(Evaluator)
        self._play = GreedyPlay(game_type, options, random)
        self._hides = game_type.has(Resample)
        self._root = _Node()

    def best_command(self, budget: Budget) -> Struct:
        """The command with most visits; of equal ones the one that the greedy choice prefers."""
        offered = self._play.rank(self._world, self._seat, self._evaluator.width)
        start = process_time()
        while len(offered) > 1 and not self._is_settled(offered, budget, process_time() - start):
            self._play_round()
        return max(offered, key=self._visits)

    def _is_settled(self, offered: Sequence[Struct], budget: Budget, spent: float) -> bool:
        """Whether the budget is spent, or the rounds that are left cannot change which command has most visits."""
        rounds = self._root.visits
        if rounds < _FEWEST:
            return rounds >= budget.rounds or spent >= budget.seconds
        left = min(budget.rounds - rounds, rounds * (budget.seconds - spent) / spent if spent else budget.rounds)
        first, second = nlargest(2, map(self._visits, offered))
        return left <= 0 or first - second > left

    def _visits(self, command: Struct) -> int:
        node = self._root.after.get(command)
        return 0 if node is None else node.visits

    def _play_round(self) -> None:
        state = self._type.get(Resample).draw(self._world, self._seat, Chance(self._random.randbytes(32)))
        path = [(self._root, self._seat)]
        node, fresh, left = self._root, False, self._evaluator.turns
        while not fresh and left != 0 and (seat := self._play.mover(state)) is not None:
            if not node.offered or self._hides:  # where nothing is hidden it is the same in every round
                node.offered = self._play.rank(state, seat, self._evaluator.width)
            command = self._select(node)
            state = self._play.state_after(state, seat, command)
            fresh = command not in node.after
            node = node.after.setdefault(command, _Node())
            path.append((node, seat))
            left = None if left is None else left - (seat != self._play.mover(state))
        state = self._play.play(state, left or 0)
        shares: dict[Seat, float] = {}
        for visited, seat in path:
            if seat not in shares:
                shares[seat] = self._play.share(state, seat)
            visited.visits += 1
            visited.share += shares[seat]

    def _select(self, node: _Node) -> Struct:
        """The command with the best mean, to which untried commands and those early in the order get an addition."""
        children = [node.after.get(command) for command in node.offered]
        tried = [child for child in children if child is not None]
        visits = sum(child.visits for child in tried)
        mean_of_all = sum(child.share for child in tried) / visits if visits else 0.5
        best, chosen, prior = -1.0, node.offered[0], (1 - _DECAY) * self._evaluator.trust * sqrt(visits + 1)
        for command, child in zip(node.offered, children, strict=True):
            count, mean = (0, mean_of_all) if child is None else (child.visits, child.share / child.visits)
            if (value := mean + prior / (1 + count)) > best:
                best, chosen = value, command
            prior *= _DECAY
        return chosen


def choose_command(
    game_type: AnyGameType, options: Struct, state: Any, seat: Seat, random: Random, budget: Budget | None
) -> Move | None:
    """The seat's command, without `budget` the greedy one; None: nothing now, since others may act.

    Nothing that the state hides from the seat is used: the greedy choice gets the seat's view, the search a world that
    is drawn anew from that view. Commands out of turn are left to the greedy choice.
    """
    option_values: dict[str, Any] = msgspec.to_builtins(options)
    evaluator = game_type.find(Evaluator)
    if budget is None or evaluator is None or state.turn != seat or evaluator.reply(state) is not None:
        position = _position_of(game_type, option_values, state, seat, game_type.legal_commands(state, seat))
        return choose_best(position, random) if position.commands else None
    world = game_type.get(Resample).draw(state, seat, Chance(random.randbytes(32)))
    search = Search(game_type, option_values, world, seat, random)
    move: Move = msgspec.to_builtins(search.best_command(budget))
    return move
