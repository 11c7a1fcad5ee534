"""One name and one shape for one thing: ids, players, unions, pages, moments, links, security, verbs."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain.play import events as ev
from tests.openapi.described import DOCUMENT

SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
THINGS = (
    "game", "player", "puzzle", "contest", "fixture", "league", "token", "event", "webhook", "comment", "delivery",
    "passkey", "client", "run",
)  # fmt: skip
"""What has an id, `client` by the words of OAuth."""
STORED = {kind.__name__ for kind in (*ev.GAME_EVENTS, *ev.TABLE_COMMANDS)}
STORED_SCHEMAS = {name for name in SCHEMAS if name.removeprefix("Game") in STORED} | {"Branch", "Source"}
"""Events and commands of games keep their words: they are stored and signed."""
PLACES = {"after"}
"""Where a list or stream goes on: told as an id, but of a place and not of a thing."""


def properties(schemas: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Schema, name and shape of every property, but for what is stored."""
    for name, schema in schemas.items():
        if name not in STORED_SCHEMAS:
            yield from ((name, key, shape) for key, shape in schema.get("properties", {}).items())


def parts(shape: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The shape, and those that it is an alternative or a list of."""
    yield shape
    for key in ("anyOf", "oneOf", "prefixItems"):
        for part in shape.get(key, ()):
            yield from parts(part)
    if isinstance(shape.get("items"), dict):
        yield from parts(shape["items"])


def is_id(shape: dict[str, Any]) -> bool:
    return any(part.get("format") == "uuid" for part in parts(shape))


def is_list(shape: dict[str, Any]) -> bool:
    return any(part.get("type") == "array" for part in parts(shape))


def parameters(operations: list[tuple[str, str, dict[str, Any]]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for _, _, told in operations:
        yield from ((told["operationId"], one["name"], one["schema"]) for one in told["parameters"])


def misnamed(found: Iterator[tuple[str, str, dict[str, Any]]]) -> list[str]:
    """Ids that are not called by the thing they are of, and names of ids for what is none."""
    own_id = re.compile(rf"id|(?:\w+_)?(?:{'|'.join(THINGS)})_id")
    several = re.compile(rf"(?:\w+_)?(?:{'|'.join(THINGS)})_ids")
    return [
        f"{where}: {name}"
        for where, name, shape in found
        if is_id(shape) and name not in PLACES and not (several if is_list(shape) else own_id).fullmatch(name)
    ]


def nested_lists(found: Iterator[tuple[str, str, dict[str, Any]]]) -> list[str]:
    """Lists of lists of something that has a name or an id: an object can grow, a list cannot."""
    return [
        f"{where}: {name}"
        for where, name, shape in found
        for outer in parts(shape)
        if isinstance(outer.get("items"), dict) and is_list(outer["items"])
        and any("$ref" in part or part.get("format") == "uuid" for part in parts(outer["items"]))
    ]  # fmt: skip


def of_own_name(found: Iterator[tuple[str, str, dict[str, Any]]]) -> list[str]:
    """Properties called as the schema they are of: a class of that name hides itself from its own annotations."""
    return [f"{where}: {name}" for where, name, _ in found if name.replace("_", "") == where.lower()]


def unnamed_players(found: Iterator[tuple[str, str, dict[str, Any]]]) -> list[str]:
    """Properties that tell of players in another shape than `Person`; a registration shows the whole account."""
    told = ("player", "players", "creator", "opponents", "organisers")
    return [
        f"{where}: {name}"
        for where, name, shape in found
        if name in told and where != "Registration"
        and not any(part.get("$ref", "").endswith("/Person") for part in parts(shape))
    ]  # fmt: skip


OPERATIONS: list[tuple[str, str, dict[str, Any]]] = [
    (method, path, told) for path, item in DOCUMENT["paths"].items() for method, told in item.items()
]
SCALARS = {"string", "integer", "number", "boolean"}


def schemas_within(told: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a part of the document, with its place; no examples, and no items of streams."""
    if isinstance(told, list):
        for number, one in enumerate(told):
            yield from schemas_within(one, f"{where}/{number}")
    if isinstance(told, dict):
        yield where, told
        for key, one in told.items():
            if key not in ("example", "examples", "default", "x-itemSchema"):
                yield from schemas_within(one, f"{where}/{key}")


def unnamed_unions(schemas: dict[str, Any], paths: Any) -> list[str]:
    """Alternatives of things that have no component of their own, and unions that do not say what tells them apart.

    An object and an array are told apart by what they are.
    """
    found = [
        where
        for where, told in (*schemas_within(paths, "paths/"), *schemas_within(list(schemas.values()), "schemas"))
        for several in [[one for one in told.get("anyOf", ()) if one.get("type") != "null"]]
        if (len(several) > 1 and ("enum" in several[0] or not {one.get("type") for one in several} <= SCALARS))
        or ("oneOf" in told and where.count("/") > 1)
    ]  # fmt: skip
    return found + [
        name
        for name, told in schemas.items()
        if "oneOf" in told
        and not ("$ref" in told["oneOf"][1] and told["oneOf"][0].get("type") == "array" and len(told["oneOf"]) == 2)
        and {one["$ref"] for one in told["oneOf"]} != set(told.get("discriminator", {}).get("mapping", {}).values())
    ]


def other_pages(operations: list[tuple[str, str, dict[str, Any]]]) -> list[str]:
    """Lists with a `limit` whose next page is not found by `cursor`, by `next` and by `Link` alike."""
    found = []
    for _, path, told in operations:
        names = {one["name"] for one in told["parameters"] if one["in"] == "query"}
        content = told["responses"].get("200", {}).get("content", {})
        by_link = "Link" in told["responses"].get("200", {}).get("headers", {})
        lines = "application/json" not in content  # the last line has the cursor
        if len({"limit" in names, "cursor" in names, by_link or (lines and "limit" in names)}) > 1:
            found.append(path)
    return found


def other_nexts(schemas: dict[str, Any]) -> list[str]:
    cursor = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    return [name for name, told in schemas.items() if told.get("properties", {}).get("next", cursor) != cursor]


MOMENTS = re.compile(r"time|at|opens|closes|starts|ends|since|until|\w+_(?:at|due|since|until)")


def untold_moments(schemas: dict[str, Any]) -> list[str]:
    """Moments that are not `date-time`, but in what is stored."""
    return [
        f"{name}: {key}"
        for name, told in schemas.items()
        if name not in STORED_SCHEMAS
        for key, shape in told.get("properties", {}).items()
        if MOMENTS.fullmatch(key) and "date-time" not in str(shape) and "$ref" not in shape and key != "king_at"
    ]


NOUNS = {"rematch", "batch", "token", "device_authorization"}
"""How paths may end that are posted to: by a noun, if it is none in the plural."""


def other_verbs(operations: list[tuple[str, str, dict[str, Any]]]) -> list[str]:
    """Operations that read and are not called so, or the other way round; whose path ends in another verb."""
    found = []
    for method, path, told in operations:
        verb, end = told["operationId"].partition("_")[0], path.rpartition("/")[2]
        if (method == "get") != (verb in {"get", "list", "stream", "describe"} or told["operationId"] == "verify_game"):
            found.append(told["operationId"])
        if method == "post" and not end.endswith(("s", "}")) and end not in NOUNS and verb != end:
            found.append(told["operationId"])
    return found


def unsecured(operations: list[tuple[str, str, dict[str, Any]]]) -> list[str]:
    """Operations that leave out who may, by which scope, and what every answer has."""
    return [
        told["operationId"]
        for _, _, told in operations
        if not {"security", "x-scopes"} <= told.keys()
        or not all("headers" in one for one in told["responses"].values())
    ]


def broken_links(operations: list[tuple[str, str, dict[str, Any]]]) -> list[str]:
    """Links to operations, or to parameters of theirs, that are not there."""
    known = {told["operationId"]: {one["name"] for one in told["parameters"]} for _, _, told in operations}
    return [
        name
        for _, _, told in operations
        for answer in told["responses"].values()
        for name, link in answer.get("links", {}).items()
        if not {one.rpartition(".")[2] for one in link.get("parameters", {})} <= known.get(link["operationId"], set())
        or link["operationId"] not in known
    ]


LINK = {"next": {"operationId": "a", "parameters": {"path.key": "$response.body#/id"}}}
REFERENCES = [{"$ref": "#/a"}, {"$ref": "#/b"}]
LISTED: dict[str, Any] = {
    "parameters": [{"in": "query", "name": "limit"}, {"in": "query", "name": "cursor"}],
    "responses": {"200": {"content": {"application/json": {}}, "headers": {"Link": {}}}},
}


ID: dict[str, Any] = {"type": "string", "format": "uuid"}
IDS: dict[str, Any] = {"type": "array", "items": ID}


@pytest.mark.parametrize(
    ("check", "name", "shape"),
    [
        (misnamed, "game", ID), (misnamed, "player", {"anyOf": [ID, {"type": "null"}]}), (misnamed, "contests", IDS),
        (misnamed, "game_ids", ID), (misnamed, "game_id", IDS), (misnamed, "rematch_of", ID),
        (nested_lists, "divisions", {"type": "array", "items": IDS}), (of_own_name, "fixture", ID),
        (unnamed_players, "player", {"type": "string"}), (unnamed_players, "creator", ID),
    ],
)  # fmt: skip
def test_each_check_of_names_finds_what_breaks_it(check: Any, name: str, shape: dict[str, Any]) -> None:
    assert check(iter([("Fixture", name, shape)])) == [f"Fixture: {name}"]


@pytest.mark.parametrize(
    "found",
    [
        unnamed_unions({}, {"schema": {"anyOf": REFERENCES}}),
        unnamed_unions({}, {"/v1/games": {"schema": {"oneOf": REFERENCES}}}),
        unnamed_unions({"Frame": {"oneOf": REFERENCES}}, {}),
        unnamed_unions({"Move": {"properties": {"source": {"anyOf": [{"enum": ["a"]}, {"enum": ["b"]}]}}}}, {}),
        other_pages([("get", "/v1/games", LISTED | {"parameters": LISTED["parameters"][:1]})]),
        other_pages([("get", "/v1/games", LISTED | {"parameters": LISTED["parameters"][1:]})]),
        other_pages([("get", "/v1/games", LISTED | {"responses": {"200": {"content": {"application/json": {}}}}})]),
        other_nexts({"FrameList": {"properties": {"next": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}}),
        untold_moments({"Game": {"properties": {"opened_at": {"type": "integer"}}}}),
        other_verbs([("get", "/v1/games", {"operationId": "open_games"})]),
        other_verbs([("post", "/v1/games/{game_id}/fork", {"operationId": "branch_game"})]),
        broken_links([("get", "/v1/games", LISTED | {"operationId": "a", "responses": {"200": {"links": LINK}}})]),
        unsecured([("get", "/v1/games", {"operationId": "list_games", "security": [], "responses": {}})]),
    ],
)
def test_each_check_of_shapes_finds_what_breaks_it(found: list[str]) -> None:
    assert len(found) == 1


def test_nothing_of_the_description_is_found() -> None:
    found = {
        "ids": [*misnamed(properties(SCHEMAS)), *misnamed(parameters(OPERATIONS))],
        "lists of lists": nested_lists(properties(SCHEMAS)), "own names": of_own_name(properties(SCHEMAS)),
        "players": unnamed_players(properties(SCHEMAS)), "links": broken_links(OPERATIONS),
        "unions": unnamed_unions(SCHEMAS, DOCUMENT["paths"]),
        "pages": [*other_pages(OPERATIONS), *other_pages([("get", "/v1/games", LISTED)]), *other_nexts(SCHEMAS)],
        "moments": untold_moments(SCHEMAS), "verbs": other_verbs(OPERATIONS), "who may": unsecured(OPERATIONS),
    }  # fmt: skip
    assert {check: places for check, places in found.items() if places} == {}
