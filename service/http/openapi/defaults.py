"""Defaults of members in words: where a schema says `default`, openapi-typescript takes the member for required."""

import json
from typing import Any


def tell_defaults(schemas: dict[str, Any]) -> None:
    """Move each member's default into its description; that it is null goes without saying."""
    for schema in schemas.values():
        _tell(schema)


def _tell(schema: Any) -> None:
    if isinstance(schema, list):
        for one in schema:
            _tell(one)
    elif isinstance(schema, dict):
        for name, member in schema.get("properties", {}).items():
            schema["properties"][name] = _tell_member(member)
        for inner in schema.values():
            _tell(inner)


def _tell_member(member: dict[str, Any]) -> dict[str, Any]:
    left = {key: value for key, value in member.items() if key != "default"}
    default = member.get("default")
    if default is None or "$ref" in member:
        return left
    words = [member.get("description", "").rstrip(), f"Default: `{json.dumps(default)}`."]
    return left | {"description": " ".join(word for word in words if word)}
