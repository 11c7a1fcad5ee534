"""Seahaven Towers: solved as FreeCell is."""

from domain.games.seahaven_towers import SEAHAVEN_TOWERS
from service.solving.games.freecell import cell_solver

SOLVER = cell_solver(SEAHAVEN_TOWERS)
