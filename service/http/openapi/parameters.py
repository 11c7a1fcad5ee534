"""Parameters of an operation: from its path, its query struct and its headers."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from service import problems
from service.http.openapi.schemas import Schemas
from service.http.operation import Operation
from service.live import idempotency
from service.problems import KINDS
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
    "Idempotency-Key": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": problems.IDEMPOTENCY_KEY},
    "If-Match": {"type": "string", "pattern": problems.IF_MATCH},
    "If-None-Match": {"type": "string"},
    MIN_POSITION: {"type": "string", "pattern": "^[0-9]{1,18}$"},
    "Last-Event-ID": {"type": "string", "pattern": problems.EVENT_ID},
    "Request-Id": {"type": "string"},
}


FILE = Path(__file__).with_name("examples.json")
PROBLEM = "application/problem+json"
_SHORTENED = "Lists and long texts are cut."
_ERRORS: dict[str, Any] = {
    "malformed": {
        "errors": [
            {"pointer": "/rounds", "detail": "Expected an integer from 1 to 10.", "given": "0",
             "allowed": ["an integer from 1 to 10"]},
        ],
    },
}  # fmt: skip
"""What the example of a kind shows besides."""


def refer_to_kinds(kinds: list[str]) -> dict[str, Any]:
    """A reference to the example of each of these kinds of problems."""
    return {kind: _reference(kind) for kind in kinds}


def shared_examples() -> dict[str, Any]:
    """The components that are referred to: one of each kind of problem, and what several operations answer."""
    return {kind: {"value": _problem(kind)} for kind in KINDS} | {
        name: _refusal(json.loads(text)) for text, name in _shared_refusals().items()
    }


def add_examples(operation: dict[str, Any]) -> None:
    """Put the recorded examples of an operation of the document into it."""
    recorded, name = _read_recorded(), operation["operationId"]
    if (success := recorded["successes"].get(name)) is not None:
        _add_request(operation, success["asked"])
        value = success.get("body")
        if success.get("media_type") == "text/event-stream":
            value = event_text(success["body"])
        shown = {"value": value} | ({"summary": _SHORTENED} if success.get("shortened") else {})
        _add_answer(operation, success, "success", shown)
    if (refusal := recorded["refusals"].get(name)) is not None:
        shared = _shared_refusals().get(_as_text(refusal["body"]))
        kind = refusal["body"].get("type", "refusal").rpartition("/")[2]
        _add_answer(operation, refusal, kind, _refusal(refusal["body"]) if shared is None else _reference(shared))


def event_text(event: dict[str, str]) -> str:
    """A server-sent event as it is sent."""
    return "".join(f"{field}: {value}\n" for field, value in event.items()) + "\n"


def _add_request(operation: dict[str, Any], asked: dict[str, Any]) -> None:
    given = {**asked.get("path", {}), **asked.get("query", {}), **asked.get("headers", {})}
    for parameter in operation["parameters"]:
        if parameter["name"] in given:
            parameter["example"] = given[parameter["name"]]
    content = operation.get("requestBody", {}).get("content", {}).get(asked.get("media_type"))
    if content is not None and asked["body"] not in [one["value"] for one in content.get("examples", {}).values()]:
        content.setdefault("examples", {})["success"] = {"value": asked["body"]}


def _add_answer(operation: dict[str, Any], exchange: dict[str, Any], name: str, example: dict[str, Any]) -> None:
    """Nothing for an answer without a body, or one that is not described: the tests find that, not who starts."""
    contents = operation["responses"].get(str(exchange["status"]), {}).get("content", {})
    if (content := contents.get(exchange.get("media_type"))) is not None:
        content.pop("example", None)  # the recorded one takes its place
        content["examples"] = content.get("examples", {}) | {name: example}


def _refusal(body: dict[str, Any]) -> dict[str, Any]:
    summary = body.get("rule") or body.get("error") or body["title"]
    return {"summary": summary, "value": body}


def _reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/examples/{name}"}


def _problem(name: str) -> dict[str, Any]:
    kind = KINDS[name]
    told = {"type": f"/v1/problems/{name}", "title": kind.title, "status": kind.status, "detail": kind.when}
    return {**told, **_ERRORS.get(name, {})}


@cache
def _read_recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


@cache
def _shared_refusals() -> dict[str, str]:
    """Text of a problem that several operations answer -> its name as a component: its kind, and its first words."""
    bodies = [one["body"] for one in _read_recorded()["refusals"].values() if one["media_type"] == PROBLEM]
    found: dict[str, str] = {}
    for text, count in Counter(map(_as_text, bodies)).items():
        if count > 1:
            told = json.loads(text)
            words = re.findall(r"[a-z]+", told.get("rule") or told["detail"].lower())[:6]
            found[text] = "_".join([told["type"].rpartition("/")[2], *words])
    if len(set(found.values())) < len(found):
        raise ValueError(f"two examples of one name: {sorted(found.values())}")
    return found


def _as_text(body: dict[str, Any]) -> str:
    return json.dumps(body, sort_keys=True)
