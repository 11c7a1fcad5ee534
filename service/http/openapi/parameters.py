"""Parameters of an operation: from its path, its query struct and its headers."""

import re
from typing import Any

from service.http.openapi.schemas import Schemas
from service.http.operation import Operation
from service.live import idempotency
from service.problems import patterns
from service.workers.reads import MIN_POSITION

_PLACE = re.compile(r"\{(\w+):(\w+)\}")
_KINDS: dict[str, dict[str, Any]] = {
    "uuid": {"type": "string", "format": "uuid"},
    "int": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
    "str": {"type": "string", "minLength": 1, "pattern": "^[a-z0-9_]+$"},
}


def path_template(path: str) -> str:
    """Litestar's path as OpenAPI writes it."""
    return _PLACE.sub(r"{\1}", path)


def parameters(described: Operation, schemas: Schemas) -> list[dict[str, Any]]:
    """All parameters of this operation."""
    return [*_path_parameters(described), *_query_parameters(described, schemas), *_header_parameters(described)]


def _path_parameters(described: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "description": _PATH_TEXTS[name], "schema": _KINDS[kind]}
        for name, kind in _PLACE.findall(described.path)
    ]


_PATH_TEXTS = {
    "comment_id": "The comment.",
    "league_id": "The league.",
    "fixture_id": "The fixture.",
    "contest_id": "The same-deal contest.",
    "season": "The season, counted from 1.",
    "month": "A month of UTC, `2026-11`.",
    "game_id": "The game's id.",
    "player_id": "The player's id.",
    "puzzle_id": "The puzzle's id.",
    "webhook_id": "The webhook.",
    "delivery_id": "The delivery of an event.",
    "token_id": "The token's id, not its text.",
    "passkey_id": "The passkey.",
    "client_id": "The app, by the id that OAuth knows it by.",
    "step": "A step of the game; 0 is the opening.",
    "game_type": "The game type's key.",
    "kind": "The problem's name, the last part of its type.",
}


def _query_parameters(described: Operation, schemas: Schemas) -> list[dict[str, Any]]:
    whole = schemas.inline(described.query)
    properties, required = whole.get("properties", {}), whole.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "description": _text(schema),
         "schema": _without_null(schema)}
        for name, schema in properties.items()
    ]  # fmt: skip


def _text(schema: dict[str, Any]) -> str:
    return next((one["description"] for one in (schema, *schema.get("anyOf", ())) if "description" in one), "")


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without null: a parameter is left out instead."""
    if schema.get("anyOf"):
        kinds = [kind for kind in schema["anyOf"] if kind != {"type": "null"}]
        return {name: value for name, value in kinds[0].items() if name != "description"}
    return {name: value for name, value in schema.items() if name != "description"}


def _header_parameters(described: Operation) -> list[dict[str, Any]]:
    lagging, read = _LEAST if described.may_lag else {}, _IF_NONE_MATCH if described.has_etag else {}
    texts = _key(described) | described.request_headers | lagging | read | _REQUEST_ID
    schemas = _HEADER_SCHEMAS | ({idempotency.KEY: {"type": "string"}} if described.keyless else {})
    return [
        {"name": name, "in": "header", "required": False, "description": text, "schema": schemas[name]}
        for name, text in texts.items()
    ]


_REQUEST_ID = {"Request-Id": "A name for this request; one that is not well-formed is replaced by a new one."}
_IF_NONE_MATCH = {"If-None-Match": "The ETag of the answer that you have: 304 if it is what would be answered now."}


def _key(described: Operation) -> dict[str, str]:
    """The header of every write that makes repeats harmless, or why this one passes over it."""
    if described.method == "GET":
        return {}
    return {idempotency.KEY: f"Passed over. {described.keyless}" if described.keyless else idempotency.TOLD}


_LEAST = {
    MIN_POSITION: "The answer may lag. Waits up to a second until it stands at this log position, if it then does: "
    "that of a change, from its Log-Position. Left out, a service without replicas waits for your own newest change.",
}


_HEADER_SCHEMAS = {
    "Idempotency-Key": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": patterns.IDEMPOTENCY_KEY},
    "If-Match": {"type": "string", "pattern": patterns.IF_MATCH},
    "If-None-Match": {"type": "string"},
    MIN_POSITION: {"type": "string", "pattern": "^[0-9]{1,18}$"},
    "Last-Event-ID": {"type": "string", "pattern": patterns.EVENT_ID},
    "Request-Id": {"type": "string"},
}
