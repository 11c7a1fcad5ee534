"""What looks best at once: one module per game type, named like its key and found by looking.

A module has `judge(position)`, which gives the worth of a command there: a number, the more the better.
"""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

from service.bots.position import Command, Position

Worth = Callable[[Command], float]
Judge = Callable[[Position], Worth]

JUDGES: dict[str, Judge] = {
    module.name: import_module(f"{__name__}.{module.name}").judge for module in iter_modules(__path__)
}
"""By the key of the game type; a game type that is not here is played by lot."""
