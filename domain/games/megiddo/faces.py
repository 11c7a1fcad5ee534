"""Megiddo: what the cards of its zones stand for."""

from domain.capabilities import Face
from domain.games.megiddo.stones import STONES
from domain.view import Card

FACES: dict[Card, Face] = {
    STONES[0]: Face(name="a black stone", mark="B", colour="#25282e"),
    STONES[1]: Face(name="a red stone", mark="R", colour="#c43a31"),
}
