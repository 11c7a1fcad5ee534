"""A fact that is a board of its own, drawn as squares: what lies on it are areas in colours of their own."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from domain.board import HEIGHT, WIDTH, Figure

_COLOURS = 10


def figure(area: Figure, rows: Sequence[str] | None, parts: Sequence[Mapping[str, Any]] | None) -> str:
    """The rows from the top; of a board that is higher than they are the upper ones are missing. None: nothing."""
    if not rows:
        return ""
    side = area.width * WIDTH / len(rows[0])
    squares = "".join(f"M{x} {y}h1v1h-1z" for y in range(len(rows)) for x in range(len(rows[0])))
    missing = max(len(rows[0]) - len(rows), 0)
    kinds = list(dict.fromkeys(_kind(part) for part in parts or ()))
    laid = "".join(_part(part, kinds.index(_kind(part)), missing) for part in parts or ())
    letters = "".join(
        f'<text class="table-ink" font-size=".6" text-anchor="middle" x="{x + 0.5:g}" y="{y + 0.72:g}">'
        f"{escape(letter)}</text>"
        for y, row in enumerate(rows)
        for x, letter in enumerate(row)
        if letter != "."
    )
    return (
        f'<g transform="translate({area.x * WIDTH:g} {area.y * HEIGHT:g}) scale({side:g})">'
        f'<path class="table-square" style="stroke-width:.03" d="{squares}"/>{laid}{letters}</g>'
    )


def _kind(part: Mapping[str, Any]) -> str:
    """What it is called: the first of its words."""
    return next((value for value in part.values() if isinstance(value, str)), "")


def _part(part: Mapping[str, Any], kind: int, missing: int) -> str:
    path = "".join(f"M{column - 1 + 0.05:g} {row - 1 - missing + 0.05:g}h.9v.9h-.9z" for row, column in part["cells"])
    return f'<path class="table-part-{kind % _COLOURS}" d="{path}"><title>{escape(_kind(part))}</title></path>'
