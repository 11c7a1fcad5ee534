"""Every game type there is: found by looking into this folder, never listed by hand."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from domain.game_type import GameType

AnyGameType = GameType[Any, Any, Any, Any, Any]


def _found() -> list[AnyGameType]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    values = [value for module in modules for value in vars(module).values() if isinstance(value, GameType)]
    return sorted(values, key=lambda game_type: (game_type.key, game_type.revision))


REVISIONS: dict[tuple[str, int], AnyGameType] = {(found.key, found.revision): found for found in _found()}
"""Every revision of every game type, by key and revision: stored games are played under their own."""

GAME_TYPES: dict[str, AnyGameType] = {found.key: found for found in REVISIONS.values()}
"""The newest revision of every game type, by key: what can be opened."""
