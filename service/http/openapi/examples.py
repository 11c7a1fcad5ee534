"""Examples as a running server answered them: `python -m tests.openapi.exchanges --record` writes the file.

Each operation has one request that succeeds, with its answer, and its most usual refusal. A problem that several
operations answer stands once, in `components/examples`.
"""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from service.problems import KINDS

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
