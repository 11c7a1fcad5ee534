"""Every read model there is: found by looking into this folder, never listed by hand."""

from importlib import import_module
from pkgutil import walk_packages

from projections.engine.contract import Projection


def _find_projections() -> list[Projection]:
    modules = [import_module(module.name) for module in walk_packages(__path__, f"{__name__}.")]
    values = {
        id(value): value for module in modules for value in vars(module).values() if isinstance(value, Projection)
    }
    return sorted(values.values(), key=lambda projection: projection.name)


PROJECTIONS: dict[str, Projection] = {found.name: found for found in _find_projections()}
"""Every projection, by name."""
