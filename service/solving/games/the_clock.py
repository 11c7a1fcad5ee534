"""The Clock, which plays itself: with `watch` there is one king to be exchanged, on one of the piles."""

from typing import Any, NamedTuple

from domain.games import AnyGameType
from domain.games.the_clock import THE_CLOCK, Step
from service.solving import Finding, is_won, single_ways


class PlayedOut(NamedTuple):
    """A game type of a few dozen positions: they are looked at by its own rules."""

    game_type: AnyGameType

    def find(self, state: Any, bound: int | None, memory: int) -> Finding:
        """As `Solver.find`; the memory is not needed."""
        waiting: list[tuple[Any, tuple[Any, ...]]] = [(state, ())]
        seen = {state}
        while waiting:
            position, commands = waiting.pop()
            if is_won(self.game_type, position):
                return Finding("won", commands, len(seen))
            for way in single_ways(self.game_type, position):
                if way.state in seen or isinstance(way.commands[0], Step):
                    continue
                if len(seen) == bound:
                    return Finding("open", (), len(seen))
                seen.add(way.state)
                waiting.append((way.state, commands + way.commands))
        return Finding("impossible", (), len(seen))

    def mark(self, before: Any, after: Any) -> Any:
        """The position itself."""
        return after


SOLVER = PlayedOut(THE_CLOCK)
