"""Seahaven Towers: solved like the other games with cells."""

from domain.games.seahaven_towers import SEAHAVEN_TOWERS
from service.solving.games.cells import cell_solver

SOLVER = cell_solver(SEAHAVEN_TOWERS)
