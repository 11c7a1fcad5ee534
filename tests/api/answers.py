"""Everything that a service answers to one who asks: every GET of its description and every page, with known ids."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import httpx

from service import web

_ENDLESS = ("/events", "/v1/inbox/events", "/v1/docs", "/v1/openapi.json", "/static/")
_PASSING = ("log_position", "read_position", "position", "as_of", "request_id")


def everything(http: httpx.Client, known: dict[str, list[str]]) -> dict[str, httpx.Response]:
    """By path what was answered; `known` has values by the name of a parameter."""
    return {path: http.get(path) for path in sorted(set(_paths(http, known)))}


def _paths(http: httpx.Client, known: dict[str, list[str]]) -> Iterator[str]:
    described = http.get("/v1/openapi.json").json()["paths"]
    templates = [path for path, operations in described.items() if "get" in operations]
    templates += [path for handler in web.find_handlers() for path in handler.paths if "GET" in handler.http_methods]
    for template in templates:
        if not any(part in template for part in _ENDLESS):
            yield from _filled(template, known)


def _filled(template: str, known: dict[str, list[str]]) -> Iterator[str]:
    parts = [part.strip("{}").partition(":")[0] if part[:1] == "{" else None for part in template.split("/")]
    names = [name for name in parts if name is not None]
    for values in product(*(known.get(name, []) for name in names)):
        path = iter(values)
        yield "/".join(
            next(path) if name is not None else part for name, part in zip(parts, template.split("/"), strict=True)
        )


def without(value: Any, name: str) -> Any:
    """A JSON value without this name and what passes: positions of the log."""
    if isinstance(value, dict):
        return {key: without(one, name) for key, one in value.items() if key not in (*_PASSING, "erased")}
    if isinstance(value, list):
        return [without(one, name) for one in value]
    return None if value == name else value


def told(answer: httpx.Response, name: str) -> Any:
    """What an answer says, without the name: JSON as its value, one by line, and other texts as they are."""
    if "json" not in answer.headers.get("content-type", ""):
        return answer.content
    return [without(json.loads(line), name) for line in answer.text.splitlines() if line]
