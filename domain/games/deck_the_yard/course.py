"""What one command sets off: the events so far and the state after them."""

from typing import NamedTuple

from domain.games.deck_the_yard.events import Event, PlayEnded
from domain.games.deck_the_yard.evolve import evolve
from domain.games.deck_the_yard.state import TO_WIN, State


class Course(NamedTuple):
    """The state after these events."""

    state: State
    events: tuple[Event, ...] = ()

    def then(self, event: Event) -> "Course":
        return Course(evolve(self.state, event), (*self.events, event))


def judged(course: Course) -> Course:
    """The game ended where the claims suffice; our ruling: at once, unless `play_on` was chosen."""
    if len(course.state.claims) < TO_WIN or course.state.options.play_on:
        return course
    return course.then(PlayEnded("eight_claims"))
