"""The games that are solved, a module for those that are solved alike. A module is imported when it is asked.

Not solved: Bridge Solitaire, Deck the Yard, Forty Thieves. Games of more than one player have no certificate.
"""

from importlib import import_module

from service.solving.finding import Solves

SOLVERS = {
    "black_hole": "black_hole",
    "canfield": "talon",
    "freecell": "cells",
    "golf": "golf",
    "klondike": "talon",
    "pyramid": "pyramid",
    "seahaven_towers": "cells",
    "spider": "spider",
    "the_clock": "the_clock",
}
"""The module of each game type's solver, by the key of the game type."""


def find_solver(key: str) -> Solves:
    """The solver of this game type; KeyError without one."""
    module = import_module(f"{__name__}.{SOLVERS[key]}")
    found: Solves = next(solver for solver in module.SOLVERS if solver.game_type.key == key)
    return found
