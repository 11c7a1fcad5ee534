"""Thin handlers: one folder or module for each area of the API; the handlers of all are collected here."""

from importlib import import_module
from pkgutil import walk_packages

from litestar.handlers import HTTPRouteHandler


def find_handlers() -> list[HTTPRouteHandler]:
    """The HANDLERS of every module in this package, ordered by the last part of the module's name."""
    names = sorted(
        (module.name for module in walk_packages(__path__, f"{__name__}.")), key=lambda name: name.rpartition(".")[2]
    )
    modules = [import_module(name) for name in names]
    return [handler for module in modules for handler in getattr(module, "HANDLERS", ())]
