"""The description of the API, drawn part by part: to draw all of it at once takes a browser ten seconds and more."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from litestar import Response

from service.api.operator import REFERENCE_POLICY
from service.http.replies import JSON
from service.problems import Refused
from service.web.page import HEADERS, HTML, Visit, fill_template, page


def list_parts(document: Mapping[str, Any]) -> dict[str, list[tuple[str, str, str, str]]]:
    """The operations of each tag: id, method, path, summary."""
    parts: dict[str, list[tuple[str, str, str, str]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            row = operation["operationId"], method.upper(), path, operation["summary"]
            parts[operation["tags"][0]].append(row)
    return parts


@lru_cache(1)
def _read(text: bytes) -> dict[str, Any]:
    return dict(msgspec.json.decode(text))


def part_of(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The document with this tag's operations and webhooks alone; raises Refused where there is no such tag."""
    tags = [tag for tag in document["tags"] if tag["name"] == name]
    if not tags:
        raise Refused("no_such_thing", "There is no such part of the API.")

    def belonging(items: Mapping[str, Any]) -> dict[str, Any]:
        ours = {
            path: {m: each for m, each in item.items() if each.get("tags") == [name]} for path, item in items.items()
        }
        return {path: item for path, item in ours.items() if item}

    members = {member: belonging(document[member]) for member in ("paths", "webhooks")}
    return {**document, **members, "tags": tags}


@page("/docs/{tag:str}")
async def show_part(visit: Visit) -> Response[Any]:
    """Draw one part."""
    name = visit.request.path_params["tag"].replace("-", " ")
    document = _read(visit.request.app.state.openapi)
    part_of(document, name)
    text = fill_template("reference_part.html", name=name, parts=list_parts(document))
    return Response(text, media_type=HTML, headers=HEADERS | {"Content-Security-Policy": REFERENCE_POLICY})


@page("/docs/{tag:str}/openapi.json")
async def describe_part(visit: Visit) -> Response[Any]:
    """The description of one part, as the viewer reads it."""
    document = part_of(_read(visit.request.app.state.openapi), visit.request.path_params["tag"].replace("-", " "))
    return Response(msgspec.json.encode(document), media_type=JSON, headers=HEADERS)
