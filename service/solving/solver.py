"""How deals of a game type are solved by the engine, and how the path that it finds becomes commands."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from domain.games import AnyGameType
from service.solving.engine import IMPOSSIBLE, OPEN, WON, Game, Numbers, bytes_each, search
from service.solving.finding import Finding, Verdict, Way, single_ways

_VERDICTS: dict[int, Verdict] = {WON: "won", IMPOSSIBLE: "impossible", OPEN: "open"}


class Solver(NamedTuple):
    """A game type, its description for the engine, and the default bound in positions.

    `rules`: the state asked about -> what the compiled functions need besides; `pack`: a state and these -> the
    position; `ways`: a state -> the ways that a step of a path may stand for; `sure`: whether an exhausted search has
    left nothing out, from this state.
    """

    game_type: AnyGameType
    game: Game
    bound: int
    pack: Callable[[Any, Numbers], bytes]
    rules: Callable[[Any], Numbers]
    ways: Callable[[AnyGameType, Any], Iterable[Way]] = single_ways
    sure: Callable[[Any], bool] = lambda state: True

    def find(self, state: Any, bound: int | None, memory: int) -> Finding:
        """What is found within `bound` positions, None: the default, that fit into so many bytes."""
        most = min(self.bound if bound is None else bound, memory // bytes_each(self.game))
        rules = self.rules(state)
        path = search(self.game, self.pack(state, rules), rules, most)
        verdict = _VERDICTS[path.outcome]
        if verdict == "impossible" and not self.sure(state):
            verdict = "open"
        return Finding(verdict, self._commands(state, rules, path.positions), path.seen)

    def mark(self, before: Any, after: Any) -> bytes:
        """A position on from `before`, packed."""
        return self.pack(after, self.rules(before))

    def _commands(self, state: Any, rules: Numbers, positions: tuple[bytes, ...]) -> tuple[Any, ...]:
        """The commands that lead through these positions."""
        line: list[Any] = []
        for position in positions[1:]:
            way = next(way for way in self.ways(self.game_type, state) if self.pack(way.state, rules) == position)
            line += way.commands
            state = way.state
        return tuple(line)
