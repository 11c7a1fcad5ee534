"""Pyramid with all cards known: kings go at once; a draw counts only with the removal that uses it."""

from collections.abc import Hashable, Iterable, Iterator
from functools import partial

from domain.games.pyramid import PYRAMID
from domain.games.pyramid.events import Command, Remove
from domain.games.pyramid.rules import pile_removals, score
from domain.games.pyramid.state import DISCARD, PLACE
from domain.games.pyramid.state import State2 as State
from domain.kit.cards import RANK
from service.solving.search import Puzzle, Solver, Way, best_first, single_ways, state_after


def _position_key(state: State) -> Hashable:
    """The remaining cards of the pyramid, and the talon."""
    return "".join([card or "-" for card in state.pyramid]), _talon(state)


def _talon(state: State) -> Hashable:
    """The sorted ranks if all cards can come up at any time; the order if two can pair; else stock and waste."""
    if not _is_free(state):
        return state.stock, state.waste, state.recycles if state.options.passes else 0, state.just_drawn
    talon = state.waste + state.stock[::-1]
    return talon if _may_pair(state) else bytes(sorted([RANK[card] for card in talon]))


def _is_free(state: State) -> bool:
    """Whether drawing and turning over can bring the talon from any of its states to any other."""
    options = state.options
    return options.passes is None and options.draw == 1 and not options.draw_only_when_stuck


def _may_pair(state: State) -> bool:
    """Whether two cards of the talon can go together."""
    return state.options.waste_pairs or state.options.stock_top


def _ways(state: State) -> Iterable[Way]:
    legal = PYRAMID.legal_commands(state, 0)
    removals = [command for command in legal if isinstance(command, Remove)]
    kings = [command for command in removals if command.target == DISCARD and command.source in PLACE]
    return single_ways(PYRAMID, state, kings[:1]) if kings else _all_ways(state, removals)


def _all_ways(state: State, removals: list[Remove]) -> Iterator[Way]:
    yield from single_ways(PYRAMID, state, removals)
    seen: set[tuple[str, ...]] = {state.waste}
    commands: tuple[Command, ...] = ()
    while command := _next_command(state):
        state, commands = state_after(PYRAMID, state, command), (*commands, command)
        if state.waste in seen:
            return
        seen.add(state.waste)
        for removal in pile_removals(state):
            yield Way((*commands, removal), state_after(PYRAMID, state, removal))


def _next_command(state: State) -> Command | None:
    return next((command for command in PYRAMID.legal_commands(state, 0) if not isinstance(command, Remove)), None)


SOLVERS = (Solver(PYRAMID, 100_000, partial(best_first, PYRAMID, Puzzle(_position_key, _ways, score))),)
