"""A game's typed facts as lines `name: value`, whatever their shape."""

from collections.abc import Iterator
from typing import Any

import msgspec


def fact_lines(facts: Any, indent: str = "") -> Iterator[str]:
    """The facts in their order; what has parts of its own stands indented under its name."""
    for name, value in msgspec.to_builtins(facts).items():
        if name != "type":
            yield from _fact(name.replace("_", " "), value, indent)


def _fact(name: str, value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict) and value:
        yield f"{indent}{name}:"
        yield from fact_lines(value, indent + "  ")
    elif isinstance(value, list | tuple) and any(isinstance(part, dict) for part in value):
        yield f"{indent}{name}:"
        yield from (f"{indent}  {plain(part)}" for part in value)
    else:
        yield f"{indent}{name}: {plain(value)}"


def fact_sentences(facts: Any) -> Iterator[str]:
    """The facts as one sentence each: `Tricks won: 4.`"""
    for name, value in msgspec.to_builtins(facts).items():
        if name != "type":
            yield f"{name.replace('_', ' ').capitalize()}: {plain(value)}."


def plain(value: Any) -> str:
    """A value in words: `yes` and `no`, `none` for nothing, parts with commas between them."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        named = (f"{name.replace('_', ' ')} {plain(part)}" for name, part in value.items() if name != "type")
        return ", ".join(named) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(plain, value)) or "none"
    return "none" if value is None else str(value)
