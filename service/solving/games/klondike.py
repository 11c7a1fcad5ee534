"""Klondike: solved with the talon in its order."""

from domain.games.klondike import KLONDIKE
from service.solving.games.talon import talon_solver

SOLVER = talon_solver(KLONDIKE)
