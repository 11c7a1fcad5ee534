"""JSON Schemas of structs, as msgspec gives them, under names and in a form that every client generator reads."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from inspect import cleandoc
from typing import Any, Union

import msgspec

from domain.games import GAME_TYPES, REVISIONS
from domain.league.rules import BoxRules, DayRules
from domain.play import events as ev
from domain.play.open_record import Annotation, Ending, Header, Seal, StepLine
from service.analysis.kinds import Report
from service.live import openings, shapes

_TEMPLATE = "#/components/schemas/{name}"
_TYPES = {bool: "boolean", str: "string", int: "integer", float: "number", type(None): "null"}
NULL = {"type": "null"}


def clean_docs(schema: Any) -> Any:
    """The same, its descriptions without the indentation of docstrings, which Python removes from 3.13 on."""
    match schema:
        case dict():
            return {
                name: cleandoc(value) if name == "description" and isinstance(value, str) else clean_docs(value)
                for name, value in schema.items()
            }
        case list() | tuple():
            return [clean_docs(item) for item in schema]
        case _:
            return schema


class Schemas:
    """The components of a document; `of` gives the reference or the schema of one type.

    `unions`: name -> a union of structs that gets a component of its own.
    """

    def __init__(self, types: Iterable[Any], unions: Mapping[str, Any] | None = None) -> None:
        named = dict(unions or {})
        self._types = list({repr(kind): kind for kind in (*types, *named.values())}.values())
        schemas, components = clean_docs(msgspec.json.schema_components(self._types, ref_template=_TEMPLATE))
        self._inlined: set[str] = set()
        self._named = {name: _choose_name(name, schema) for name, schema in components.items()}
        if doubled := [name for name, count in Counter(self._named.values()).items() if count > 1]:
            raise ValueError(f"two schemas of one name: {sorted(doubled)}")
        by_type = {repr(kind): schema for kind, schema in zip(self._types, schemas, strict=True)}
        self._unions: dict[frozenset[str], str] = {}
        union_schemas = {
            name: {
                "oneOf" if key == "anyOf" else key: value for key, value in self._publish(by_type[repr(kind)]).items()
            }
            for name, kind in named.items()
        }
        self._unions = {_list_members(union): name for name, union in union_schemas.items()}
        self.components = {
            title: self._publish(components[name] | ({"title": title} if "title" in components[name] else {}))
            for name, title in self._named.items()
        }
        self.components |= {name: {"title": name, **union} for name, union in union_schemas.items()}
        self._schemas = {kind: self._publish(schema) for kind, schema in by_type.items()}

    def of(self, kind: Any) -> Any:
        """The schema of this type."""
        return self._schemas[repr(kind)]

    def inline(self, kind: Any) -> dict[str, Any]:
        """The schema of a struct itself, not a reference; its component is left out of the document."""
        name = self.of(kind)["$ref"].rpartition("/")[2]
        component: dict[str, Any] = self.components[name]
        self._inlined.add(name)
        return component

    def referenced(self) -> dict[str, Any]:
        """The components that the document refers to."""
        return {name: schema for name, schema in sorted(self.components.items()) if name not in self._inlined}

    def _publish(self, schema: Any) -> Any:
        """A schema as the document has it: public names, unions by name, and the forms that generators read."""
        if isinstance(schema, list):
            return [self._publish(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            return schema | {"$ref": self._reference(schema["$ref"])}
        published = {key: self._publish(value) for key, value in schema.items()}
        if "discriminator" in published:
            return self._union(published)
        return _add_type(_enumerate_values(_simplify_array(self._name_untagged(published))))

    def _name_untagged(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A named union without a tag, whose members differ by their JSON types, by its name; null may be added."""
        nulls = [member for member in schema.get("anyOf", ()) if member == NULL]
        name = self._unions.get(
            _list_members({"oneOf": [member for member in schema.get("anyOf", ()) if member != NULL]})
        )
        return schema if name is None else schema | {"anyOf": [reference(name), *nulls]}

    def _union(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A union of tagged structs: exactly one of them holds, and the tag says which."""
        others = {key: value for key, value in schema.items() if key not in ("anyOf", "discriminator")}
        tag = schema["discriminator"]
        mapping = {value: self._reference(place) for value, place in tag["mapping"].items()}
        made = others | {"oneOf": schema["anyOf"], "discriminator": {**tag, "mapping": mapping}}
        name = self._unions.get(_list_members(made))
        return made if name is None else others | {"$ref": _TEMPLATE.format(name=name)}

    def _reference(self, text: str) -> str:
        name = text.rpartition("/")[2]
        return _TEMPLATE.format(name=self._named.get(name, name))


def reference(name: str) -> dict[str, str]:
    """A reference to the component of this name."""
    return {"$ref": _TEMPLATE.format(name=name)}


def _list_members(union: dict[str, Any]) -> frozenset[str]:
    return frozenset(json.dumps(member, sort_keys=True) for member in union["oneOf"])


def _simplify_array(schema: dict[str, Any]) -> dict[str, Any]:
    """A tuple as an array whose items are all of one schema: few generators know `prefixItems`."""
    if "prefixItems" not in schema:
        return schema
    kinds = list({repr(item): item for item in schema["prefixItems"]}.values())
    others = {key: value for key, value in schema.items() if key not in ("prefixItems", "items")}
    return others | {"items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}


def _enumerate_values(schema: dict[str, Any]) -> dict[str, Any]:
    """A union of enumerations as one: the zones of `source` are one type to a client, not four."""
    several = [member for member in schema.get("anyOf", ()) if member.keys() == {"enum", "type"}]
    if len(several) < 2 or len({member["type"] for member in several}) > 1:
        return schema
    others = [member for member in schema["anyOf"] if member not in several]
    enumeration = {
        "enum": sorted({value for member in several for value in member["enum"]}),
        "type": several[0]["type"],
    }
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return rest | ({"anyOf": [enumeration, *others]} if others else enumeration)


def _add_type(schema: dict[str, Any]) -> dict[str, Any]:
    """An enumeration with the type of its values."""
    if "type" in schema or "enum" not in schema:
        return schema
    kinds = {_TYPES[type(value)] for value in schema["enum"]}
    return schema | {"type": kinds.pop() if len(kinds) == 1 else sorted(kinds)}


_SURPLUS = re.compile(r"\d+$|Shown$")
"""The part of a struct's name that clients do not need: the revision, or the mark of a wire shape."""
_OTHER_NAMES = {"GameLook": "Game", "Row": "BoardRow", "FaultTold": "Fault", "Looked": "ForeknowledgeRow"}


def _choose_name(name: str, schema: dict[str, Any]) -> str:
    """`KlondikeMove` for the tag `klondike/move`, `KlondikeOptions` for the options of klondike, else the class's."""
    tag = schema.get("properties", {}).get("type", {}).get("enum", [None])[0]
    if isinstance(tag, str) and "/" in tag:
        return camel(tag)
    plain = _SURPLUS.sub("", re.sub(r"^.*[._](?=[A-Z][A-Za-z0-9]*$)", "", name))
    plain = _OTHER_NAMES.get(plain, plain)
    candidates = _find_owners().get(plain, set())
    owners = candidates if plain == name else {key for key in candidates if key in name}
    return camel(min(owners)) + plain if owners else plain


@cache
def _find_owners() -> dict[str, set[str]]:
    """Struct name without its revision -> keys of the game types with a struct of that name."""
    owners: dict[str, set[str]] = {}
    for module in [name for name in sys.modules if name.startswith("domain.games.")]:
        for name, value in vars(sys.modules[module]).items():
            is_struct = isinstance(value, type) and issubclass(value, msgspec.Struct)
            if is_struct and value.__struct_config__.tag is None and value.__module__.startswith("domain.games."):
                owners.setdefault(_SURPLUS.sub("", name), set()).add(value.__module__.split(".")[2])
    return owners


def camel(text: str) -> str:
    """`KlondikeMove` for `klondike/move`."""
    return "".join(part.capitalize() for part in re.split(r"[/_]", text))


def record_schema() -> dict[str, Any]:
    """The JSON Schema of a line of an open record, made from the types that write and read it.

    The first line is a `Header`, then come `StepLine`s, an `Ending`, and in format 3 a `Seal`; an `Annotation` stands
    behind the seal, in format 2 before the ending.
    """
    lines = (Header, StepLine, Annotation, Ending, Seal)
    schemas = Schemas(lines)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a Kibitz open record, format 1, 2 or 3",
        "oneOf": [schemas.of(line) for line in lines],
        "$defs": schemas.referenced(),
    }
    document: dict[str, Any] = json.loads(json.dumps(schema).replace(_TEMPLATE.format(name=""), "#/$defs/"))
    return document


def tell_defaults(schema: Any) -> None:
    """Move each member's default into its description, except null.

    Where a schema says `default`, openapi-typescript takes the member for required.
    """
    if isinstance(schema, list):
        for item in schema:
            tell_defaults(item)
    elif isinstance(schema, dict):
        for name, member in schema.get("properties", {}).items():
            schema["properties"][name] = _describe_default(member)
        for inner in schema.values():
            tell_defaults(inner)


def _describe_default(member: dict[str, Any]) -> dict[str, Any]:
    left = {key: value for key, value in member.items() if key != "default"}
    default = member.get("default")
    if default is None or "$ref" in member:
        return left
    words = [member.get("description", "").rstrip(), f"Default: `{json.dumps(default)}`."]
    return left | {"description": " ".join(word for word in words if word)}


def add_integer_formats(node: Any, name: str = "") -> None:
    """Add each integer's format: 64 bits for log positions and larger values, else 32."""
    if isinstance(node, list):
        for inner in node:
            add_integer_formats(inner, name)
    elif isinstance(node, dict):
        name = str(node.get("name", name))
        kinds = node.get("type")
        if "integer" in (kinds if isinstance(kinds, list) else (kinds,)) and "enum" not in node:
            is_wide = name.lower().endswith("position") or node.get("maximum", 0) >= 2**31
            node.setdefault("format", "int64" if is_wide else "int32")
        for key, inner in node.items():
            if key not in ("example", "examples", "default", "enum"):
                add_integer_formats(inner, name if key in _SAME_VALUE else key)


_SAME_VALUE = ("schema", "anyOf", "oneOf", "items")


Component = dict[str, Any]
VARIED = ("Frame", "Game", "LegalCommands", "CommandAnswer", "AnalysisLine", "PuzzlePosition", "View")
"""Components that differ by game type. A view occurs only within the others."""


def _make_unions() -> dict[str, Any]:
    """Name -> union: of all game types, and of each."""
    unions: dict[str, Any] = {
        "Command": shapes.AnyPlayCommand, "FrameCommand": shapes.AnyCommand, "Event": shapes.AnyEvent,
        "Facts": shapes.AnyFacts, "Opening": openings.AnyOpening, "Material": shapes.AnyMaterial,
        "LeagueRules": BoxRules | DayRules, "AnalysisReport": Report, "DealWanted": openings.CardsOrWish,
    }  # fmt: skip
    for key in GAME_TYPES:
        revisions = [revision for (kind, _), revision in REVISIONS.items() if kind == key]
        commands = tuple(command for revision in revisions for command in revision.commands) + ev.PLAY_COMMANDS
        unions[camel(key) + "Command"] = Union[commands]  # noqa: UP007
        unions[camel(key) + "FrameCommand"] = Union[commands + ev.TABLE_COMMANDS]  # noqa: UP007
        events = tuple(event for revision in revisions for event in revision.events)
        unions[camel(key) + "Event"] = Union[events + shapes.SHOWN]  # noqa: UP007
    return unions


UNIONS = _make_unions()
_NARROWED = ("Command", "FrameCommand", "Event", "Facts", *VARIED)


def split_by_game_type(components: dict[str, Component]) -> None:
    """Replace each of the components that differ by one for each game type and their union."""
    for name in VARIED:
        component = components.pop(name)
        for key in GAME_TYPES:
            if camel(key) + name in components:
                raise ValueError(f"two schemas of one name: {camel(key) + name}")
            components[camel(key) + name] = _narrow(component, key) | {"title": camel(key) + name}
        if "game_type" in component["properties"]:
            components[name] = _join_game_types(name, component)
    del components["FrameCommand"]  # of any game type: nothing refers to it any more


def _join_game_types(name: str, component: Component) -> Component:
    mapping = {key: reference(camel(key) + name)["$ref"] for key in GAME_TYPES}
    return {
        "title": name,
        "description": component["description"],
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": "game_type", "mapping": mapping},
    }


def _narrow(schema: Any, key: str) -> Any:
    if isinstance(schema, list):
        return [_narrow(item, key) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema and (name := schema["$ref"].rpartition("/")[2]) in _NARROWED:
        return schema | reference(camel(key) + name)
    narrowed = {name: _narrow(value, key) for name, value in schema.items()}
    if "game_type" in narrowed.get("properties", {}):
        narrowed["properties"] = narrowed["properties"] | {"game_type": {"type": "string", "enum": [key]}}
    return narrowed
