"""OPTIONS: every path answers with its methods, pages too."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from litestar import Response
from litestar.handlers import HTTPRouteHandler


def options_handlers(handlers: Iterable[HTTPRouteHandler]) -> list[HTTPRouteHandler]:
    """A handler of OPTIONS for every path of these handlers."""
    methods: dict[str, set[str]] = defaultdict(lambda: {"OPTIONS"})
    for handler in handlers:
        for path in handler.paths:
            methods[path] |= set(handler.http_methods)
    return [_options_handler(path, allow_header(allowed)) for path, allowed in methods.items()]


def allow_header(methods: Iterable[str]) -> str:
    """The value of `Allow` for these methods; GET implies HEAD."""
    return ", ".join(sorted({*methods, "HEAD"} if "GET" in methods else set(methods)))


def _options_handler(path: str, allowed: str) -> HTTPRouteHandler:
    async def options() -> Response[Any]:
        return Response(None, status_code=204, headers={"Allow": allowed})

    return HTTPRouteHandler(path, http_method="OPTIONS", name=f"options {path}", status_code=200)(options)
