"""The AsyncAPI 3 document: every stream and the webhooks as channels. Its messages have the schemas of OpenAPI.

It refers to these schemas: the two documents are served and stored together. The `webhooks` of the OpenAPI document are
made here, too: one for each type of event that an account can have sent.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from service.http import line_messages
from service.http.line_messages import SUBSCRIPTIONS, UNDER_WAY
from service.http.openapi.document import SCHEMES, event_types, item_types, scopes
from service.http.openapi.parameters import parameters, path_template
from service.http.openapi.schemas import Schemas
from service.http.operation import JSON, Answer, Operation
from service.http.replies import NDJSON
from service.outbox.events import AccountEvent, EventType, WebhookVerification

EVENTS = "text/event-stream"
_FORMAT = "application/vnd.oai.openapi+json;version=3.1.0"
_WEBHOOKS, _LINE = "webhooks", "play"
_SIGNED = {
    "webhook-id": "The event's id: the same in every attempt, so a double can be told.",
    "webhook-timestamp": "When this attempt was made, in seconds since 1970.",
    "webhook-signature": "`v1,` and HMAC-SHA256 of id, time and body in base64; two of them for a day after a change "
    "of secrets. The libraries of [Standard Webhooks](https://www.standardwebhooks.com) check it.",
}
_WHEN: dict[EventType, str] = {
    "invitation": "You are invited to a game or to a league.",
    "turn": "It has become your turn in a game of several players.",
    "finished": "A game that you played is over.",
    "voided": "A game that you sat at was declared void.",
    "table_changed": "The table of your division in a league changes.",
    "attempt_revealed": "A contest is closed and your attempt is revealed.",
    "webhook_disabled": "Another webhook of yours is disabled, for nothing was taken there.",
}
assert set(_WHEN) == set(get_args(EventType))
_PROTOCOL = "Sec-WebSocket-Protocol"
_LINES = (
    "Who you are is said once: by the header `Authorization` or a session's cookie with the upgrade, or by the "
    "message `authenticate`. Each message counts, is checked and is answered as its REST request. Commands need not "
    "wait for answers: those of one game are carried out in the order sent, and those that wait for each other are "
    "stored at once, each with its `key`; those of other games do not wait. A refusal does not stop those behind it, "
    "their `version` does. `accepted` comes after the commit. Subscriptions tell what the streams tell, and count as "
    f"streams, as does the line. At most {UNDER_WAY} commands are under way, then nothing is read; a line has at most "
    f"{SUBSCRIPTIONS} subscriptions. What cannot be read is `refused`, and the line goes on. After a line broke off, "
    "subscribe again `after` the last version that you have, and send again what was not answered, with the same "
    "`key`."
)
_SERVERS = {
    "kibitz": ("127.0.0.1:8000", "The service that serves this document; by http where nothing ends TLS before it."),
    "receiver": ("example.org", "Where a webhook of yours leads."),
}


def document(operations: Iterable[Operation], schemas: Schemas, info: dict[str, Any]) -> dict[str, Any]:
    """The document of the operations that answer with a stream, and of the webhooks."""
    streams = [(described, answer) for described in operations if (answer := _find_stream(described)) is not None]
    channels = {described.id: _describe_channel(described, answer, schemas) for described, answer in streams}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": info["title"],
            "version": info["version"],
            "description": "What Kibitz sends: streams, which a GET opens, webhooks, and lines. The requests "
            "themselves, and the schemas of all messages, are in `/v1/openapi.json`, the OpenAPI document "
            "beside this one.",
            "license": {"name": info["license"]["name"], "url": "https://opensource.org/license/mit"},
        },
        "defaultContentType": JSON,
        "servers": {
            name: {
                "host": "{host}", "protocol": "https", "description": says,
                "variables": {"host": {"default": host, "description": "Its host and port."}},
            } for name, (host, says) in _SERVERS.items()
        },
        "channels": channels | {_WEBHOOKS: _describe_webhooks(schemas), _LINE: _describe_lines()},
        "operations": {described.id: _describe_operation(described, answer, schemas) for described, answer in streams}
        | {_WEBHOOKS: {"action": "send", "channel": _refer_to("channels", _WEBHOOKS),
                       "summary": "Tell what happens to you.",
                       "bindings": {"http": {"method": "POST", "bindingVersion": "0.3.0"}}}}
        | dict(_describe_line_operations()),
        "components": {"securitySchemes": {
            "bearer": SCHEMES["bearer"], "session": SCHEMES["session"] | {"type": "httpApiKey"},
        }},
    }  # fmt: skip


def _find_stream(described: Operation) -> Answer | None:
    """The answer that is a stream, or lines of JSON; None where the operation has none."""
    answer = described.answers.get(200)
    if answer is None or not {EVENTS, NDJSON} & set(answer.media_types):
        return None
    return None if item_types(answer) == (str,) else answer


def _describe_channel(described: Operation, answer: Answer, schemas: Schemas) -> dict[str, Any]:
    path = [parameter for parameter in parameters(described, schemas) if parameter["in"] == "path"]
    channel: dict[str, Any] = {
        "address": path_template(described.path),
        "title": described.summary,
        "description": described.description or described.summary,
        "servers": [_refer_to("servers", "kibitz")],
        "messages": dict(_describe_messages(answer, schemas)),
    }
    return channel | (
        {"parameters": {part["name"]: {"description": part["description"]} for part in path}} if path else {}
    )


def _describe_messages(answer: Answer, schemas: Schemas) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and message: the events of a stream and its end, or the kinds of lines."""
    if EVENTS not in answer.media_types:
        for kind in item_types(answer):
            yield kind.__name__, {"name": kind.__name__, **_describe_content(kind, schemas)}
        return
    for name, kind in event_types(answer).items():
        fields = {"id": {"type": "string"}, "event": {"type": "string", "const": name}}
        headers = {"type": "object", "required": ["event"], "properties": fields}
        yield name, {"name": name, "headers": headers, **_describe_content(kind, schemas)}


def _describe_content(kind: Any, schemas: Schemas) -> dict[str, Any]:
    says = (kind.__doc__ or "").strip().partition("\n")[0]
    reference = {"$ref": "openapi.json" + schemas.of(kind)["$ref"]}
    return {"summary": says, "contentType": JSON, "payload": {"schemaFormat": _FORMAT, "schema": reference}}


def _describe_operation(described: Operation, answer: Answer, schemas: Schemas) -> dict[str, Any]:
    inputs = [each for each in parameters(described, schemas) if each["in"] == "query"]
    query = {each["name"]: each["schema"] | {"description": each["description"]} for each in inputs}
    operation: dict[str, Any] = {
        "action": "send",
        "channel": _refer_to("channels", described.id),
        "summary": described.summary,
        "bindings": {
            "http": {
                "method": described.method,
                "query": {"type": "object", "properties": query, "additionalProperties": False},
                "bindingVersion": "0.3.0",
            }
        },
        "x-accept": EVENTS if EVENTS in answer.media_types else NDJSON,
        "x-request-headers": described.request_headers,
        "x-access": described.access,
        "x-scopes": scopes(described),
    }
    schemes = [_refer_to("components/securitySchemes", name) for name in ("bearer", "session")]
    return operation | ({"security": schemes} if described.access == "required" else {})


def _describe_webhooks(schemas: Schemas) -> dict[str, Any]:
    fields = {name: {"type": "string", "description": says} for name, says in _SIGNED.items()}
    signed = {"type": "object", "required": list(fields), "properties": fields}
    return {
        "address": None,
        "title": "Your events, sent to a URL of yours.",
        "description": "`add_webhook` says where and which. Signed as Standard Webhooks has it.",
        "servers": [_refer_to("servers", "receiver")],
        "messages": {
            name: {"name": name, "headers": signed, **_describe_content(kind, schemas)}
            for name, kind in (("account_event", AccountEvent), ("webhook_verification", WebhookVerification))
        },
    }


def _describe_lines() -> dict[str, Any]:
    kinds = (*get_args(line_messages.Sent), *get_args(line_messages.Told))
    schemas = Schemas(kinds)
    messages: dict[str, Any] = {}
    for kind in kinds:
        schema, tag = json.dumps(schemas.inline(kind)).replace('"#/', '"openapi.json#/'), kind.__struct_config__.tag
        payload = {"schemaFormat": _FORMAT, "schema": json.loads(schema)}
        messages[str(tag)] = {"name": tag, "summary": kind.__doc__, "contentType": JSON, "payload": payload}
    protocol = {"type": "string", "const": line_messages.PROTOCOL}
    headers = {"type": "object", "required": [_PROTOCOL], "properties": {_PROTOCOL: protocol}}
    return {
        "address": "/v1/play",
        "title": "Play and watch any number of games over one WebSocket.",
        "description": _LINES,
        "servers": [_refer_to("servers", "kibitz")],
        "messages": messages,
        "bindings": {"ws": {"method": "GET", "headers": headers, "bindingVersion": "0.1.0"}},
        "x-close-codes": {str(code): says for code, says in line_messages.CLOSES.items()},
    }


def _describe_line_operations() -> Iterator[tuple[str, dict[str, Any]]]:
    schemes = [_refer_to("components/securitySchemes", name) for name in ("bearer", "session")]
    for name, action, kinds in (_LINE, "receive", line_messages.Sent), ("play_answers", "send", line_messages.Told):
        places = [_refer_to(f"channels/{_LINE}/messages", kind.__struct_config__.tag) for kind in get_args(kinds)]
        operation = {"action": action, "channel": _refer_to("channels", _LINE), "messages": places, "security": schemes}
        yield name, operation | {"summary": "What you send." if action == "receive" else "What is sent back."}


def _refer_to(place: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/{place}/{name}"}


def webhooks(schemas: Schemas) -> dict[str, Any]:
    """The `webhooks` of the OpenAPI document, by type of event, and the challenge before them.

    `x-internal` keeps openapi-generator from making calls of them, which would not compile.
    """
    signed = [
        {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
        for name, text in _SIGNED.items()
    ]
    event, again = schemas.of(AccountEvent), "again and again until it is taken: see `add_webhook`."
    events = {
        kind: _describe_webhook(
            kind, says, f"Sent to your URL where the `types` of the webhook have `{kind}`, {again}", signed, event,
            {"2XX": {"description": "You have it."}},
        )
        for kind, says in _WHEN.items()
    }  # fmt: skip
    answer = {"type": "object", "required": ["challenge"], "properties": {"challenge": {"type": "string"}}}
    return events | {"webhook.verification": _describe_webhook(
        "webhook_verification", "Your receiver proves that it wants your events.",
        "Sent to a new URL, a few times, until it is answered: see `add_webhook`.", signed,
        schemas.of(WebhookVerification),
        {"200": {"description": "The challenge that came.", "content": {JSON: {"schema": answer}}}},
    )}  # fmt: skip


def _describe_webhook(
    name: str, summary: str, text: str, signed: list[dict[str, Any]], schema: dict[str, Any], answers: dict[str, Any]
) -> dict[str, Any]:
    gone = {"410": {"description": "The webhook is no more: it is disabled at once."}}
    return {"post": {
        "operationId": f"receive_{name}",
        "tags": ["webhooks"],
        "summary": summary,
        "description": f"{summary} {text}",
        "parameters": signed,
        "requestBody": {"required": True, "content": {JSON: {"schema": schema}}},
        "responses": answers | gone,
        "security": [],
        "x-internal": True,
    }}  # fmt: skip
