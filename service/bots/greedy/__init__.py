"""Greedy judgement of commands: one module per game type, named by its key and imported from this folder.

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
"""By the key of the game type; other game types are played by lot."""
