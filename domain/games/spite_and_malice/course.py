"""Spite & Malice: a course of events, each recorded and folded before the next is decided."""

from typing import NamedTuple

from domain.chance import Shuffle
from domain.games.spite_and_malice.events import Event
from domain.games.spite_and_malice.evolve import evolve
from domain.games.spite_and_malice.state import Cards, State


class Course(NamedTuple):
    """What has happened so far, and the state it led to."""

    events: tuple[Event, ...]
    state: State

    def then(self, event: Event) -> "Course":
        return Course((*self.events, event), evolve(self.state, event))


def shuffled(state: State, cards: Cards) -> Shuffle:
    """These cards in a new order, with the chance that remains."""
    if state.chance is None:
        raise ValueError("a game without chance")
    return state.chance.shuffled(cards)
