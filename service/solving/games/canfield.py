"""Canfield: solved as Klondike is."""

from domain.games.canfield import CANFIELD
from service.solving.games.klondike import talon_solver

SOLVER = talon_solver(CANFIELD)
