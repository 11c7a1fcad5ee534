"""The games that are solved: one module for each, named by its key, with a `SOLVER`; beside them what several share.

Not solved: Bridge Solitaire, Deck the Yard, Forty Thieves. Games of more than one player have no certificate.
"""

from importlib import import_module
from pkgutil import iter_modules

from domain.games import GAME_TYPES
from service.solving.finding import Solves

SOLVERS = tuple(sorted(module.name for module in iter_modules(__path__) if module.name in GAME_TYPES))
"""The keys of the game types that are solved. The module of a game type is imported when it is asked."""


def find_solver(key: str) -> Solves:
    """The solver of this game type; KeyError without one."""
    if key not in SOLVERS:
        raise KeyError(key)
    solver: Solves = import_module(f"{__name__}.{key}").SOLVER
    return solver
