"""Parameters of an operation, from its path, query struct and headers; and recorded examples."""

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
    path = [
        {"name": name, "in": "path", "required": True, "description": _PATH_TEXTS[name], "schema": _KINDS[kind]}
        for name, kind in _PLACE.findall(described.path)
    ]
    return [*path, *_list_query(described, schemas), *_list_headers(described)]


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
    "run_id": "The run's id.",
    "webhook_id": "The webhook.",
    "delivery_id": "The delivery of an event.",
    "token_id": "The token's id, not its text.",
    "passkey_id": "The passkey.",
    "client_id": "The app, by the id that OAuth knows it by.",
    "step": "A step of the game; 0 is the opening.",
    "game_type": "The game type's key.",
    "kind": "The problem's name, the last part of its type.",
}


def _list_query(described: Operation, schemas: Schemas) -> list[dict[str, Any]]:
    struct = schemas.inline(described.query)
    properties, required = struct.get("properties", {}), struct.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "description": next(
            (part["description"] for part in (schema, *schema.get("anyOf", ())) if "description" in part), ""),
         "schema": _drop_null(schema)}
        for name, schema in properties.items()
    ]  # fmt: skip


def _drop_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without null: a parameter is left out instead."""
    if schema.get("anyOf"):
        kinds = [kind for kind in schema["anyOf"] if kind != {"type": "null"}]
        return {name: value for name, value in kinds[0].items() if name != "description"}
    return {name: value for name, value in schema.items() if name != "description"}


def _list_headers(described: Operation) -> list[dict[str, Any]]:
    lagging, read = _LEAST if described.may_lag else {}, _IF_NONE_MATCH if described.has_etag else {}
    key = f"Passed over. {described.keyless}" if described.keyless else idempotency.HEADER_TEXT
    keys = {} if described.method == "GET" else {idempotency.KEY: key}
    texts = keys | described.request_headers | lagging | read | _REQUEST_ID
    schemas = _HEADER_SCHEMAS | ({idempotency.KEY: {"type": "string"}} if described.keyless else {})
    return [
        {"name": name, "in": "header", "required": False, "description": text, "schema": schemas[name]}
        for name, text in texts.items()
    ]


_REQUEST_ID = {"Request-Id": "A name for this request; one that is not well-formed is replaced by a new one."}
_IF_NONE_MATCH = {"If-None-Match": "The ETag of the answer that you have: 304 if it is what would be answered now."}


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
    "Prefer": {"type": "string"},
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
"""Further members of the example of a kind."""


def shared_examples() -> dict[str, Any]:
    """The components that are referred to: one of each kind of problem, and what several operations answer."""
    return {kind: {"value": _make_problem(kind)} for kind in KINDS} | {
        name: _describe_refusal(json.loads(text)) for text, name in _name_shared_refusals().items()
    }


def add_examples(operation: dict[str, Any]) -> None:
    """Put the recorded examples of an operation of the document into it."""
    recorded, name = _read_recorded(), operation["operationId"]
    if (success := recorded["successes"].get(name)) is not None:
        _add_request(operation, success["asked"])
        value = success.get("body")
        if success.get("media_type") == "text/event-stream":
            value = event_text(success["body"])
        example = {"value": value} | ({"summary": _SHORTENED} if success.get("shortened") else {})
        _add_answer(operation, success, "success", example)
    if (refusal := recorded["refusals"].get(name)) is not None:
        shared = _name_shared_refusals().get(_encode(refusal["body"]))
        kind = refusal["body"].get("type", "refusal").rpartition("/")[2]
        example = _describe_refusal(refusal["body"]) if shared is None else refer_to_example(shared)
        _add_answer(operation, refusal, kind, example)


def event_text(event: dict[str, str]) -> str:
    """A server-sent event as it is sent."""
    return "".join(f"{field}: {value}\n" for field, value in event.items()) + "\n"


def _add_request(operation: dict[str, Any], request: dict[str, Any]) -> None:
    values = {**request.get("path", {}), **request.get("query", {}), **request.get("headers", {})}
    for parameter in operation["parameters"]:
        if parameter["name"] in values:
            parameter["example"] = values[parameter["name"]]
    content = operation.get("requestBody", {}).get("content", {}).get(request.get("media_type"))
    if content is not None and all(each["value"] != request["body"] for each in content.get("examples", {}).values()):
        content.setdefault("examples", {})["success"] = {"value": request["body"]}


def _add_answer(operation: dict[str, Any], exchange: dict[str, Any], name: str, example: dict[str, Any]) -> None:
    """Nothing for an answer without a body, or one that is not described: the tests find that, not who starts."""
    contents = operation["responses"].get(str(exchange["status"]), {}).get("content", {})
    if (content := contents.get(exchange.get("media_type"))) is not None:
        content.pop("example", None)  # the recorded one takes its place
        content["examples"] = content.get("examples", {}) | {name: example}


def _describe_refusal(body: dict[str, Any]) -> dict[str, Any]:
    summary = body.get("rule") or body.get("error") or body["title"]
    return {"summary": summary, "value": body}


def refer_to_example(name: str) -> dict[str, str]:
    """A reference to one of the shared examples."""
    return {"$ref": f"#/components/examples/{name}"}


def _make_problem(name: str) -> dict[str, Any]:
    kind = KINDS[name]
    document = {"type": f"/v1/problems/{name}", "title": kind.title, "status": kind.status, "detail": kind.when}
    return {**document, **_ERRORS.get(name, {})}


@cache
def _read_recorded() -> dict[str, Any]:
    recorded: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return recorded


@cache
def _name_shared_refusals() -> dict[str, str]:
    """Text of a problem that several operations answer -> its name as a component: its kind, and its first words."""
    bodies = [refusal["body"] for refusal in _read_recorded()["refusals"].values() if refusal["media_type"] == PROBLEM]
    names: dict[str, str] = {}
    for text, count in Counter(map(_encode, bodies)).items():
        if count > 1:
            problem = json.loads(text)
            words = re.findall(r"[a-z]+", problem.get("rule") or problem["detail"].lower())[:6]
            names[text] = "_".join([problem["type"].rpartition("/")[2], *words])
    if len(set(names.values())) < len(names):
        raise ValueError(f"two examples of one name: {sorted(names.values())}")
    return names


def _encode(body: dict[str, Any]) -> str:
    return json.dumps(body, sort_keys=True)
