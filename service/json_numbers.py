"""JSON Schema calls `7.0` an integer, and so do clients whose language has one kind of number."""

from typing import Any


def integers(value: Any) -> Any:
    """The same JSON value with every number that is whole as an int."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [integers(one) for one in value]
    return {name: integers(one) for name, one in value.items()} if isinstance(value, dict) else value
