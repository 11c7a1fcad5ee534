"""The solver of each game type that has one. A module here has `SOLVERS` of games that are solved alike.

Not solved: Bridge Solitaire and Deck the Yard. Games of more than one player have no certificate.
"""

from importlib import import_module
from pkgutil import iter_modules

from service.solving.search import Solver

_MODULES = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
SOLVERS: dict[str, Solver] = {solver.game_type.key: solver for module in _MODULES for solver in module.SOLVERS}
"""By the key of the game type."""
