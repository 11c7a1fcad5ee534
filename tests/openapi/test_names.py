"""A thing's own id is `id`, another's is `<thing>_id`, and a player in an answer is a `Person`, everywhere."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain.play import events as ev
from tests.openapi.described import DOCUMENT

SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
OPERATIONS = [told for item in DOCUMENT["paths"].values() for told in item.values()]
THINGS = (
    "game", "player", "puzzle", "contest", "fixture", "league", "token", "event", "webhook", "comment", "delivery",
    "passkey", "client",
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


def parameters(operations: list[dict[str, Any]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for told in operations:
        yield from ((told["operationId"], one["name"], one["schema"]) for one in told["parameters"])


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


def test_every_id_is_called_by_its_thing() -> None:
    assert misnamed(properties(SCHEMAS)) == []
    assert misnamed(parameters(OPERATIONS)) == []


def test_no_list_of_lists_holds_things() -> None:
    assert nested_lists(properties(SCHEMAS)) == []


def test_no_property_has_its_schemas_own_name() -> None:
    assert of_own_name(properties(SCHEMAS)) == []


def test_a_player_has_one_shape() -> None:
    assert unnamed_players(properties(SCHEMAS)) == []


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
def test_each_check_finds_what_breaks_it(check: Any, name: str, shape: dict[str, Any]) -> None:
    assert check(iter([("Fixture", name, shape)])) == [f"Fixture: {name}"]
