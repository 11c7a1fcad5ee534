"""One shape for one thing, everywhere: unions with names, pages by cursor, moments, security, verbs."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.openapi.described import DOCUMENT
from tests.openapi.test_names import STORED_SCHEMAS

SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
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


def test_every_link_leads_somewhere() -> None:
    assert broken_links(OPERATIONS) == []


def test_every_union_has_a_name_and_says_what_tells_its_members_apart() -> None:
    assert unnamed_unions(SCHEMAS, DOCUMENT["paths"]) == []


def test_every_list_has_pages_of_one_kind() -> None:
    assert other_pages(OPERATIONS) == []
    assert other_nexts(SCHEMAS) == []


def test_every_moment_is_a_date_time() -> None:
    assert untold_moments(SCHEMAS) == []


def test_operations_are_called_by_what_they_do() -> None:
    assert other_verbs(OPERATIONS) == []


def test_every_operation_says_who_may() -> None:
    assert unsecured(OPERATIONS) == []


LINK = {"next": {"operationId": "a", "parameters": {"path.key": "$response.body#/id"}}}
REFERENCES = [{"$ref": "#/a"}, {"$ref": "#/b"}]
LISTED: dict[str, Any] = {
    "parameters": [{"in": "query", "name": "limit"}, {"in": "query", "name": "cursor"}],
    "responses": {"200": {"content": {"application/json": {}}, "headers": {"Link": {}}}},
}


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
def test_each_check_finds_what_breaks_it(found: list[str]) -> None:
    assert len(found) == 1


def test_a_list_in_pages_is_as_it_should_be() -> None:
    assert other_pages([("get", "/v1/games", LISTED)]) == []
