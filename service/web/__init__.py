"""The pages for people: server-rendered, with a light script. HANDLERS are collected from the modules here."""

from importlib import import_module
from pkgutil import iter_modules

from litestar.handlers import HTTPRouteHandler

from service.web import page


def find_handlers() -> list[HTTPRouteHandler]:
    """Every page's handler, in the order of the modules' names; where one fails, it answers with an error page."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    handlers: list[HTTPRouteHandler] = [handler for module in modules for handler in getattr(module, "HANDLERS", ())]
    for handler in handlers:
        handler.exception_handlers = page.PAGES
    return handlers
