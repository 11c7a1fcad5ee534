"""How positions of a game type are judged by a search: one module for each, named by its key, with an `OUTLOOK`."""

from importlib import import_module
from pkgutil import iter_modules

from service.house.search import Outlook

OUTLOOKS: dict[str, Outlook] = {
    module.name: import_module(f"{__name__}.{module.name}").OUTLOOK for module in iter_modules(__path__)
}
"""By the key of the game type; the others are not searched."""
