"""The OpenAPI 3.1 document, made from the handlers' operations and the structs' own schemas.

Operations are ordered by what a newcomer needs first.
"""

import json
from collections.abc import Iterable
from typing import Any, Literal
from urllib.parse import parse_qsl

from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from domain.player import APP_SCOPES, PARTS
from service import VERSION
from service.accounts.access import COOKIE
from service.event_store import log_positions
from service.http.call import DEPRECATION_HEADERS, Answer, Operation
from service.http.front import PROBES
from service.http.openapi import parameters as inputs
from service.http.openapi.schemas import UNIONS, Schemas, add_integer_formats, split_by_game_type, tell_defaults
from service.http.replies import JSON, NDJSON
from service.http.representation import TEXT
from service.outbox.events import AccountEvent, WebhookVerification
from service.problems import KINDS, Problem

EXAMPLE_OAUTH = "https://kibitz.example/oauth/"
"""The address of OAuth in a document that no service serves; a service puts its own address there."""
TAGS = {
    "players": "Who plays. To register needs no token, and its answer holds the first one.",
    "passkeys": "What signs you in on the pages; made there, on `/account`, by a browser.",
    "tokens": "More tokens, for bots and other devices: sent as `Authorization: Bearer kbz_...`.",
    "apps": "Apps that players let act for them: OAuth 2.1, with codes, PKCE and refresh tokens.",
    "game types": "What can be played, with the rules and the schemas of options, commands and events.",
    "games": "Open a game, look at it, sit down, invite, play it once more.",
    "play": "What may be said now, and saying it.",
    "inbox": "The games in which it is your turn.",
    "account": "What happens to you: as a list, as one stream.",
    "webhooks": "Your events, sent to a URL of yours and signed.",
    "puzzles": "Positions of finished games in which one continuation wins.",
    "replay": "What was seen after each step, by any viewer, for ever.",
    "live": "A game while it is played, as server-sent events.",
    "contests": "Same-deal days: everybody is dealt the same cards.",
    "scoreboards": "Life-time boards of each game type.",
    "ladders": "Ratings of those who play against each other.",
    "rubbers": "Scoresheets of Bridge Solitaire.",
    "leagues": "Seasons of fixtures or of same deals among members.",
    "rulings": "What moderators and organisers have decided.",
    "records": "Games as text, to take along, to bring here, and to verify.",
    "service": "The service itself, for operators and for programs.",
}
_FIRST = (
    "open_game", "get_game", "join_game", "leave_game", "seed_game", "list_games", "get_deal_proof", "invite_to_game",
    "withdraw_game_invitation", "open_rematch", "fork_game", "abandon_game", "void_game",
    "list_frames", "get_frame", "list_moments", "get_replay_page", "get_embedded_replay", "get_oembed",
    "get_feed",
    "get_record", "import_record", "list_imports", "delete_import", "import_moves", "verify_game", "verify_record",
    "found_league", "list_leagues", "get_league", "join_league", "leave_league", "open_season", "list_fixtures",
    "open_fixture", "get_tables", "close_season", "get_promotions", "decide_promotions",
    "list_contests", "get_contest", "get_witness", "enter_contest", "list_results",
    "get_reference_page", "get_openapi_document", "get_asyncapi_document",
    "list_problems", "get_problem", "get_liveness", "get_readiness",
)  # fmt: skip
"""Operations that come first within their tag, in this order; the others follow in the order of the handlers."""
_PLACES = {name: place for place, name in enumerate(_FIRST)}


_OFFLINE_TAGS = ("service", "game types")


def describe_operations(handlers: Iterable[HTTPRouteHandler]) -> tuple[list[Operation], Schemas]:
    """The operations of these handlers, and the schemas of their answers."""
    declared: list[Operation] = [handler.opt["operation"] for handler in handlers if "operation" in handler.opt]
    tags = list(TAGS)
    operations = sorted(
        (operation for operation in declared if 101 not in operation.answers),
        key=lambda operation: (tags.index(operation.tag), _PLACES.get(operation.id, len(_PLACES))),
    )
    bodies = {operation.body_name: operation.body for operation in operations if operation.body_name}
    return operations, Schemas(
        [Problem, StreamEnd, AccountEvent, WebhookVerification, *_list_types(operations)], UNIONS | bodies
    )


def document(operations: list[Operation], schemas: Schemas, webhooks: dict[str, Any]) -> dict[str, Any]:
    """The document of these operations and webhooks."""
    paths: dict[str, Any] = {}
    for described in operations:
        methods = paths.setdefault(inputs.path_template(described.path), {})
        methods[described.method.lower()] = _describe_operation(described, schemas)
    components, used = schemas.referenced(), {described.tag for described in operations}
    split_by_game_type(components)
    tell_defaults(components)
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/", "description": "The service that serves this document."}],
        "tags": [{"name": tag, "description": says} for tag, says in TAGS.items() if tag in used],
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "securitySchemes": SCHEMES,
            "headers": {name: _describe_header(text) for name, text in _ALWAYS.items()}
            | {name: _describe_header(text, required=name == "ETag") for name, text in _READ.items()},
            "examples": inputs.shared_examples(), "schemas": dict(sorted(components.items())),
        },
    }  # fmt: skip
    written, shared = json.dumps(document), document["components"]
    for kind in ("examples", "schemas"):
        shared[kind] = {name: component for name, component in shared[kind].items() if f'/{kind}/{name}"' in written}
    add_integer_formats(document)
    return document


def text(document: dict[str, Any]) -> str:
    """A description as the text that is committed: two blanks for each level."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


INFO: dict[str, Any] = {
    "title": "Kibitz",
    "version": VERSION,
    "summary": "A card-table service: it deals, referees and remembers.",
    "description": "Open a game, play it by commands, replay it move by move. Errors are RFC 9457 problem documents; "
    "a command that a rule forbids answers 409 and names the rule. Times are RFC 3339 in UTC, cards two characters. "
    "Every answer has a Request-Id: the one the request brings, if it is well-formed (up to 100 letters, digits and "
    "`._:~=+/@-`), else a new one; problem documents repeat it. Name it when you ask what went wrong.\n\n"
    "What was written for version 1.0 works with every 1.x. New operations, members, headers and names of things may "
    "come without notice: skip what you do not know. What is to go is marked `deprecated`, and its answers have "
    "`Deprecation` (RFC 9745), then `Sunset` (RFC 8594) six months ahead at least.\n\n"
    "`/v1/asyncapi.json` describes streams and webhooks, message by message, by the schemas of this document.",
    "contact": {"name": "The people who run this service"},
    "license": {"name": "MIT", "identifier": "MIT"},
}
_SESSION = (
    "A browser's session, begun at `/sign-in` for the service's own pages: at most the scopes `read` and `play`. "
    "An Authorization header goes before it. What changes something must come from the same origin."
)
# Their names are in an order: openapi-generator sorts them, its TypeScript sends the token of an OAuth 2 scheme without
# the word `Bearer`, and the last one counts.
SCHEMES: dict[str, dict[str, Any]] = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token: `kbz_...`. Each operation names its scope in `x-scopes`. "
        + "; ".join(f"`{scope}` holds {', '.join(f'`{part}`' for part in parts)}" for scope, parts in PARTS.items())
        + ". What needs no token takes every valid one; without its scope you are answered as without a token.",
    },
    "app": {
        "type": "oauth2",
        "description": "Sign-in for apps (OAuth 2.1): an access token is a bearer token. PKCE with S256 is required. "
        "`register_app` makes an app known; `/.well-known/oauth-authorization-server` describes the server. Devices "
        "without a browser ask `authorize_device` for codes (RFC 8628), which this description has no flow for.",
        "flows": {
            "authorizationCode": {
                "authorizationUrl": f"{EXAMPLE_OAUTH}authorize",
                "tokenUrl": f"{EXAMPLE_OAUTH}token",
                "refreshUrl": f"{EXAMPLE_OAUTH}token",
                "scopes": dict(APP_SCOPES),
            }
        },
    },
    "session": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": _SESSION},
}
_ALWAYS = {
    "Request-Id": "The id of this request: what to name when asking what went wrong.",
    "Cache-Control": "`no-cache`: ask again each time, with If-None-Match. `immutable`: it will not change, such as a "
    "frame of a game that is over. `no-store`: keep it nowhere.",
    "RateLimit": 'What is left of each quota, and the seconds until it is whole again: `"requests";r=97;t=60`.',
    "RateLimit-Policy": 'The quotas and their windows in seconds: `"requests";q=100;w=60`.',
}
"""Headers of every answer."""
_READ = {
    "ETag": "What If-None-Match takes, to be answered 304 as long as nothing has changed. Of a game and its legal "
    "commands it begins with the version, and If-Match takes it, too. Weak (`W/`) if the answer is compressed.",
    "Vary": "The headers of the request that the answer depends on.",
    "Content-Encoding": "`zstd` or `gzip`, as Accept-Encoding wishes; left out if it is not compressed.",
}
"""Headers of the answers that are read and are no streams."""


class StreamEnd(Struct, frozen=True):
    """The last event of a stream: why it ends."""

    reason: Literal["finished", "limit", "access"]


_NOT_MODIFIED = "You have it: what If-None-Match names is what would be answered now."
_AS_IT_IS = {"type": "string", "format": "binary"}
"""A text body that is not JSON: `binary` makes client generators send it unchanged."""


def _list_types(operations: list[Operation]) -> Iterable[Any]:
    for described in operations:
        for answer in described.answers.values():
            for kind in (answer.type, answer.lines):
                yield from () if kind is None else kind if isinstance(kind, tuple) else (kind,)
        yield described.query
        if described.form is not None:
            yield described.form
        if described.body is not None:
            yield described.body


def _describe_operation(described: Operation, schemas: Schemas) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": described.id,
        "tags": [described.tag],
        "summary": described.summary,
        "description": described.description or described.summary,
        "parameters": inputs.parameters(described, schemas),
        "responses": _describe_responses(described, schemas),
    }
    if described.texts:
        operation["requestBody"] = _describe_text(described, schemas)
    if described.body is not None:
        operation["requestBody"] = _describe_body(described, schemas)
    if described.deprecated is not None:
        operation["deprecated"] = True
    operation["security"] = security(described)
    operation["x-scopes"] = scopes(described)
    inputs.add_examples(operation)
    return operation


def security(described: Operation) -> list[dict[str, list[str]]]:
    """The security schemes; their scope is in `x-scopes`, too. An app or a session never has an account's scopes."""
    if described.access == "open":
        return []
    anybody: list[dict[str, list[str]]] = [{}] if described.access == "optional" else []
    if described.scope is not None and described.scope not in APP_SCOPES:
        return [{"bearer": []}]
    return [*anybody, {"bearer": []}, {"app": scopes(described)}, {"session": []}]


def scopes(described: Operation) -> list[str]:
    return [] if described.access == "open" or described.scope is None else [described.scope]


def _describe_body(described: Operation, schemas: Schemas) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": schemas.of(described.body)}
    if described.examples:
        content["examples"] = {name.replace(" ", "_").replace(",", ""): {"summary": name, "value": value}
                               for name, value in described.examples.items()}  # fmt: skip
    return {"required": not described.body_optional, "content": {"application/json": content}}


def _describe_text(described: Operation, schemas: Schemas) -> dict[str, Any]:
    if described.form is not None:
        schema = schemas.of(described.form)
        filled = {name: {"example": {"value": dict(parse_qsl(form))}} for name, form in described.texts.items()}
        return {
            "required": True,
            "content": {name: {"schema": schema, "examples": examples} for name, examples in filled.items()},
        }
    content = {
        media_type: {"schema": _AS_IT_IS, "examples": {"example": {"value": example}}}
        for media_type, example in described.texts.items()
    }
    return {"required": True, "content": content}


def _describe_responses(described: Operation, schemas: Schemas) -> dict[str, Any]:
    paged = {"Link": _describe_header(_NEXT, required=False)} if described.has_pages else {}
    written = log_positions.HEADER_TEXT if described.writes else {}
    responses: dict[str, Any] = {}
    for status, answer in described.answers.items():  # a refusal may record something, too: a code used twice
        position = {name: _describe_header(text, required=status < 300) for name, text in written.items()}
        responses[str(status)] = _describe_answer(answer, position, schemas)
    for response in responses.values() if paged else ():
        response["headers"] = response.get("headers", {}) | paged
    if described.has_etag or (described.method == "GET" and described.varies_by):
        first = {name: _refer_to_header(name) for name in (_READ if described.has_etag else ("Vary",))}
        responses["200"]["headers"] = first | responses["200"].get("headers", {})
    by_status: dict[int, list[str]] = {}
    for kind in problem_kinds(described):
        by_status.setdefault(KINDS[kind].status, []).append(kind)
    for status, kinds in sorted(by_status.items()):
        responses[str(status)] = _join_responses(responses.get(str(status)), _describe_problem(kinds, schemas))
    is_counted = described.path not in PROBES
    always = {name: _refer_to_header(name) for name in _ALWAYS if is_counted or not name.startswith("RateLimit")}
    for response in responses.values():
        response["headers"] = response.get("headers", {}) | always
    if described.has_etag:
        headers = {name: _refer_to_header(name) for name in ("ETag", "Vary")} | always
        responses["304"] = {"description": _NOT_MODIFIED, "headers": headers}
    for response in responses.values() if described.deprecated is not None else ():
        for name, text in DEPRECATION_HEADERS.items():
            response["headers"][name] = _describe_header(text, required=name == "Deprecation")
    return responses


def _join_responses(own: dict[str, Any] | None, problem: dict[str, Any]) -> dict[str, Any]:
    if own is None:
        return problem
    description = f"{own['description']} {problem['description']}"
    return own | problem | {"description": description, "content": own["content"] | problem["content"]}


_NEXT = (
    'Where the next page is (RFC 8288): `</v1/games?cursor=...&limit=50>; rel="next"`. Left out after the last page.'
)


def _describe_answer(answer: Answer, written: dict[str, Any], schemas: Schemas) -> dict[str, Any]:
    response: dict[str, Any] = {"description": answer.says}
    if answer.headers or written:
        always = {
            name: _describe_header(text, required=name != "Preference-Applied") for name, text in answer.headers.items()
        }
        response["headers"] = always | written
    if answer.type is not None:
        response["content"] = {
            media_type: _describe_content(answer, media_type, schemas) for media_type in answer.media_types
        }
    if answer.links:
        response["links"] = answer.links
    return response


def _describe_content(answer: Answer, media_type: str, schemas: Schemas) -> dict[str, Any]:
    """A JSON answer by its schema; a text by an example, and the schema of its items if it is a stream of them.

    JSON Schema sees a stream's body as a text: with its items' schema there, clients would parse it in one piece.
    """
    if media_type == JSON:
        return {"schema": schemas.of(answer.type)}
    if media_type == "text/event-stream":
        event = _describe_event(answer, schemas)
        return {"schema": {"type": "string"}, "x-itemSchema": event, "example": inputs.event_text(answer.example)}
    content: dict[str, Any] = {"schema": {"type": "string"}}
    if answer.lines is not None and media_type in (NDJSON, TEXT):
        items = [schemas.of(kind) for kind in item_types(answer)]
        content["x-itemSchema"] = items[0] if len(items) == 1 else {"oneOf": items}
    return content | ({"example": answer.example} if answer.example else {})


def item_types(answer: Answer) -> tuple[Any, ...]:
    """The types of a stream's items: of its lines, or of the data of its events."""
    types = answer.type if answer.lines is None else answer.lines
    return types if isinstance(types, tuple) else (types,)


def event_types(answer: Answer) -> dict[str, Any]:
    """Name of a server-sent event -> type of its data."""
    return dict(zip(answer.events, item_types(answer), strict=True)) | {"end": StreamEnd}


def _describe_event(answer: Answer, schemas: Schemas) -> dict[str, Any]:
    """The schema of a server-sent event: its name selects the type of its data, as in `itemSchema` of OpenAPI 3.2."""
    named = []
    for name, kind in event_types(answer).items():
        data = {"type": "string", "contentMediaType": JSON, "contentSchema": schemas.of(kind)}
        named.append({"properties": {"event": {"const": name}, "data": data}})
    properties = {"id": {"type": "string"}, "event": {"type": "string"}, "data": {"type": "string"}}
    return {"type": "object", "properties": properties, "required": ["event", "data"], "oneOf": named}


_CHALLENGE = "`Bearer` and what is wrong (RFC 6750); `scope` names the one that is missing."


def _describe_header(text: str, *, required: bool = True) -> dict[str, Any]:
    return {"description": text, "required": required, "schema": {"type": "string"}}


def _refer_to_header(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/headers/{name}"}


def _describe_problem(kinds: list[str], schemas: Schemas) -> dict[str, Any]:
    examples = {kind: inputs.refer_to_example(kind) for kind in kinds}
    response: dict[str, Any] = {
        "description": " ".join(KINDS[kind].when for kind in kinds),
        "content": {inputs.PROBLEM: {"schema": schemas.of(Problem), "examples": examples}},
    }
    if {"busy", "key_missing", "not_ready", "unavailable", "too_many_requests"} & set(kinds):
        response["headers"] = {"Retry-After": _describe_header("Seconds to wait.")}
    if "not_acceptable" in kinds:
        response["headers"] = {"Vary": _refer_to_header("Vary")}
    if {"unauthenticated", "scope_missing"} & set(kinds):
        response["headers"] = {"WWW-Authenticate": _describe_header(_CHALLENGE, required="unauthenticated" in kinds)}
    return response


def problem_kinds(described: Operation) -> list[str]:
    """The kinds of problems of this operation: its own and its checks'."""
    kinds = list(described.problems)
    if described.method != "GET":
        kinds += [] if described.keyless else ["key_reused", "key_in_use"] if described.keeps_answer else ["key_reused"]
    if described.access != "open":
        kinds += ["unauthenticated", "scope_missing"]
        kinds += ["cross_site"] if described.method != "GET" else []
        kinds += ["forbidden"] if "illegal" in kinds else []
    if described.body is not None or described.texts:
        kinds += ["malformed", "body_too_large", "unsupported_media_type", "unsupported_encoding"]
    kinds.append("malformed")
    if "{" in described.path:
        kinds.append("no_such_thing")
    if described.tag not in _OFFLINE_TAGS or described.id == "get_readiness":
        kinds.append("unavailable")
    kinds.append("too_many_requests")
    return list(dict.fromkeys(kinds))
