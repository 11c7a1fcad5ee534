"""Screaming Yoda: a course of events, each recorded and folded before the next is decided."""

from typing import NamedTuple

from domain.games.screaming_yoda.events import Event
from domain.games.screaming_yoda.evolve import evolve
from domain.games.screaming_yoda.state import State


class Course(NamedTuple):
    """What has happened so far, and the state it led to."""

    events: tuple[Event, ...]
    state: State

    def then(self, event: Event) -> "Course":
        return Course((*self.events, event), evolve(self.state, event))
