"""Canfield: solved with the talon in its order."""

from domain.games.canfield import CANFIELD
from service.solving.games.talon import talon_solver

SOLVER = talon_solver(CANFIELD)
