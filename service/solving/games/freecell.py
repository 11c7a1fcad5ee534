"""FreeCell: solved like the other games with cells."""

from domain.games.freecell import FREECELL
from service.solving.games.cells import cell_solver

SOLVER = cell_solver(FREECELL)
