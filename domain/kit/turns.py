"""Turns: who may act in a game for one, and the events of one command, each folded before the next is decided."""

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from domain.chance import Chance, Shuffle
from domain.game_type import Illegal
from domain.view import Card

S = TypeVar("S")
E = TypeVar("E")


def not_the_player(game: str) -> Illegal:
    """What is raised for any seat but that of the one player of this game."""
    return Illegal("one_player", f"{game} is played by its one player.")


class Course(NamedTuple, Generic[S, E]):
    """The state so far, the events that led to it, and the function that folds one more of them."""

    evolve: Callable[[S, E], S]
    state: S
    events: tuple[E, ...] = ()

    def then(self, *events: E) -> "Course[S, E]":
        """The course with these events behind it, in order."""
        state = self.state
        for event in events:
            state = self.evolve(state, event)
        return Course(self.evolve, state, self.events + events)


def shuffle_cards(chance: Chance | None, cards: Sequence[Card]) -> Shuffle:
    """These cards in a new order, with the chance that remains; raises ValueError where none is left to draw from."""
    if chance is None:
        raise ValueError("a game without chance")
    return chance.shuffle(cards)
