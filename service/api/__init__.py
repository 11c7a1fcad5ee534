"""Thin handlers: one folder or module for each area of the API; the handlers of all are collected here."""

from litestar.handlers import HTTPRouteHandler

from service.http import operation


def find_handlers() -> list[HTTPRouteHandler]:
    """Every operation's handler."""
    return operation.find_handlers(__path__, __name__)
