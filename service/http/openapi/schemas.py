"""JSON Schemas of structs, as msgspec gives them, under names that a client's author would choose."""

import re
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from service.problems import KINDS

_HEAD = """# Problems

Every error is an RFC 9457 problem document (`application/problem+json`) with one of these types. An `illegal` one
names in `rule` the rule of the game that was broken; the slugs are stable and their sentences are not.

| type | status | title | when |
| --- | --- | --- | --- |"""


_TEMPLATE = "#/components/schemas/{name}"


class Schemas:
    """The components of a document; `of` gives the reference or the schema of one type."""

    def __init__(self, types: Iterable[Any]) -> None:
        self._types = list({repr(kind): kind for given in types for kind in _alternatives(given)}.values())
        schemas, components = msgspec.json.schema_components(self._types, ref_template=_TEMPLATE)
        self._inlined: set[str] = set()
        self._named = {name: _name(name, schema) for name, schema in components.items()}
        if doubled := [name for name, count in Counter(self._named.values()).items() if count > 1]:
            raise ValueError(f"two schemas of one name: {sorted(doubled)}")
        self._schemas = {
            repr(kind): self._with_public_names(schema) for kind, schema in zip(self._types, schemas, strict=True)
        }
        self.components = {self._named[name]: self._component(name, schema) for name, schema in components.items()}

    def of(self, kind: Any) -> Any:
        """The schema of this type; for a tuple of types: any of them."""
        if isinstance(kind, tuple):
            return {"anyOf": [self.of(one) for one in kind]}
        return self._schemas[repr(kind)]

    def inline(self, kind: Any) -> dict[str, Any]:
        """The schema of a struct itself, not a reference; its component is left out of the document."""
        name = self.of(kind)["$ref"].rpartition("/")[2]
        found: dict[str, Any] = self.components[name]
        self._inlined.add(name)
        return found

    def referenced(self) -> dict[str, Any]:
        """The components that the document refers to."""
        return {name: schema for name, schema in sorted(self.components.items()) if name not in self._inlined}

    def _component(self, name: str, schema: dict[str, Any]) -> Any:
        return self._with_public_names(schema | ({"title": self._named[name]} if "title" in schema else {}))

    def _with_public_names(self, schema: Any) -> Any:
        if isinstance(schema, dict):
            # `items: false` after `prefixItems` is what `maxItems` says already; generators of clients stumble over it.
            kept = {key: value for key, value in schema.items() if not (key == "items" and value is False)}
            return {key: self._reference(value) if key == "$ref" else self._with_public_names(value)
                    for key, value in kept.items()}  # fmt: skip
        if isinstance(schema, list):
            return [self._with_public_names(value) for value in schema]
        return self._reference(schema) if isinstance(schema, str) and schema.startswith("#/components/") else schema

    def _reference(self, text: str) -> str:
        name = text.rpartition("/")[2]
        return _TEMPLATE.format(name=self._named[name])


def _alternatives(given: Any) -> tuple[Any, ...]:
    return given if isinstance(given, tuple) else (given,)


def _name(name: str, schema: dict[str, Any]) -> str:
    """`KlondikeMove` for the tag `klondike/move`, `KlondikeOptions` for the options of klondike, else the class's."""
    tag = schema.get("properties", {}).get("type", {}).get("enum", [None])[0]
    if isinstance(tag, str) and "/" in tag:
        return _camel(tag)
    plain = re.sub(r"^.*[._](?=[A-Z][A-Za-z]*$)", "", name)
    known = _owners().get(plain, set())
    owners = known if plain == name else {key for key in known if key in name}
    return _camel(min(owners)) + plain if owners else plain


def _is_untagged(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__struct_config__.tag is None


@cache
def _owners() -> dict[str, set[str]]:
    """Struct name -> keys of the game types with a struct of that name."""
    owners: dict[str, set[str]] = {}
    for module in [name for name in sys.modules if name.startswith("domain.games.")]:
        for name, value in vars(sys.modules[module]).items():
            if _is_untagged(value) and value.__module__.startswith("domain.games."):
                owners.setdefault(name, set()).add(value.__module__.split(".")[2])
    return owners


def _camel(text: str) -> str:
    return "".join(part.capitalize() for part in re.split(r"[/_]", text))


def problems_page() -> str:
    """Every kind of problem a client may meet, one row each."""
    rows = [f"| `/v1/problems/{name}` | {kind.status} | {kind.title} | {kind.when} |" for name, kind in KINDS.items()]
    return "\n".join([_HEAD, *rows]) + "\n"
