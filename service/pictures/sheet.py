"""The words of a frame as SVG: the heading above the table, the step and the facts below it; facts that are boards."""

from collections.abc import Mapping, Sequence
from html import escape
from textwrap import wrap
from typing import Any

from msgspec import Struct

from domain.board import HEIGHT, WIDTH, Figure, Seating
from service.pictures.cards import SUIT_PATHS
from service.pictures.words import FactLine

_LETTER = 0.54
"""The breadth of a letter in parts of the size of the type, on the safe side."""
_COLUMN = 330.0
_COLOURS = 10
_SUITS = str.maketrans("SHDC", "♠♥♦♣")
_FACT, _TEXT, _INDENT = 15.0, 18.0, 14.0


class Words(Struct, frozen=True):
    """A piece of the drawing and the height that it needs."""

    drawing: str
    height: float


def line(text: str, x: float, y: float, size: float, kind: str = "table-ink", more: str = "") -> str:
    """One line of type; `y` is its baseline."""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size:g}"{more}>{escape(text)}</text>'


def heading(title: str, lines: Sequence[tuple[str, str]], width: float) -> Words:
    """The title, and lines each with its class, within this width."""
    drawn, y = [line(title, 20, 36, _fitting_size(title, 24, width - 40), more=' font-weight="700"')], 36.0
    for text, kind in lines:
        for part in wrap(text, _letters(width - 40, _TEXT)):
            y += 24
            drawn.append(line(part, 20, y, _TEXT, kind))
    return Words("".join(drawn), y + 16)


def chips(texts: Sequence[str], top: float, width: float) -> Words:
    """The chips that say something, side by side in as many rows as they need."""
    drawn, x, y = [], 20.0, top
    for text in filter(None, texts):
        wide = len(text) * 16 * _LETTER + 24
        if x > 20 and x + wide > width - 20:
            x, y = 20.0, y + 38
        drawn.append(f'<rect class="table-plate" x="{x:g}" y="{y:g}" width="{wide:g}" height="30" rx="15"/>')
        drawn.append(line(text, x + wide / 2, y + 21, 16, more=' text-anchor="middle"'))
        x += wide + 10
    return Words("".join(drawn), y - top + 42 if drawn else 0.0)


def plate(seat: Seating, name: str, chips: Sequence[str], acts: bool) -> str:
    """The plate of a seat: a mark if it is its turn, its name, its chips."""
    x, y, width, height = seat.x * WIDTH, seat.y * HEIGHT, seat.width * WIDTH, seat.height * HEIGHT
    text, more = "  ".join([name, *chips]), ' font-weight="700"' if acts else ""
    size, baseline = _fitting_size(text, height * 0.62, width - height - 14), y + height * 0.71
    dot = f'<circle class="table-turn" cx="{x + height * 0.53:g}" cy="{y + height / 2:g}" r="{height / 5:g}"/>'
    return (
        f'<rect class="table-plate" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{height / 2:g}"/>'
        f"{dot if acts else ''}{line(name, x + height, baseline, size, more=more)}"
        + line("  ".join(chips), x + width - 16, baseline, size, "table-faint", ' text-anchor="end"')
    )


def legend(area: Figure, rows: Sequence[Sequence[str]]) -> str:
    """A table of words on paper, bids with their suits, nothing while it is empty; a single row on the felt."""
    if len(rows) > 1 and not any(text for row in rows[1:] for text in row[1:]):
        return ""
    x, y, width, height = area.x * WIDTH, area.y * HEIGHT, area.width * WIDTH, area.height * HEIGHT
    wide, high = width / len(rows[0]), height / len(rows)
    size = min(_fitting_size(text, high * 0.62, wide - 8) for row in rows for text in row)
    box = f'<rect class="card-paper" fill="#fffdf7" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8"/>'
    drawn = box if len(rows) > 1 else ""
    for place, text in enumerate(text for row in rows for text in row):
        down, across = divmod(place, len(rows[0]))
        ink = f' style="fill:{"#c4122f" if text[1:2] in ("H", "D") else "#1d2733"}"' if len(rows) > 1 else ""
        said = text[:1] + text[1:2].translate(_SUITS) + text[2:] if text[:1].isdigit() else text
        at = x + (across + 0.5) * wide, y + (down + 0.71) * high
        drawn += line(said, *at, size, "table-faint", f' text-anchor="middle"{ink}')
    return drawn


def label(text: str, x: float, y: float, room: float) -> str:
    """A label with its baseline here, in type that fits into the room."""
    return line(text, x, y, round(_fitting_size(text, 17, room), 2), "table-faint")


def mark(text: str) -> str:
    """What stands faintly on an empty place of 100 x 140: a suit or some letters."""
    if text in SUIT_PATHS:
        return f'<path class="table-mark" transform="translate(50 70) scale(2.6)" d="{SUIT_PATHS[text]}"/>'
    return line(text, 50, 84, 40, "table-mark", ' text-anchor="middle"') if text else ""


def step_words(sentences: Sequence[str], top: float, width: float) -> Words:
    """What happened in the step."""
    lines = [part for sentence in sentences for part in wrap(sentence, _letters(width - 40, _TEXT))]
    drawn = [line(text, 20, top + 24 * number, _TEXT) for number, text in enumerate(lines, 1)]
    return Words("".join(drawn), 24.0 * len(lines) + 12)


def facts(lines: Sequence[FactLine], top: float, width: float) -> Words:
    """The facts in as many columns as there is room for, each fact with what belongs to it in one of them."""
    count = max(int((width - 40) // _COLUMN), 1)
    across = (width - 40) / count
    blocks: list[list[FactLine]] = []
    for line in lines:  # a block is a fact, or one of its several parts
        if line.depth == 0 or (line.depth == 1 and len(blocks[-1]) > 1 and not line.board):
            blocks.append([])
        blocks[-1].append(line)
    wrapped = [[part for line in block for part in _wrapped(line, across - 20)] for block in blocks]
    columns = _columns(wrapped, count)
    drawn = [
        _fact(line, 20 + place * across, top + 20 * row)
        for place, column in enumerate(columns)
        for row, line in enumerate(column, 1)
    ]
    return Words("".join(drawn), 20.0 * max(map(len, columns)) + 20)


def _wrapped(line: FactLine, width: float) -> list[FactLine]:
    if line.board:
        return [line]
    letters = _letters(width - _INDENT * line.depth, _FACT)
    return [line._replace(text=text) for text in wrap(line.text, letters, subsequent_indent="   ")]


def _columns(blocks: Sequence[list[FactLine]], count: int) -> list[list[FactLine]]:
    """About equally long."""
    high = sum(map(len, blocks)) / count
    columns: list[list[FactLine]] = [[]]
    for block in blocks:
        if columns[-1] and len(columns) < count and len(columns[-1]) + len(block) / 2 > high:
            columns.append([])
        columns[-1].extend(block)
    return columns


def _fact(fact: FactLine, x: float, y: float) -> str:
    """A line of type; a row of a board as a square for each character, `.` an empty one."""
    x += _INDENT * fact.depth
    if not fact.board:
        return line(fact.text, x, y, _FACT, "table-faint")
    squares = "".join(f"M{x + 19 * place:g} {y - 14:g}h18v18h-18z" for place in range(len(fact.text)))
    spots = " ".join(f"{x + 9 + 19 * place:g}" for place in range(len(fact.text)))
    return (
        f'<path class="table-square" d="{squares}"/><text class="table-ink" font-size="14" text-anchor="middle"'
        f' x="{spots}" y="{y:g}" xml:space="preserve">{escape(fact.text.replace(".", " "))}</text>'
    )


def _fitting_size(text: str, size: float, width: float) -> float:
    return min(size, width / (max(len(text), 1) * _LETTER))


def _letters(width: float, size: float) -> int:
    """The number of letters of this size that there is room for."""
    return max(int(width / (size * _LETTER)), 10)


def figure(area: Figure, rows: Sequence[str] | None, parts: Sequence[Mapping[str, Any]] | None) -> str:
    """A board of squares with coloured areas. Rows run to the bottom, upper ones may be missing. None: nothing."""
    if not rows:
        return ""
    side = area.width * WIDTH / len(rows[0])
    squares = "".join(f"M{x} {y}h1v1h-1z" for y in range(len(rows)) for x in range(len(rows[0])))
    missing = max(len(rows[0]) - len(rows), 0)
    names = [next((value for value in part.values() if isinstance(value, str)), "") for part in parts or ()]
    kinds, areas = list(dict.fromkeys(names)), ""
    for name, part in zip(names, parts or (), strict=True):
        cells = ((column - 1 + 0.05, row - 1 - missing + 0.05) for row, column in part["cells"])
        path = "".join(f"M{x:g} {y:g}h.9v.9h-.9z" for x, y in cells)
        areas += (
            f'<path class="table-part-{kinds.index(name) % _COLOURS}" d="{path}"><title>{escape(name)}</title></path>'
        )
    letters = "".join(
        f'<text class="table-ink" font-size=".6" text-anchor="middle" x="{x + 0.5:g}" y="{y + 0.72:g}">'
        f"{escape(letter)}</text>"
        for y, row in enumerate(rows)
        for x, letter in enumerate(row)
        if letter != "."
    )
    return (
        f'<g transform="translate({area.x * WIDTH:g} {area.y * HEIGHT:g}) scale({side:g})">'
        f'<path class="table-square" style="stroke-width:.03" d="{squares}"/>{areas}{letters}</g>'
    )
