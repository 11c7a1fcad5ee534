"""Thin handlers, one module per area of the API: found by looking into this folder."""

from importlib import import_module
from pkgutil import iter_modules

from litestar.handlers import HTTPRouteHandler


def found() -> list[HTTPRouteHandler]:
    """Every handler of every module here that has HANDLERS, in the order of the modules' names."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return [handler for module in modules for handler in getattr(module, "HANDLERS", ())]
