"""The OpenAPI 3.1 document, made from the handlers' operations and the structs' own schemas.

Operations are ordered by what a newcomer needs first.
"""

import json
from collections.abc import Iterable
from typing import Any

from litestar.handlers import HTTPRouteHandler

from service.accounts.sessions import COOKIE
from service.event_store import log_positions
from service.http.openapi.parameters import parameters, path_template
from service.http.openapi.schemas import Schemas
from service.http.operation import Answer, Operation
from service.problems import KINDS, Problem

TAGS = {
    "players": "Who plays. To register needs no token, and its answer holds the first one.",
    "tokens": "More tokens, for bots and other devices: sent as `Authorization: Bearer kbz_...`.",
    "game types": "What can be played, with the rules and the schemas of options, commands and events.",
    "games": "Open a game, look at it, sit down, invite, play it once more.",
    "play": "What may be said now, and saying it.",
    "inbox": "The games in which it is your turn.",
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
    "open_game", "look_at_game", "join_game", "leave_game", "seed_game", "list_games", "deal_proof", "invite_player",
    "uninvite_player", "open_rematch", "fork_game", "abandon_game", "void_game",
    "list_frames", "get_frame", "list_moments", "replay_page", "feed_games",
    "get_record", "import_record", "list_imports", "delete_import", "import_moves", "verify_game", "verify_record",
    "found_league", "list_leagues", "get_league", "join_league", "leave_league", "open_season", "list_fixtures",
    "open_fixture", "get_tables", "close_season", "get_promotions", "decide_promotions",
    "openapi_page", "openapi_document", "list_problems", "get_problem", "liveness", "readiness",
)  # fmt: skip
"""Operations that come first within their tag, in this order; the others follow in the order of the handlers."""
_PLACES = {name: place for place, name in enumerate(_FIRST)}


PROBLEM = "application/problem+json"
_OFFLINE_TAGS = ("service", "game types")


def document(handlers: Iterable[HTTPRouteHandler]) -> dict[str, Any]:
    """The whole document of these handlers."""
    found = (handler.opt.get("operation") for handler in handlers)
    operations = sorted_operations(described for described in found if described is not None)
    schemas = Schemas([Problem, *_types(operations)])
    paths = _paths(operations, schemas)
    return _as_json({
        "openapi": "3.1.0",
        "info": _INFO,
        "tags": tags_of(operations),
        "paths": paths,
        "components": {"securitySchemes": _SECURITY, "schemas": schemas.referenced()},
    })  # fmt: skip


def _as_json(value: dict[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(json.dumps(value))
    return read


def text(told: dict[str, Any]) -> str:
    """The document as text, as it is committed: indented, keys in order."""
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


_INFO = {
    "title": "Kibitz",
    "version": "1",
    "summary": "A card-table service: it deals, referees and remembers.",
    "description": "Open a game, play it by commands, replay it move by move. Errors are RFC 9457 problem documents; "
    "a command that a rule forbids answers 409 and names the rule. Times are RFC 3339 in UTC, cards two characters. "
    "Every answer has a Request-Id: the one the request brings, if it is well-formed (up to 100 letters, digits and "
    "`._:~=+/@-`), else a new one; problem documents repeat it. Name it when you ask what went wrong.",
    "license": {"name": "MIT", "identifier": "MIT"},
}
_SESSION = (
    "A browser's session, begun at `/sign-in` for the service's own pages: at most the scopes `read` and `play`. "
    "An Authorization header goes before it. What changes something must come from the same origin."
)
_SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A token: `kbz_...`."},
    "session": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": _SESSION},
}


_AS_IT_IS = {"type": "string", "format": "binary"}
"""A text body that is not JSON: `binary` makes client generators send it unchanged."""


def _types(operations: list[Operation]) -> Iterable[Any]:
    for described in operations:
        yield from (answer.type for answer in described.answers.values() if answer.type is not None)
        yield described.query
        if described.body is not None:
            yield described.body


def _paths(operations: list[Operation], schemas: Schemas) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for described in operations:
        item = paths.setdefault(path_template(described.path), {})
        item[described.method.lower()] = _operation(described, schemas)
    return paths


def _operation(described: Operation, schemas: Schemas) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": described.id,
        "tags": [described.tag],
        "summary": described.summary,
        "description": described.description or described.summary,
        "parameters": parameters(described, schemas),
        "responses": _responses(described, schemas),
    }
    if described.texts:
        told["requestBody"] = _text(described)
    if described.body is not None:
        told["requestBody"] = _body(described, schemas)
    if described.access != "open":
        told["security"] = [*([{}] if described.access == "optional" else []), *_schemes(described)]
    return told


def _schemes(described: Operation) -> list[dict[str, list[str]]]:
    """The security schemes: a session carries at most `read` and `play`."""
    in_session = described.scope in ("read", "play")
    return [{"bearer": []}, {"session": []}] if in_session else [{"bearer": []}]


def _body(described: Operation, schemas: Schemas) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": schemas.of(described.body)}
    if described.examples:
        content["examples"] = {name.replace(" ", "_").replace(",", ""): {"summary": name, "value": value}
                               for name, value in described.examples.items()}  # fmt: skip
    return {"required": not described.body_optional, "content": {"application/json": content}}


def _text(described: Operation) -> dict[str, Any]:
    content = {
        media_type: {"schema": _AS_IT_IS, "examples": {"example": {"value": example}}}
        for media_type, example in described.texts.items()
    }
    return {"required": True, "content": content}


def _responses(described: Operation, schemas: Schemas) -> dict[str, Any]:
    written = {} if described.method == "GET" else log_positions.TOLD
    told = {str(status): _answer(answer, written, schemas) for status, answer in described.answers.items()}
    by_status: dict[int, list[str]] = {}
    for kind in problem_kinds(described):
        by_status.setdefault(KINDS[kind].status, []).append(kind)
    return told | {str(status): _problem(kinds, schemas) for status, kinds in sorted(by_status.items())}


def _answer(answer: Answer, written: dict[str, str], schemas: Schemas) -> dict[str, Any]:
    told: dict[str, Any] = {"description": answer.says}
    if answer.headers or written:
        always = {name: _header(text) for name, text in answer.headers.items()}
        told["headers"] = always | {name: _header(text, required=False) for name, text in written.items()}
    if answer.type is not None:
        told["content"] = {media_type: _content(answer, media_type, schemas) for media_type in answer.media_types}
    if answer.links:
        told["links"] = answer.links
    return told


def _content(answer: Answer, media_type: str, schemas: Schemas) -> dict[str, Any]:
    if media_type == "text/event-stream":
        return {"schema": _event(schemas.of(answer.type), answer.events), "example": answer.example}
    if media_type != "application/json":
        return {"schema": {"type": "string"}} | ({"example": answer.example} if answer.example else {})
    return {"schema": schemas.of(answer.type)}


def _event(schema: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The schema of a server-sent event, with that of its data."""
    reason = {"enum": ["finished", "limit", "access"]}
    end = {"type": "object", "properties": {"reason": reason}, "required": ["reason"]}
    content = {"anyOf": [schema, end]}
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": content}
    properties = {"id": {"type": "string"}, "event": {"enum": [*names, "end"]}, "data": data}
    return {"type": "object", "properties": properties, "required": ["event", "data"]}


def _header(text: str, *, required: bool = True) -> dict[str, Any]:
    return {"description": text, "required": required, "schema": {"type": "string"}}


def _problem(kinds: list[str], schemas: Schemas) -> dict[str, Any]:
    examples = {
        kind: {"value": {"type": f"/v1/problems/{kind}", "title": KINDS[kind].title, "status": KINDS[kind].status,
                         "detail": KINDS[kind].when}}
        for kind in kinds
    }  # fmt: skip
    told: dict[str, Any] = {
        "description": " ".join(KINDS[kind].when for kind in kinds),
        "content": {PROBLEM: {"schema": schemas.of(Problem), "examples": examples}},
    }
    if {"busy", "key_missing", "not_ready", "unavailable", "too_many_requests"} & set(kinds):
        told["headers"] = {"Retry-After": _header("Seconds to wait.")}
    return told


def problem_kinds(described: Operation) -> list[str]:
    """The kinds of problems of this operation: its own and those of its checks."""
    kinds = list(described.problems)
    if described.access != "open":
        kinds += ["unauthenticated", "scope_missing"]
        kinds += ["cross_site"] if described.method != "GET" else []
    if described.body is not None or described.texts:
        kinds += ["malformed", "body_too_large", "unsupported_media_type", "unsupported_encoding"]
    kinds.append("malformed")
    if "{" in described.path:
        kinds.append("no_such_thing")
    if described.tag not in _OFFLINE_TAGS or described.id == "readiness":
        kinds.append("unavailable")
    kinds.append("too_many_requests")
    return list(dict.fromkeys(kinds))


def sorted_operations(operations: Iterable[Operation]) -> list[Operation]:
    """These operations, tag by tag."""
    tags = list(TAGS)
    return sorted(operations, key=lambda one: (tags.index(one.tag), _PLACES.get(one.id, len(_PLACES))))


def tags_of(operations: Iterable[Operation]) -> list[dict[str, str]]:
    """The document's entries for the tags of these operations."""
    used = {described.tag for described in operations}
    return [{"name": tag, "description": says} for tag, says in TAGS.items() if tag in used]
