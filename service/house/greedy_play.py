"""Play in which every seat says what the greedy choice likes best: behind the tree of a search, and to a game's end."""

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct

from domain.games import AnyGameType
from domain.view import Seat
from service.bots.choosing import JUDGES
from service.house.position import choices_of

Reply = Callable[[Any], tuple[Seat, Struct] | None]
"""The seat and the command that are said at once to a state, whosever turn it is; None: nothing is."""


class GreedyPlay:
    """Greedy play of one game type with these options; of commands liked alike one is chosen by lot."""

    def __init__(self, game_type: AnyGameType, options: dict[str, Any], reply: Reply, random: Random) -> None:
        self._type, self._options, self._reply, self._random = game_type, options, reply, random
        self._judge = JUDGES[game_type.key]

    def rank(self, state: Struct, seat: Seat, width: int = 1) -> list[Struct]:
        """The `width` commands that are liked best, the best first."""
        position, commands = choices_of(self._type, self._options, state, seat)
        if len(commands) == 1:
            return list(commands)
        worth, lot = self._judge(position), self._random.random
        judged = [(-worth(told), lot(), command) for told, command in zip(position.commands, commands, strict=True)]
        judged.sort(key=lambda one: one[:2])
        return [command for _, _, command in judged[:width]]

    def mover(self, state: Any) -> Seat | None:
        """The seat on turn; None once the game is over."""
        mover: Seat | None = None if self._type.result(state) is not None else state.turn
        return mover

    def state_after(self, state: Struct, seat: Seat, command: Struct) -> Struct:
        """The state after this command, and whatever is said to it at once."""
        said: tuple[Seat, Struct] | None = (seat, command)
        while said is not None:
            for event in self._type.decide(state, *said):
                state = self._type.evolve(state, event)
            said = self._reply(state)
        return state

    def play(self, state: Struct, turns: int) -> Struct:
        """The state after so many turns more, or at the end of the game."""
        while turns > 0 and (seat := self.mover(state)) is not None:
            state = self.state_after(state, seat, self.rank(state, seat)[0])
            turns -= seat != self.mover(state)
        return state

    def share(self, state: Struct, seat: Seat) -> float | None:
        """The seat's share of the win, 0 to 1; None while the game goes on."""
        result = self._type.result(state)
        if result is None:
            return None
        return 0.5 if not result.winners else 1 / len(result.winners) if seat in result.winners else 0.0
