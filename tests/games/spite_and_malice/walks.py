"""Whole games at random, and the tables they are played on."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.games.spite_and_malice import SPITE_AND_MALICE as GAME
from domain.games.spite_and_malice.events import Command, Event, Play
from domain.games.spite_and_malice.state import Options, State

TABLES: dict[str, dict[str, Any]] = {
    "snm_a": {},
    "snm_pz": {"preset": "snm_pz"},
    "snm_pz_nwis": {"preset": "snm_pz_nwis"},
    "snm_a_short": {"preset": "snm_a_short"},
    "any_draw": {"shuffle_type": "any_draw", "jokers": True, "stock": 8},
    "deck_removed": {"shuffle_type": "deck_removed", "stock": 12, "hand": 6},
    "one_pack": {"packs": 1, "stock": 10, "jokers": True, "on_exhaustion": "partial_draw"},
    "one_pack_any_draw": {"packs": 1, "stock": 15, "shuffle_type": "any_draw", "on_exhaustion": "partial_draw"},
    "redeal_two_packs": {"on_exhaustion": "redeal_hands_and_discards", "stock": 12},
    "redeal": {"packs": 1, "stock": 18, "on_exhaustion": "redeal_hands_and_discards"},
    "redeal_nothing_wild": {
        "packs": 1, "stock": 20, "minimum_wild": "joker", "on_exhaustion": "redeal_hands_and_discards",
    },
    "fewest_stock": {"packs": 1, "stock": 20, "on_exhaustion": "fewest_stock_wins"},
    "must_play_ace": {"must_play_ace": True, "wild_lowest": True, "play_decks": 2, "stock": 6},
    "many_wilds": {"minimum_wild": "5", "wilds_in_stock": False, "stock": 10, "packs": 4, "hand": 10, "discards": 1},
    "twos_wild": {"minimum_wild": "2", "wild_lowest": True, "play_decks": 8, "discards": 8},
}  # fmt: skip


class Step(NamedTuple):
    """A command with the state before it and the events that followed."""

    state: State
    seat: int
    command: Command
    events: tuple[Event, ...]


class Game(NamedTuple):
    """A game that was played to its end."""

    dealt: tuple[Event, ...]
    steps: tuple[Step, ...]
    state: State

    def moments(self) -> Iterator[tuple[State, Event]]:
        """Every event with the state just before it, from the deal on."""
        empty = GAME.initial(self.options, 2)
        yield from unfolded(empty, self.dealt)
        for step in self.steps:
            yield from unfolded(step.state, step.events)

    @property
    def options(self) -> Options:
        kept = {name: getattr(self.state.settings, name) for name in self.state.settings.__struct_fields__}
        return Options(**kept)


def unfolded(state: State, events: tuple[Event, ...]) -> Iterator[tuple[State, Event]]:
    """Each event with the state just before it."""
    for event in events:
        yield state, event
        state = GAME.evolve(state, event)


def game(table: str, number: int, most: int = 6000) -> Game:
    """A random game of this table, to its end; the players like to play, their stock first."""
    lots, options = Random(f"{table} {number}"), GAME.get(OptionRules).settle(Options(**TABLES[table]), 2)
    dealt = tuple(GAME.deal(options, Chance(lots.randbytes(32)), 2))
    state, steps = folded(GAME.initial(options, 2), dealt), list[Step]()
    while GAME.result(state) is None:
        assert len(steps) < most, "the game does not end"
        steps.append(_step(state, lots))
        state = folded(state, steps[-1].events)
    return Game(dealt, tuple(steps), state)


def folded(state: State, events: tuple[Event, ...]) -> State:
    """The state after these events."""
    for event in events:
        state = GAME.evolve(state, event)
    return state


def _step(state: State, lots: Random) -> Step:
    seat = 0 if state.turn is None else state.turn
    command = _chosen(GAME.legal_commands(state, seat), lots)
    return Step(state, seat, command, tuple(GAME.decide(state, seat, command)))


def _chosen(listed: Sequence[Command], lots: Random) -> Command:
    plays = [command for command in listed if isinstance(command, Play)]
    stock = [command for command in plays if command.source.startswith("stock")]
    wish = lots.random()
    return lots.choice((stock if wish < 0.6 else plays if wish < 0.9 else None) or listed)
