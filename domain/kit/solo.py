"""What the games for one player share: who may act, the frame of a view, and the deal as the player sees it."""

from collections.abc import Container
from typing import TypeVar

from domain.game_type import Illegal
from domain.view import FACE_DOWN, Card, View, Zone

V = TypeVar("V")


def not_the_player(game: str) -> Illegal:
    """What is raised for any seat but that of the one player of this game."""
    return Illegal("one_player", f"{game} is played by the one player at seat 0.")


def solo_view(over: bool, stuck: bool, zones: tuple[Zone, ...], facts: V) -> View[V]:
    """The view of a game in which the player can act until it is over."""
    return View("finished" if over else "playing", () if over else (0,), stuck, zones, facts)


def hide_all_but(cards: tuple[Card, ...], places: Container[int]) -> tuple[Card, ...]:
    """The cards of a deal, face down but at these places of the dealing order."""
    return tuple(card if place in places else FACE_DOWN for place, card in enumerate(cards))
