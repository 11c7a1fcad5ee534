"""Requests as data: what is sent for an operation, whoever sends it."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

import msgspec
from msgspec import UNSET, Struct

JSON, FORM, EVENTS = "application/json", "application/x-www-form-urlencoded", "text/event-stream"


class Operation(Struct, frozen=True, kw_only=True):
    """One operation of the service's description.

    `keyed`: it takes an Idempotency-Key; `positioned`: a Min-Log-Position; `body`, `answers`: the media types.
    """

    method: str
    path: str
    query: tuple[str, ...] = ()
    body: str | None = None
    answers: tuple[str, ...] = ()
    keyed: bool = False
    positioned: bool = False


class Call(Struct, frozen=True, kw_only=True):
    """One request, which is sent as it is however often: with the same idempotency key."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    content: bytes | None
    repeatable: bool
    """Whether it may be sent again though it may have been done: it reads, or a key says that it is the same."""


def prepare(
    operation: Operation,
    values: Mapping[str, Any],
    body: Any = None,
    *,
    accept: str | None = None,
    content_type: str | None = None,
    version: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Call:
    """The call of this operation; `values` are those of its path and its query, None where one is left out.

    A body is a struct, a mapping or a list, and bytes or text as they are. Raises TypeError for an unknown value.
    """
    given = {name: value for name, value in values.items() if value is not None and value is not UNSET}
    path, rest = operation.path, dict(given)
    for name in values:
        if f"{{{name}}}" in path:
            path = path.replace(f"{{{name}}}", quote(_text(rest.pop(name, "")), safe=""))
    if unknown := {*rest, *(part[1:-1] for part in path.split("/") if part.startswith("{"))} - {*operation.query}:
        raise TypeError(f"{operation.path} needs or does not know: {', '.join(sorted(unknown))}")
    content, media_type = _content(body, content_type or operation.body or JSON)
    sent = {"Accept": accept or next(iter(operation.answers), JSON), **media_type}
    if operation.keyed:
        sent["Idempotency-Key"] = str(uuid4())
    if version is not None:
        sent["If-Match"] = f'"{version}"'
    return Call(
        method=operation.method,
        path=path,
        query={name: _text(value) for name, value in rest.items()},
        headers=sent | dict(headers or {}),
        content=content,
        repeatable=operation.keyed or operation.method == "GET",
    )


def _content(body: Any, media_type: str) -> tuple[bytes | None, dict[str, str]]:
    if body is None:
        return None, {}
    if isinstance(body, str):
        content = body.encode()
    elif isinstance(body, bytes):
        content = body
    elif media_type == FORM:
        content = urlencode({name: value for name, value in body.items() if value is not None}).encode()
    else:
        content = msgspec.json.encode(body)
    return content, {"Content-Type": media_type}


def _text(value: Any) -> str:
    """As it stands in a path or a query."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Struct):
        return msgspec.json.encode(value).decode()
    return json.dumps(value) if isinstance(value, dict) else str(value)


def seat_query(seat: int | None, spectator: bool = False, known_now: bool = False) -> dict[str, Any]:
    """Through whose eyes a game is looked at."""
    return {"seat": seat, "spectator": spectator or None, "known": "now" if known_now else None}
