"""The pages for people: server-rendered, with a light script. Handlers are collected from the modules here."""

from litestar.handlers import HTTPRouteHandler

from service.http import operation
from service.web import page


def find_handlers() -> list[HTTPRouteHandler]:
    """Every page's handler, in the order of the modules' names; where one fails, it answers with an error page."""
    handlers = operation.find_handlers(__path__, __name__)
    for handler in handlers:
        handler.exception_handlers = page.PAGES
    return handlers
