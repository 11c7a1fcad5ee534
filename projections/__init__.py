"""Every read model there is: found by looking into this folder, never listed by hand."""

from importlib import import_module
from pkgutil import iter_modules

from projections.projection import Projection


def _found() -> list[Projection]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    values = {
        id(value): value for module in modules for value in vars(module).values() if isinstance(value, Projection)
    }
    return sorted(values.values(), key=lambda projection: projection.name)


PROJECTIONS: dict[str, Projection] = {found.name: found for found in _found()}
"""Every projection, by name."""
