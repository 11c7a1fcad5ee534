"""Decs Building: a course of events, each recorded and folded before the next is decided."""

from typing import NamedTuple

from domain.games.decs_building.events import Event
from domain.games.decs_building.evolve import evolve
from domain.games.decs_building.state import State


class Course(NamedTuple):
    """What has happened so far, and the state it led to."""

    events: tuple[Event, ...]
    state: State

    def then(self, *events: Event) -> "Course":
        """The course with these events behind it."""
        course = self
        for event in events:
            course = Course((*course.events, event), evolve(course.state, event))
        return course
