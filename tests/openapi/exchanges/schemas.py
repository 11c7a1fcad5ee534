"""Whether exchanges are what the description says: every request and answer under its schema, in one go."""

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from tests.openapi.exchanges.stage import Exchange
from tests.openapi.test_document import DOCUMENT, OPERATIONS

Pair = tuple[str, Any, Any]
"""A name, a schema and a value."""


def faults(successes: Mapping[str, Exchange], refusals: Mapping[str, Exchange]) -> list[str]:
    """What is not as described: requests that succeed, and all answers. All schemas are read once, as one."""
    pairs = [pair for name, one in successes.items() for pair in (*_request(name, one.asked), *_answer(name, one))]
    pairs += [pair for name, one in refusals.items() for pair in _answer(name, one)]
    whole = {
        "properties": {name: schema for name, schema, _ in pairs},
        "components": DOCUMENT["components"],
    }
    validator = jsonschema_rs.Draft202012Validator(whole)
    found = validator.iter_errors({name: value for name, _, value in pairs})
    return [f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in found]


def _request(name: str, asked: Any) -> Iterator[Pair]:
    told = OPERATIONS[name][2]
    given = {**asked.path, **asked.query, **asked.headers}
    described = {parameter["name"]: parameter["schema"] for parameter in told["parameters"]}
    for parameter, value in given.items():
        yield f"{name} {parameter}", described.get(parameter, False), value
    if asked.media_type is not None:
        contents = told["requestBody"]["content"]
        yield f"{name} body", contents.get(asked.media_type, {"schema": False})["schema"], asked.body


def _answer(name: str, exchange: Exchange) -> Iterator[Pair]:
    """The answer's schema; `false`, which nothing is valid under, for a status or a media type not described."""
    response = OPERATIONS[name][2]["responses"].get(str(exchange.status))
    if exchange.media_type is None and response is not None:
        return
    content = (response or {}).get("content", {}).get(exchange.media_type, {"schema": False})
    # Of a stream the first event was recorded.
    schema = content.get("x-itemSchema" if exchange.media_type == "text/event-stream" else "schema", content["schema"])
    yield f"{name} {exchange.status} {exchange.media_type}", schema, exchange.body
