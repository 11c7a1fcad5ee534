"""Long answers, cut where their schemas allow it: lists to a few items, texts to their first lines."""

import json
from typing import Any

_MOST, _ITEMS, _TEXT, _MEMBER = 700, 2, 900, 20_000
"""Letters of a list that stands whole, items of one that does not, letters of a text, and of an object in another."""
ELLIPSIS = "…"


def shorten(value: Any) -> tuple[Any, bool]:
    """The value, cut, and whether anything was."""
    cut = _text(value) if isinstance(value, str) else _cut(value)
    return cut, cut != value


def _cut(value: Any) -> Any:
    if isinstance(value, list):
        short = value[:_ITEMS] if len(json.dumps(value)) > _MOST else value
        return [_cut(one) for one in short]
    if isinstance(value, dict):
        return {name: {} if isinstance(one, dict) and _is_left_out(one) else _cut(one) for name, one in value.items()}
    return value


def _is_left_out(value: dict[str, Any]) -> bool:
    """Whether it is left empty: a description of the service is no example within itself, nor are references."""
    return len(text := json.dumps(value)) > _MEMBER or '"$ref"' in text


def _text(value: str) -> str:
    """The first lines; whole ones, where the first is not too long itself."""
    if len(value) <= _TEXT:
        return value
    head = value[:_TEXT]
    return (head[: head.rfind("\n") + 1] or head) + ELLIPSIS
